import Foundation
import Guards
import Storage
import TestSupport
import Testing
import WatchTransfer

@testable import AuthorityServer

/// An orderly stop ends, whatever the target of a backup does.
@Suite(.timeLimit(.minutes(1))) struct StopTests {
  @Test func `a target that never answers does not hold a stop up`() async throws {
    let fixture = try await Scene.server()
    let target = try fixture.backupTarget()
    let whole = try await fixture.backUp(to: target)
    let server = try #require(fixture.server)
    let (reached, goOn, stopped) = (Gate(), Gate(), Gate())
    let hasWaited = Flag()
    server.admin.backups?.onPublished.withLock {
      $0 = {
        reached.open()
        try? goOn.wait()
        hasWaited.raise()
      }
    }
    try await fixture.advanceClock(milliseconds: 5_000)
    let backup = Task { await server.admin.perform(.backUp(to: target, keep: 1)) }
    try reached.wait()
    nonisolated(unsafe) let stopping = fixture
    let stop = Task {
      await stopping.stop()
      stopped.open()
    }
    try stopped.wait()
    #expect(!hasWaited.isRaised)
    goOn.open()
    guard case .failed = await backup.value else {
      return #expect(Bool(false), "a backup of a server that stopped")
    }
    await stop.value
    // What has its name is a backup, but nobody is told of it, and nothing gives way to it.
    let made = try FileManager.default.contentsOfDirectory(atPath: target).map { "\(target)/\($0)" }
    #expect(made.count == 2 && made.contains(whole.path), "\(made)")
    for path in made { #expect(try OfflineCheck.run(directory: path).isEmpty) }
    try fixture.start()
    #expect(try await fixture.status().alarms.isEmpty)
    await fixture.stop()
  }

  @Test func `a stop that takes too long is told`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let (held, overrun) = (Gate(), Gate())
    fixture.faults.holdAppends { held.open() }
    try watch.offer(Scene.goal(1))
    try held.wait()
    let server = try #require(fixture.server)
    let stop = Task { await server.stop(withinSeconds: 0.05) { overrun.open() } }
    try overrun.wait()
    fixture.faults.letAppendsGo()
    await stop.value
  }
}
