public import WatchTransfer

/// Many stories, one after the other.
public struct Campaign {
  /// Where devices' files are while their story is told; made if it is missing.
  private let folder: String
  private let moves: Int
  private let zones: any ZoneRulesSource
  private let flaw: Flaw?

  /// What came of stories.
  public struct Report: Sendable {
    public var seeds = 0
    public var steps = 0
    public var projections = 0
    public var faults: [String: Int] = [:]
    public var failures: [Failure] = []

    /// Nothing was told yet.
    public init() {}
  }

  /// A story that broke a promise.
  public struct Failure: Sendable {
    public let seed: UInt64
    public let step: Int
    public let promise: String
    /// What was done, in order.
    public let story: [String]
  }

  /// Stories of `moves` moves each, with files below `folder`; with a `flaw`, to see whether it is
  /// noticed.
  public init(moves: Int, folder: String, zones: any ZoneRulesSource, flaw: Flaw? = nil) {
    self.flaw = flaw
    self.moves = moves
    self.folder = folder
    self.zones = zones
  }

  /// Tells the story of a seed; one that fails is told again for its log.
  public func tell(_ seed: UInt64, into report: inout Report) {
    let story = story(seed, keepsLog: false)
    let promise = story.tell()
    report.seeds += 1
    report.steps += story.steps
    report.projections += story.checker.projections
    report.faults.merge(story.network.faults.byKind) { $0 + $1 }
    guard let promise else { return }
    let again = self.story(seed, keepsLog: true)
    let repeated = again.tell()
    report.failures.append(
      Failure(
        seed: seed, step: story.steps,
        promise: repeated == promise
          ? promise : "\(promise) (told again: \(repeated ?? "nothing wrong"))",
        story: again.log))
  }

  private func story(_ seed: UInt64, keepsLog: Bool) -> Story {
    let story = Story(
      seed: seed, moves: moves, folder: "\(folder)/\(seed)", keepsLog: keepsLog, zones: zones)
    story.server.store.flaw = flaw
    return story
  }
}
