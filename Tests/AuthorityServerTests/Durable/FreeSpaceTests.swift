import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct FreeSpaceTests {
  @Test func `under the reserve acts are held and reads go on`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    let widget = try await fixture.device(.widget)
    try watch.connect()
    let done = watch.queue(Scene.goal(1))
    let receipt = try watch.settle(done)
    let revision = watch.state.revision
    await fixture.stop()

    fixture.limits.freeSpaceReserveBytes = 1 << 60
    try fixture.start()
    let status = try await fixture.status()
    #expect(!status.acceptsActs)
    #expect(status.alarms.contains { $0.contains("free space") })
    try watch.connect()
    let act = watch.queue(Scene.goal(2))
    guard case .storageUnavailable(let retryAfter) = try watch.held(act).reason else {
      Issue.record("an act was not held")
      return
    }
    #expect(retryAfter > 0)
    // Nothing is used up, what is behind it is dropped, and what was decided is still told.
    try watch.send(.act(watch.queue(Scene.goal(3))))
    #expect(try watch.sync().filter(\.answersAnAct).isEmpty)
    #expect(try watch.settle(done) == receipt)
    try watch.send(.resume(nil))
    #expect(try watch.nextUpdate().to == revision)
    try widget.connect()
    try widget.send(
      .fetch(Fetch(view: WidgetView(kind: .today, family: .large, appearance: .day))))
    let content = try widget.wait { if case .snapshot(let shot) = $0 { shot.content } else { nil } }
    #expect(!content.isEmpty)
    await fixture.stop()

    fixture.limits.freeSpaceReserveBytes = 0
    try fixture.start()
    try watch.connect()
    #expect(try watch.settle(act).outcome.word == "applied")
    #expect(try await fixture.status().acceptsActs)
    await fixture.stop()
  }
}
