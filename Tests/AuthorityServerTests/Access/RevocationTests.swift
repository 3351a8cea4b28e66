import Storage
import TestSupport
import Testing
import WatchTransfer
import WireFormat

@testable import AuthorityServer

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

  @Test func `a device that is revoked while it is in the lobby is told so there`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    let client = try fixture.client()
    while try await fixture.status().limitUse["greetingConnectionsMax"] != 1 { await Task.yield() }
    try await fixture.revoke("watch")
    try client.send(.hello(watch.hello()))
    #expect(try client.goodbye().reason == .revoked)
    #expect(client.isClosedByPeer())
    #expect(try await fixture.status().connections == 0)
    await fixture.stop()
  }

  @Test func `a device that is revoked on its way from the lobby never gets in`() async throws {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    try phone.connect()
    try phone.perform(Scene.goal(1))
    let watch = try await fixture.device(.watch)
    let partition = try #require(fixture.server?.core.partitions.first)
    let (reached, goOn) = (Gate(), Gate())
    partition.enter { _ in
      reached.open()
      try? goOn.wait()
    }
    try reached.wait()
    try watch.begin()
    // Handed over, and waiting for its partition.
    while try await fixture.status().limitUse["greetingConnectionsMax"] != 0 { await Task.yield() }
    let server = try #require(fixture.server)
    let revocation = Task {
      await server.admin.perform(.revoke(account: "anna", device: "watch"))
    }
    let second = TestDevice(fixture, token: watch.token, kind: .watch)
    // Revoked once the lobby knows; the partition has not heard of it yet.
    while true {
      try second.begin()
      while try await fixture.status().limitUse["greetingConnectionsMax"] != 0 {
        await Task.yield()
      }
      if try await fixture.status().closed["revoked", default: 0] > 0 { break }
    }
    #expect(try second.goodbye().reason == .revoked)
    goOn.open()
    guard case .done = await revocation.value else {
      Issue.record("it was not revoked")
      return
    }
    #expect(try watch.goodbye().reason == .revoked)
    #expect(watch.log.count == 1, "no Welcome, no update")
    #expect(watch.client?.isClosedByPeer() == true)
    await fixture.stop()
  }

  @Test func `a device that is revoked while its account is loaded hears nothing of it`()
    async throws
  {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    // Nothing of the account is in memory.
    try await fixture.restart()
    let (reached, goOn) = (Gate(), Gate())
    fixture.server?.core.shared.committer.submit(
      .inspect { _ in
        reached.open()
        try? goOn.wait()
      })
    try reached.wait()
    try watch.begin()
    while try await fixture.status().connections != 1 { await Task.yield() }
    try await fixture.revoke("watch")
    #expect(try watch.goodbye().reason == .revoked)
    goOn.open()
    #expect(watch.log.count == 1, "no Welcome, no update")
    #expect(watch.client?.isClosedByPeer() == true)
    #expect(try await fixture.status().connections == 0)
    await fixture.stop()
  }

  @Test func `what a revoked device was still owed does not leave`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    watch.usesUnixSocket = true
    let phone = try await fixture.device(.phone)
    try phone.connect()
    try watch.connect()
    try watch.sync()
    // More answers than the socket holds: the rest waits in the server.
    let view = WidgetView(kind: .today, family: .large, appearance: .both)
    let fetch = MessageEncoder().frame(.fetch(Fetch(view: view)))
    let client = try #require(watch.client)
    client.sendBeside(bytes: Array(repeatElement(fetch, count: 5_000).joined()))
    var fetched = -1
    // The server stops reading once it owes enough.
    while true {
      let status = try await fixture.status()
      if status.limitRefusals["inFlightMax"] ?? 0 > 0, status.fetched == fetched { break }
      fetched = status.fetched
      try phone.sync()
    }
    try await fixture.revoke("watch")
    try phone.perform(Scene.goal(2))
    var received = 0
    var last: ServerMessage?
    do {
      while true {
        let message = try client.next()
        last = message
        if case .snapshot = message { received += 1 }
      }
    } catch {
      #expect(error as? WireClient.Failure == .closed)
    }
    #expect(received > 0 && received < fetched, "\(received) of \(fetched)")
    #expect(last != .goodbye(Goodbye(.revoked)), "it stood behind what was dropped")
    try watch.begin()
    #expect(try watch.goodbye().reason == .revoked)
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

  @Test(arguments: [false, true])
  func `wrong and revoked tokens of one address are counted alike`(revoked: Bool) async throws {
    var limits = ServerLimits()
    limits.addressLimitsOnLoopback = 1
    limits.wrongTokensPerAddressMax = 3
    let fixture = try await Scene.server(limits: limits)
    let watch = try await fixture.device(.watch)
    let nobody = TestDevice(fixture, token: Array(repeating: 7, count: 32), kind: .watch)
    try await fixture.revoke("watch")
    let device = revoked ? watch : nobody
    for _ in 1...3 {
      try device.begin()
      #expect(try device.goodbye().reason == (revoked ? .revoked : .unauthenticated))
    }
    try device.begin()
    #expect(try device.goodbye().reason == .tooMany)
    let status = try await fixture.status()
    #expect(status.limitRefusals["wrongTokensPerAddressMax"] == 1)
    #expect(status.limitUse["wrongTokensPerAddressMax"] == 3)
    await fixture.stop()
  }

  @Test(arguments: [false, true])
  func `connections that were accepted before do not bring more wrong tokens`(byCode: Bool)
    async throws
  {
    var limits = ServerLimits()
    limits.addressLimitsOnLoopback = 1
    limits.wrongTokensPerAddressMax = 3
    limits.codeDelayMilliseconds = 0
    let fixture = try await Scene.server(limits: limits)
    let phone = try await fixture.device(.phone)
    let clients = try (1...10).map { _ in try fixture.client() }
    while try await fixture.status().limitUse["greetingConnectionsMax"] != 10 { await Task.yield() }
    var hello = Hello(token: Array(0..<32))
    if byCode { hello.code = PairingCode(number: 1) }
    // All at once, before one of them is answered.
    for client in clients { try client.send(.hello(hello)) }
    let reasons = try clients.map { try $0.goodbye().reason }
    #expect(reasons.filter { $0 == (byCode ? .codeRefused : .unauthenticated) }.count == 3)
    #expect(reasons.filter { $0 == .tooMany }.count == 7)
    let status = try await fixture.status()
    #expect(status.limitRefusals["wrongTokensPerAddressMax"] == 7)
    #expect(status.limitUse["wrongTokensPerAddressMax"] == 3)
    // Who is there already and good is turned away with the rest of its address.
    try phone.begin()
    #expect(try phone.goodbye().reason == .tooMany)
    await fixture.stop()
  }

  @Test func `what an ended connection of a revoked device was still owed does not leave`()
    async throws
  {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    watch.usesUnixSocket = true
    let phone = try await fixture.device(.phone)
    try phone.connect()
    try watch.connect()
    try watch.sync()
    let view = WidgetView(kind: .today, family: .large, appearance: .both)
    let fetch = MessageEncoder().frame(.fetch(Fetch(view: view)))
    let client = try #require(watch.client)
    client.sendBeside(bytes: Array(repeatElement(fetch, count: 5_000).joined()))
    var fetched = -1
    while true {
      let status = try await fixture.status()
      if status.limitRefusals["inFlightMax"] ?? 0 > 0, status.fetched == fetched { break }
      fetched = status.fetched
      try phone.sync()
    }
    // Its end has begun: answers, and why, are waiting for it to read.
    let successor = TestDevice(fixture, token: watch.token, kind: .watch)
    try successor.connect()
    #expect(try await fixture.status().closed["replaced"] == 1)
    try await fixture.revoke("watch")
    #expect(try successor.goodbye().reason == .revoked)
    var received = 0
    var last: ServerMessage?
    do {
      while true {
        let message = try client.next()
        last = message
        if case .snapshot = message { received += 1 }
      }
    } catch {
      #expect(error as? WireClient.Failure == .closed)
    }
    #expect(received > 0 && received < fetched, "\(received) of \(fetched)")
    if case .goodbye? = last { Issue.record("what stood behind the answers left") }
    await fixture.stop()
  }
}
