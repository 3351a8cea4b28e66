import Foundation
import Glibc
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
    // Looking at the backups that are there waits for ever.
    let old = "\(target)/wristwire-20200101T000000Z.wristwire-backup"
    try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: false)
    let pipe = "\(old)/manifest.json"
    #expect(mkfifo(pipe, 0o600) == 0)
    let server = try #require(fixture.server)
    try await fixture.advanceClock(milliseconds: 5_000)
    let backup = Task { await server.admin.perform(.backUp(to: target, keep: 2)) }
    // Opens when the other side is being opened for reading.
    let writer = await Task.detached { open(pipe, O_WRONLY | O_CLOEXEC) }.value
    #expect(writer >= 0)
    await fixture.stop()
    close(writer)
    _ = await backup.value
    // What has its name is a backup.
    let names = try FileManager.default.contentsOfDirectory(atPath: target)
    let made = names.map { "\(target)/\($0)" }.filter { $0 != old }
    #expect(made.count == 2 && made.contains(whole.path), "\(names)")
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
