internal import AuthorityServer
internal import Foundation
package import WatchTransfer

/// A server on simulated time and disk, and somebody who asks its admin socket for what lines of
/// JSON say.
package final class AdminTalk {
  private let world = World(seed: 1)
  private let server: SimulatedServer
  private let zones: any ZoneRulesSource

  private static let requestsMax = 40

  /// A server with two accounts.
  package init(zones: any ZoneRulesSource) {
    self.zones = zones
    let network = Network(world)
    network.isFaulty = false
    server = SimulatedServer(
      world, network, registry: PeerCast.registry, limits: ServerLimits(), partitions: 2,
      zones: zones)
  }

  /// Asks for each line that is a request; the first broken promise, or nil.
  package func run(_ lines: [[UInt8]]) -> String? {
    server.start()
    defer { server.crash() }
    for line in lines.prefix(Self.requestsMax) {
      guard let request = try? JSONDecoder().decode(AdminRequest.self, from: Data(line)) else {
        continue
      }
      guard let answer = answer(to: request) else {
        return "a request was never answered"
      }
      guard let json = try? JSONEncoder().encode(answer),
        (try? JSONDecoder().decode(AdminResponse.self, from: json)) != nil
      else { return "an answer that does not travel" }
      if case .findings(let findings) = answer, let first = findings.first { return first }
    }
    if let problem = server.store.history.violations.first { return problem }
    return (try? replayFindings(of: SimulatedJournal(server.store), zones: zones))?.first
  }

  private func answer(to request: AdminRequest) -> AdminResponse? {
    guard let admin = server.core?.admin else { return nil }
    let executor = HandExecutor()
    let box = AnswerBox()
    Task(executorPreference: executor) { box.answer = await admin.perform(request) }
    for _ in 0..<200 where box.answer == nil {
      executor.runAll()
      world.run(for: Span.millisecond)
      executor.runAll()
    }
    return box.answer
  }
}

/// Unchecked: the one thread that runs the executor writes and reads it.
private final class AnswerBox: @unchecked Sendable {
  var answer: AdminResponse?
}

/// Runs the steps of tasks when it is told to, on the caller's thread.
///
/// Unchecked: one thread owns it and the world its tasks ask, see `World`.
private final class HandExecutor: TaskExecutor, @unchecked Sendable {
  private var jobs: [UnownedJob] = []

  func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

  func runAll() {
    while !jobs.isEmpty {
      jobs.removeFirst().runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
