import AuthorityServer
import Storage
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct RevocationTests {
  @Test func `revoking a device cuts its connection before the command says so`() async throws {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    let watch = try await fixture.device(.watch)
    try phone.connect()
    try watch.connect()
    try await fixture.revoke("watch")
    #expect(try watch.goodbye().reason == .revoked)
    #expect(watch.client?.isClosedByPeer() == true)
    // The token is good no more, not even after a restart; others go on.
    for _ in 1...2 {
      try watch.begin()
      let goodbye = try watch.goodbye()
      #expect(goodbye.reason == .revoked && !goodbye.comeBack)
      try phone.perform(Scene.goal(1))
      try await fixture.restart()
      try phone.connect()
    }
    await fixture.stop()
  }

  @Test func `an act in flight is decided once though its device is revoked`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let held = Gate()
    fixture.faults.holdAppends { held.open() }
    let act = watch.queue(Scene.goal(1))
    try watch.send(.act(act))
    try held.wait()
    try await fixture.revoke("watch")
    #expect(try watch.goodbye().reason == .revoked)
    fixture.faults.letAppendsGo()
    let paired = try await fixture.device(.watch, name: "again")
    paired.outbox = watch.outbox
    try paired.connect()
    #expect(paired.welcome?.expected.first?.number == 2)
    #expect(try paired.settle(act).outcome.word == "applied")
    #expect(try await fixture.status().actions.applied == 1)
    await fixture.stop()
  }

  @Test func `a token that nobody has is turned away`() async throws {
    let fixture = try await Scene.server()
    let nobody = TestDevice(fixture, token: Array(repeating: 7, count: 32), kind: .watch)
    try nobody.begin()
    #expect(try nobody.goodbye().reason == .unauthenticated)
    #expect(nobody.client?.isClosedByPeer() == true)
    #expect(try await fixture.status().closed["unauthenticated"] == 1)
    await fixture.stop()
  }
}
