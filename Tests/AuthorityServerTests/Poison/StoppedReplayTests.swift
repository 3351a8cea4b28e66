import Foundation
import Guards
import Storage
import TestSupport
import Testing
import WatchTransfer

@testable import AuthorityServer

/// Holds a replay up where it names its first account, and goes on naming it late.
private final class HeldSlots: WorkSlots {
  let (reached, goOn) = (Gate(), Gate())
  private let slots: any WorkSlots
  private let counted = Lock(0)

  init(_ slots: any WorkSlots) {
    self.slots = slots
  }

  /// How often a replay has named an account.
  var names: Int { counted.withLock { $0 } }

  func write(_ work: AccountWork?, in slot: Int) {
    slots.write(work, in: slot)
    guard let work, work.phase == .verifying else { return }
    let isFirst = counted.withLock { count in
      count += 1
      return count == 1
    }
    guard isFirst else { return }
    reached.open()
    try? goOn.wait()
    slots.write(work, in: slot)
  }
}

/// A clean stop says nothing of the account that is being verified.
@Suite(.timeLimit(.minutes(1))) struct StoppedReplayTests {
  private let temporary: TestSupport.TemporaryDirectory
  private let data: String
  private let target: String

  init() throws {
    temporary = try TestSupport.TemporaryDirectory()
    (data, target) = ("\(temporary.path)/data", "\(temporary.path)/backups")
    try FileManager.default.createDirectory(
      atPath: target, withIntermediateDirectories: false)
  }

  /// What a start would find now.
  private func found() throws -> [WorkFound] {
    let directory = try DataDirectory(path: data)
    defer { directory.release() }
    return try #require(try WorkMap.open(in: directory)).found.works
  }

  @Test(arguments: [true, false])
  func `however often a server is stopped in a replay, nobody is left out of it`(
    isBackup: Bool
  ) async throws {
    for start in 1...2 {
      nonisolated(unsafe) var made: HeldSlots?
      let server = try AuthorityServer(
        ServerConfiguration(directory: data, addresses: [], partitions: 1),
        wrapSlots: {
          let slots = HeldSlots($0)
          made = slots
          return slots
        }, onFailure: { _ in })
      let slots = try #require(made)
      for name in start == 1 ? ["anna", "ben"] : [] {
        _ = await server.admin.perform(.addAccount(name: name, zone: "Europe/Berlin"))
      }
      let request = isBackup ? AdminRequest.backUp(to: target, keep: nil) : .check
      let answer = Task { "\(await server.admin.perform(request))" }
      try slots.reached.wait()
      await server.stop()
      #expect(try found().isEmpty)
      slots.goOn.open()
      #expect(await answer.value.contains("the server is stopping"))
      #expect(slots.names == 1, "a replay that nobody waits for goes on")
      #expect(try found().isEmpty)
    }
    let directory = try DataDirectory(path: data)
    let counters = Counters()
    let poison = try PoisonGuard.open(in: directory, build: runningBuild(), counters: counters)
    #expect(poison.notReplayed == NotReplayed() && poison.atStart.suspects.isEmpty)
    #expect(counters.alarms.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: target).isEmpty)
  }
}
