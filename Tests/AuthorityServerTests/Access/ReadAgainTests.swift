import AuthorityServer
import Storage
import TestSupport
import Testing
import WatchTransfer
import WireFormat

@Suite(.timeLimit(.minutes(1))) struct ReadAgainTests {
  private func pings(_ count: Int) -> [UInt8] {
    let encoder = MessageEncoder()
    return (1...count).flatMap { encoder.frame(ClientMessage.ping(Ping(nonce: UInt64($0)))) }
  }

  @Test func `a device that asks more than it may is read later, and all is answered in order`()
    async throws
  {
    var limits = ServerLimits()
    limits.pingsPerSecond = 40
    limits.pingsBurst = 40
    let fixture = try await Scene.server(limits: limits)
    let token = try await fixture.pair(.watch)
    let client = try fixture.client()
    _ = try client.greet(Hello(token: token))
    try client.send(bytes: pings(70))
    for nonce in 1...70 {
      let pong = try client.next { if case .pong(let pong) = $0 { pong } else { nil } }
      #expect(pong.nonce == UInt64(nonce))
    }
    #expect(try await fixture.status().limitRefusals["pingsPerSecond"] ?? 0 > 0)
    // A new connection has no new share.
    let again = try fixture.client()
    _ = try again.greet(Hello(token: token))
    let refusals = try await fixture.status().limitRefusals["pingsPerSecond"] ?? 0
    try again.send(bytes: pings(35))
    for _ in 1...35 { _ = try again.next { if case .pong = $0 { true } else { nil } } }
    #expect(try await fixture.status().limitRefusals["pingsPerSecond"] ?? 0 > refusals)
    await fixture.stop()
  }

  @Test func `a throttled pipeline that the client has finished is answered to its end`()
    async throws
  {
    var limits = ServerLimits()
    limits.pingsPerSecond = 50
    limits.pingsBurst = 50
    let fixture = try await Scene.server(limits: limits)
    let client = try fixture.client()
    _ = try client.greet(Hello(token: try await fixture.pair(.watch)))
    client.answersPings = false
    try client.send(bytes: pings(80))
    client.finish()
    for nonce in 1...80 {
      let pong = try client.next { if case .pong(let pong) = $0 { pong } else { nil } }
      #expect(pong.nonce == UInt64(nonce))
    }
    #expect(client.isClosedByPeer())
    await fixture.stop()
  }

  @Test func `one device's pipeline is worked off in shares, and none of it is lost`() async throws
  {
    let fixture = try await Scene.server()
    let client = try fixture.client()
    _ = try client.greet(Hello(token: try await fixture.pair(.watch)))
    // One write, many turns: 32 frames in each.
    client.sendBeside(bytes: pings(5_000))
    for nonce in 1...5_000 {
      let pong = try client.next { if case .pong(let pong) = $0 { pong } else { nil } }
      #expect(pong.nonce == UInt64(nonce))
    }
    await fixture.stop()
  }

  @Test func `a flood over an account that has left memory is read on`() async throws {
    var limits = ServerLimits()
    limits.checkpointSeconds = 1
    limits.idleAccountsMax = 0
    limits.usedMilliseconds = 100
    limits.pingsPerSecond = 200
    limits.pingsBurst = 200
    let fixture = try await Scene.server(limits: limits)
    try await fixture.addAccount("ben")
    let ben = try await fixture.device(.watch, account: "ben")
    let clock = try await fixture.device(.phone, account: "ben")
    let client = try fixture.client()
    _ = try client.greet(Hello(token: try await fixture.pair(.watch)))
    // An update of Ben's that is due in 4 s tells when Anna's account has left memory.
    try ben.connect(minimumInterval: 4_000)
    try clock.connect()
    try clock.perform(Scene.goal(1))
    ben.client?.setTimeout(seconds: 30)
    try ben.catchUp(to: clock.state.revision)
    let loads = fixture.faults.counts.loads
    try client.send(bytes: pings(300))
    for _ in 1...300 { _ = try client.next { if case .pong = $0 { true } else { nil } } }
    #expect(try await fixture.status().limitRefusals["pingsPerSecond"] ?? 0 > 0)
    #expect(fixture.faults.counts.loads == loads)
    await fixture.stop()
  }
}
