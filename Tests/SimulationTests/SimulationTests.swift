import AuthorityServer
import Foundation
import Simulation
import Testing

/// Server and devices on simulated time, network and disk; the long form is `fault-simulator`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SimulationTests {
  private func tell(
    _ seeds: ClosedRange<UInt64>, flaw: Flaw? = nil, until isEnough: (Campaign.Report) -> Bool
  ) throws -> Campaign.Report {
    let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    let folder = "\(base)/wristwire-simulation-test-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let campaign = Campaign(moves: 100, folder: folder, zones: try MachineZones(), flaw: flaw)
    var report = Campaign.Report()
    for seed in seeds {
      report.add(campaign.tell(seed))
      if isEnough(report) { break }
    }
    return report
  }

  @Test(arguments: Flaw.allCases) func `a disk that is wrong is noticed`(flaw: Flaw) throws {
    let report = try tell(1...60, flaw: flaw) { !$0.failures.isEmpty }
    #expect(report.failures.count == 1, "unnoticed in \(report.seeds) stories")
    print("\(flaw) was noticed in story \(report.seeds): \(report.failures.first?.promise ?? "")")
  }

  @Test func `a seed tells the same story again`() throws {
    let first = try tell(7...9) { _ in false }
    let second = try tell(7...9) { _ in false }
    #expect(first.steps == second.steps && first.steps > 1_000)
    #expect(first.faults == second.faults)
  }

  /// A million stories are told in one process.
  @Test func `a story that was told leaves nothing open`() throws {
    _ = try tell(1...2) { _ in false }
    let before = try openLocks()
    _ = try tell(3...12) { _ in false }
    let left = try openLocks() - before
    #expect(left == 0, "\(left) data directories of ten stories are open")
  }

  /// The lock files of data directories that this process holds open.
  private func openLocks() throws -> Int {
    let descriptors = "/proc/self/fd"
    let files = try FileManager.default.contentsOfDirectory(atPath: descriptors)
    let targets = files.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
    }
    return targets.count { $0.contains("wristwire-simulation-test") }
  }
}
