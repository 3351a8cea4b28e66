import AuthorityLink
import Transport
import WatchClient
import WatchTransfer

/// What a watch should not have been told.
struct Wrong: Error, CustomStringConvertible {
  let description: String
}

/// What a watch shows.
struct Shown: Sendable {
  let revision: Revision
  /// The goals of the home side.
  let homeScore: Int
}

/// A real watch library that lives in a directory, is started again and again, and scores points in
/// a match; what it was told is kept.
final class Wrist {
  private var match = MatchID.random()
  private let configuration: WatchConfiguration
  /// Points of the match.
  private(set) var points = 0
  /// Every receipt it was ever given.
  private(set) var receipts: [IncarnationNumber: Receipt] = [:]
  /// The revisions of what was applied, in the order of the actions.
  private(set) var revisions: [Revision] = []

  init(at address: SocketAddress, token: [UInt8], directory: String) {
    var link = LinkConfiguration(address: address, token: token)
    link.firstBackoffMilliseconds = 2
    link.backoffMaxMilliseconds = 20
    link.pingIntervalMilliseconds = 100
    link.idleMilliseconds = 600
    configuration = WatchConfiguration(link: link, directory: directory)
  }

  /// Starts the watch, does `count` things, waits for all their receipts, and stops it; what it
  /// shows then.
  @discardableResult
  func act(_ count: Int, makesMatch: Bool = false) async throws -> Shown {
    let watch = try WatchClient(configuration)
    var events = await watch.events().makeAsyncIterator()
    await watch.start()
    var open: Set<IncarnationNumber> = []
    if makesMatch {
      match = .random()
      points = 0
      open.insert(
        try await watch.submit(
          .newMatch(id: match, home: "Reds", away: "Blues", halfLengthMilliseconds: 2_700_000)))
    }
    for _ in 0..<count {
      open.insert(
        try await watch.submit(
          .addPoint(entry: .random(), match: match, team: .home, insist: true)))
      points += 1
    }
    while !open.isEmpty, let event = await events.next(isolation: nil) {
      switch event {
      case .receipt(let receipt):
        try take(receipt)
        open.remove(IncarnationNumber(incarnation: receipt.incarnation, number: receipt.number))
      case .quarantined, .movedToNewIncarnation, .ended, .failed:
        throw Wrong(description: "\(event)")
      case .update, .stage, .connected, .disconnected: break
      }
    }
    let state = await watch.state
    await watch.stop()
    guard case .score(let score?) = state.facets[.score] else {
      return Shown(revision: state.revision, homeScore: 0)
    }
    return Shown(revision: state.revision, homeScore: score.home)
  }

  private func take(_ receipt: Receipt) throws {
    let id = IncarnationNumber(incarnation: receipt.incarnation, number: receipt.number)
    guard receipts.updateValue(receipt, forKey: id) == nil else {
      throw Wrong(description: "a second receipt of \(id.number)")
    }
    guard case .applied(let revision) = receipt.outcome else {
      throw Wrong(description: "\(receipt.outcome)")
    }
    revisions.append(revision)
  }
}
