import AuthorityLink
import Testing
import Transport
import WatchTransfer

/// The life of a link, step by step, without a socket.
struct LinkMachineTests {
  private let clock = DeviceClock(wall: Instant(milliseconds: 900_000))

  private func configuration() -> LinkConfiguration {
    let address = try! SocketAddress(parsing: "127.0.0.1:1")
    return LinkConfiguration(address: address, token: [UInt8](repeating: 1, count: 32))
  }

  private func machine() -> LinkMachine { LinkMachine(configuration(), seed: 1) }

  private func open(at milliseconds: Int64 = 0) -> LinkMachine {
    var machine = machine()
    _ = machine.start()
    _ = machine.connected(at: moment(milliseconds))
    _ = machine.received(.welcome(welcome()), at: moment(milliseconds), clock: clock)
    return machine
  }

  private func wait(_ steps: [LinkMachine.Step]) -> Int64? {
    for case .report(.disconnected(_, let wait)) in steps { return wait }
    return nil
  }

  @Test func itConnectsGreetsAndReportsTheWelcome() {
    var machine = machine()
    #expect(machine.start() == [.connect])
    #expect(machine.start() == [])
    #expect(machine.connected(at: moment(0)) == [.greet])
    let answer = welcome()
    #expect(
      machine.received(.welcome(answer), at: moment(40), clock: clock) == [
        .report(.clockOffset(milliseconds: 100_020)), .report(.welcomed(answer)),
      ])
    #expect(machine.isOpen)
  }

  @Test func aPingIsAnsweredAtOnceWithTheDevicesClock() {
    var machine = open()
    let steps = machine.received(.ping(Ping(nonce: 9)), at: moment(1), clock: clock)
    #expect(steps == [.send(.pong(Pong(nonce: 9, clock: clock)))])
  }

  @Test func itSaysThatItIsThereAndLearnsTheServersClock() {
    var machine = open()
    #expect(machine.tick(at: moment(29_999)) == [])
    #expect(machine.tick(at: moment(30_000)) == [.ping(nonce: 1)])
    let pong = Pong(nonce: 1, serverClock: Instant(milliseconds: 900_500))
    #expect(
      machine.received(.pong(pong), at: moment(30_200), clock: clock) == [
        .report(.clockOffset(milliseconds: 600))
      ])
    #expect(machine.received(.pong(pong), at: moment(30_300), clock: clock) == [])
  }

  @Test func aSilentConnectionIsGivenUp() {
    var machine = open()
    _ = machine.tick(at: moment(30_000))
    _ = machine.tick(at: moment(60_000))
    let steps = machine.tick(at: moment(90_000))
    #expect(steps.first == .close)
    guard case .report(.disconnected(.idle, _)) = steps.last else {
      Issue.record("not given up: \(steps)")
      return
    }
  }

  @Test func aGreetingWithoutAnAnswerIsGivenUp() {
    var machine = machine()
    _ = machine.start()
    _ = machine.connected(at: moment(0))
    #expect(machine.deadline == moment(10_000))
    guard case .report(.disconnected(.greetingTimeout, _)) = machine.tick(at: moment(10_000)).last
    else {
      Issue.record("still waiting")
      return
    }
  }

  @Test(arguments: [
    ServerMessage.reload([.streak]), .pong(Pong(nonce: 1)),
    .receipt(Receipt(incarnation: incarnation(1), number: 1, outcome: .expired)),
  ])
  func nothingButAWelcomeMayComeFirst(message: ServerMessage) {
    var machine = machine()
    _ = machine.start()
    _ = machine.connected(at: moment(0))
    let steps = machine.received(message, at: moment(1), clock: clock)
    #expect(steps.first == .close)
    #expect(!machine.isOpen)
  }

  @Test func aSecondWelcomeEndsTheConnection() {
    var machine = open()
    let steps = machine.received(.welcome(welcome()), at: moment(1), clock: clock)
    #expect(steps.first == .close)
  }

  @Test(arguments: [
    Goodbye.Reason.unauthenticated, .revoked, .forbidden, .unsupportedVersion, .codeRefused,
  ])
  func aDeviceThatIsNotWantedStaysAway(reason: Goodbye.Reason) {
    var machine = open()
    let goodbye = Goodbye(reason, comeBack: true)
    let steps = machine.received(.goodbye(goodbye), at: moment(1), clock: clock)
    #expect(steps == [.close, .report(.ended(goodbye))])
    #expect(machine.deadline == nil)
    #expect(machine.tick(at: moment(10_000_000)) == [])
  }

  @Test func aReplacedDeviceStaysAwayForAMinute() {
    var machine = open()
    let goodbye = Goodbye(.replaced)
    let steps = machine.received(.goodbye(goodbye), at: moment(0), clock: clock)
    #expect(steps == [.close, .report(.ended(goodbye))])
    #expect(machine.tick(at: moment(59_999)) == [])
    #expect(machine.tick(at: moment(60_000)) == [.connect])
  }

  @Test(arguments: [
    Goodbye.Reason.malformed, .frameTooLarge, .protocolError, .tooMany, .idle, .stalled,
    .shuttingDown, .internalError,
  ])
  func anyOtherGoodbyeIsATimeToWait(reason: Goodbye.Reason) {
    var machine = open()
    let goodbye = Goodbye(reason, retryAfterMilliseconds: 5_000, comeBack: true)
    let steps = machine.received(.goodbye(goodbye), at: moment(0), clock: clock)
    let wait = wait(steps) ?? -1
    #expect((5_000...5_250).contains(wait))
    #expect(machine.tick(at: moment(wait - 1)) == [])
    #expect(machine.tick(at: moment(wait)) == [.connect])
  }

  @Test func aGoodbyeWithoutAReturnIsWaitedOutTheLongest() {
    var machine = open()
    let steps = machine.received(
      .goodbye(Goodbye(.malformed, comeBack: false)), at: moment(0), clock: clock)
    #expect((30_000...30_250).contains(wait(steps) ?? -1))
  }

  @Test(arguments: [
    LinkFailure.pinMismatch(
      presented: CertificatePin(parsing: String(repeating: "0f", count: 32))!),
    .untrusted(reason: "self-signed certificate"),
  ])
  func theWrongServerIsNotGreetedAndNotTriedAgainSoon(failure: LinkFailure) {
    var machine = machine()
    #expect(machine.start() == [.connect])
    let steps = machine.disconnected(failure, at: moment(0))
    guard case .report(.disconnected(failure, let wait)) = steps.first, steps.count == 1 else {
      Issue.record("\(steps)")
      return
    }
    #expect(failure.isWrongServer)
    #expect(wait >= configuration().backoffMaxMilliseconds)
    #expect(machine.tick(at: moment(configuration().backoffMaxMilliseconds - 1)) == [])
    #expect(machine.tick(at: moment(wait)) == [.connect])
  }

  @Test(arguments: [TLSFailure.notSpoken, .oldVersion, .handshake, .damaged])
  func aBrokenHandshakeIsTriedAgainAsAnyLoss(failure: TLSFailure) {
    var machine = machine()
    _ = machine.start()
    let steps = machine.disconnected(.notSecured(failure), at: moment(0))
    #expect(LinkFailure.notSecured(failure).word == failure.word)
    #expect(!LinkFailure.notSecured(failure).isWrongServer)
    #expect((wait(steps) ?? .max) <= configuration().firstBackoffMilliseconds)
  }

  @Test func aServersWaitIsAtMostAnHour() {
    var machine = open()
    let goodbye = Goodbye(.tooMany, retryAfterMilliseconds: .max, comeBack: true)
    let steps = machine.received(.goodbye(goodbye), at: moment(0), clock: clock)
    #expect((wait(steps) ?? .max) <= 3_600_250)
  }

  @Test func failuresInARowWaitLongerAndAGoodConnectionForgetsThem() {
    var machine = machine()
    _ = machine.start()
    var waits: [Int64] = []
    var now: Int64 = 0
    for _ in 0..<12 {
      let wait = wait(machine.disconnected(.unreachable, at: moment(now))) ?? -1
      waits.append(wait)
      now += wait
      #expect(machine.tick(at: moment(now)) == [.connect])
    }
    #expect(waits.max() ?? 0 > 2_000)
    #expect(waits.allSatisfy { (0...30_000).contains($0) })
    _ = machine.connected(at: moment(now))
    _ = machine.received(.welcome(welcome()), at: moment(now), clock: clock)
    let steps = machine.disconnected(.closed, at: moment(now + 10_000))
    #expect((wait(steps) ?? .max) <= 250)
  }

  @Test func aShortConnectionForgetsNothing() {
    var machine = machine()
    _ = machine.start()
    var waits: [Int64] = []
    var now: Int64 = 0
    for _ in 0..<20 {
      _ = machine.connected(at: moment(now))
      _ = machine.received(.welcome(welcome()), at: moment(now), clock: clock)
      waits.append(wait(machine.disconnected(.closed, at: moment(now + 9_999))) ?? -1)
      now += 9_999 + (waits.last ?? 0)
      _ = machine.tick(at: moment(now))
    }
    #expect(waits.max() ?? 0 > 5_000)
  }

  @Test func aStoppedLinkDoesNothing() {
    var machine = open()
    #expect(machine.stop() == [.close])
    #expect(machine.stop() == [])
    #expect(machine.deadline == nil)
    #expect(machine.received(.reload([.streak]), at: moment(1), clock: clock) == [])
    #expect(machine.start() == [.connect])
  }
}
