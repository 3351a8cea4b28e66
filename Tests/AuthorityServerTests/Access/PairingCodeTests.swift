import AuthorityServer
import Storage
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct PairingCodeTests {
  /// Limits under which nobody waits.
  static var patient: ServerLimits {
    var limits = ServerLimits()
    limits.codeDelayMilliseconds = 0
    return limits
  }

  func wrong(_ code: PairingCode) -> PairingCode {
    var digits = code.digits
    digits[7] = digits[7] == 0x39 ? 0x30 : digits[7] + 1
    return PairingCode(digits: digits)!
  }

  @Test func `a code pairs one device, whose secret is its token from then on`() async throws {
    let fixture = try await Scene.server()
    let watch = fixture.stranger(try await fixture.code(.watch, name: "Wrist"))
    watch.deviceName = "not this"
    try watch.connect()
    #expect(watch.welcome?.kind == .watch)
    try watch.perform(Scene.goal(1))
    #expect(watch.shownPresence?.map(\.name) == ["Wrist"])
    // Without the code too, also after a restart; and not for anybody else.
    let thief = fixture.stranger(watch.code)
    try thief.begin()
    let goodbye = try thief.goodbye()
    #expect(goodbye.reason == .codeRefused && !goodbye.comeBack)
    #expect(thief.client?.isClosedByPeer() == true)
    watch.code = nil
    try await fixture.restart()
    try watch.connect()
    #expect(try watch.shownGoal == 1)
    await fixture.stop()
  }

  @Test func `a lost Welcome locks nobody out, however late and whatever became of the code`()
    async throws
  {
    let fixture = try await Scene.server()
    let watch = fixture.stranger(try await fixture.code(.watch))
    try watch.begin()
    // The welcome is on its way, and never read.
    _ = try watch.waitForWelcome()
    let device = watch.welcome?.device
    watch.disconnect()
    for _ in 1...2 {
      try watch.connect()
      #expect(watch.welcome?.device == device)
      watch.disconnect()
      // The code is spent and, then, gone with the server.
      try await fixture.restart()
    }
    #expect(try await fixture.status().devices == 1)
    // A revoked secret stays revoked, code or not.
    try await fixture.revoke("watch")
    watch.code = try await fixture.code(.watch)
    try watch.begin()
    #expect(try watch.goodbye().reason == .revoked)
    await fixture.stop()
  }

  @Test func `a device that goes while its code is redeemed is welcomed when it comes back`()
    async throws
  {
    let fixture = try await Scene.server()
    for _ in 1...20 {
      let watch = fixture.stranger(try await fixture.code(.watch))
      try watch.begin()
      watch.client?.reset()
      try watch.connect()
      #expect(watch.welcome?.kind == .watch)
    }
    #expect(try await fixture.status().devices == 20)
    await fixture.stop()
  }

  @Test func `two greetings with one secret and code at once make one device`() async throws {
    let fixture = try await Scene.server()
    let first = fixture.stranger(try await fixture.code(.watch))
    let second = TestDevice(fixture, token: first.token, kind: .watch)
    second.code = first.code
    try first.begin()
    try second.begin()
    // One of them replaces the other, which may hear of it before it is welcomed.
    let welcomed = try [first, second].map { device in
      try device.wait { message -> Bool? in
        switch message {
        case .welcome: true
        case .goodbye: false
        default: nil
        }
      }
    }
    #expect(welcomed.contains(true))
    #expect(try await fixture.status().devices == 1)
    await fixture.stop()
  }

  @Test func `the device names itself unless the code does`() async throws {
    let fixture = try await Scene.server()
    let named = fixture.stranger(try await fixture.code(.phone), kind: .phone)
    named.deviceName = "Öre \u{1F45F}"
    try named.connect()
    let nameless = fixture.stranger(try await fixture.code(.watch))
    try nameless.connect()
    try nameless.sync()
    #expect(Set(nameless.shownPresence?.map(\.name) ?? []) == ["Öre \u{1F45F}", "watch"])
    await fixture.stop()
  }

  @Test func `the fifth wrong code kills the right one, and its sisters`() async throws {
    let fixture = try await Scene.server(limits: Self.patient)
    let code = try await fixture.code(.watch)
    let sister = try await fixture.code(.phone)
    for _ in 1...4 {
      let guess = fixture.stranger(wrong(code))
      try guess.begin()
      #expect(try guess.goodbye().reason == .codeRefused)
    }
    // Four are survived.
    let lucky = fixture.stranger(sister, kind: .phone)
    try lucky.connect()
    let guess = fixture.stranger(wrong(code))
    try guess.begin()
    #expect(try guess.goodbye().reason == .codeRefused)
    let late = fixture.stranger(code)
    try late.begin()
    #expect(try late.goodbye().reason == .codeRefused)
    let status = try await fixture.status()
    #expect(status.limitRefusals["codeTriesMax"] == 1)
    #expect(status.limitUse["codesMax"] == 0)
    // A new one has tries of its own.
    late.code = try await fixture.code(.watch)
    try late.connect()
    await fixture.stop()
  }

  @Test(arguments: [false, true])
  func `who comes with a wrong code waits, on loopback and a Unix socket too`(unix: Bool)
    async throws
  {
    var limits = ServerLimits()
    limits.codeDelayMilliseconds = 60_000
    let fixture = try await Scene.server(limits: limits)
    let code = try await fixture.code(.watch)
    let guess = fixture.stranger(wrong(code))
    guess.usesUnixSocket = unix
    try guess.begin()
    #expect(try guess.goodbye().reason == .codeRefused)
    guess.code = code
    try guess.begin()
    let goodbye = try guess.goodbye()
    #expect(goodbye.reason == .tooMany && goodbye.comeBack)
    #expect((1...60_000).contains(goodbye.retryAfterMilliseconds))
    #expect(try await fixture.status().limitRefusals["codeDelayMilliseconds"] == 1)
    // The other way in does not wait.
    guess.usesUnixSocket = !unix
    try guess.connect()
    await fixture.stop()
  }

  @Test func `a code whose time is over is refused, and the audit log says that it expired`()
    async throws
  {
    let fixture = try await Scene.server(limits: Self.patient)
    let (good, late) = (try await fixture.code(.watch), try await fixture.code(.watch))
    try await fixture.advanceClock(milliseconds: 599_000)
    try fixture.stranger(good).connect()
    try await fixture.advanceClock(milliseconds: 1_000)
    let watch = fixture.stranger(late)
    try watch.begin()
    #expect(try watch.goodbye().reason == .codeRefused)
    await fixture.stop()
    #expect(try fixture.audit().filter { $0.contains("\"codeExpired\"") }.count == 1)
  }

  @Test func `codes end with the server`() async throws {
    let fixture = try await Scene.server()
    let watch = fixture.stranger(try await fixture.code(.watch))
    try await fixture.restart()
    try watch.begin()
    #expect(try watch.goodbye().reason == .codeRefused)
    await fixture.stop()
  }

  @Test func `there are as many live codes and devices as there may be, and no more`() async throws
  {
    var limits = Self.patient
    limits.codesMax = 2
    limits.devicesPerAccountMax = 2
    let fixture = try await Scene.server(limits: limits)
    let first = try await fixture.code(.watch)
    let second = try await fixture.code(.watch)
    func refusal(_ request: AdminRequest) async -> String? {
      guard case .failed(let text)? = await fixture.server?.admin.perform(request) else {
        return nil
      }
      return text
    }
    let pair = AdminRequest.pair(account: "anna", kind: "phone", name: nil)
    let makeCode = AdminRequest.makeCode(account: "anna", kind: "phone", name: nil)
    #expect(await refusal(makeCode)?.contains("codesMax") == true)
    _ = try await fixture.pair(.phone)
    let watch = fixture.stranger(first)
    try watch.connect()
    // The account is full: neither a token, nor a code, nor one that was made before.
    #expect(await refusal(pair)?.contains("devicesPerAccountMax") == true)
    #expect(await refusal(makeCode)?.contains("devicesPerAccountMax") == true)
    let late = fixture.stranger(second)
    try late.begin()
    let goodbye = try late.goodbye()
    #expect(goodbye.reason == .tooMany && goodbye.comeBack)
    // With a place, the same code is good.
    try await fixture.revoke("phone")
    try late.connect()
    let status = try await fixture.status()
    #expect(status.limitUse["devicesPerAccountMax"] == 2)
    #expect(status.limitRefusals["devicesPerAccountMax"] == 3)
    #expect(status.limitRefusals["codesMax"] == 1)
    await fixture.stop()
  }

  @Test func `a secret that nobody draws is no secret, and costs no try`() async throws {
    var limits = Self.patient
    limits.codeTriesMax = 1
    let fixture = try await Scene.server(limits: limits)
    let code = try await fixture.code(.watch)
    for byte in [0, 7] as [UInt8] {
      let weak = TestDevice(fixture, token: Array(repeating: byte, count: 32), kind: .watch)
      weak.code = code
      try weak.begin()
      #expect(try weak.goodbye().reason == .malformed)
    }
    try fixture.stranger(code).connect()
    await fixture.stop()
  }

  @Test func `the kind and the account are the code's`() async throws {
    let fixture = try await Scene.server()
    try await fixture.addAccount("ben")
    let anna = try await fixture.device(.phone)
    try anna.connect()
    try anna.perform(Scene.goal(7))
    let widget = fixture.stranger(try await fixture.code(.widget, account: "ben"), kind: .widget)
    try widget.connect()
    #expect(widget.welcome?.kind == .widget)
    #expect(widget.welcome?.account != anna.welcome?.account)
    try widget.offer(Scene.goal(1))
    #expect(try widget.goodbye().reason == .forbidden)
    for request in [
      AdminRequest.makeCode(account: "nobody", kind: "watch", name: nil),
      .makeCode(account: "ben", kind: "toaster", name: nil),
      .makeCode(account: "ben", kind: "watch", name: "a\nb"),
    ] {
      guard case .failed? = await fixture.server?.admin.perform(request) else {
        Issue.record("\(request) made a code")
        continue
      }
    }
    await fixture.stop()
  }
}
