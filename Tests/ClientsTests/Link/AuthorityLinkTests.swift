import AuthorityLink
import TestSupport
import Testing
import Transport
import WatchTransfer
import WireFormat

/// The link over real sockets, against a scripted server.
@Suite(.timeLimit(.minutes(1)))
struct AuthorityLinkTests {
  private let token = [UInt8](repeating: 9, count: 32)

  private func link(
    to address: SocketAddress
  ) -> (AuthorityLink, AsyncStream<LinkEvent>.Iterator) {
    var configuration = LinkConfiguration(address: address, token: token)
    configuration.firstBackoffMilliseconds = 5
    configuration.backoffMaxMilliseconds = 50
    let (stream, continuation) = AsyncStream.makeStream(of: LinkEvent.self)
    let hello = Hello(token: token, minimumIntervalMilliseconds: 77)
    let link = AuthorityLink(
      configuration, executor: SerialQueueExecutor(label: "test.link"),
      owner: LinkOwner(
        greeting: { hello },
        vitals: { LinkOwner.Vitals(shownRevision: 4, pending: 2) },
        handle: { continuation.yield($0) }))
    return (link, stream.makeAsyncIterator())
  }

  /// The next event that is not about clocks.
  private func next(_ events: inout AsyncStream<LinkEvent>.Iterator) async -> LinkEvent? {
    while let event = await events.next(isolation: nil) {
      if case .clockOffset = event { continue }
      return event
    }
    return nil
  }

  private func message(
    _ events: inout AsyncStream<FakeServer.Event>.Iterator
  ) async -> ClientMessage? {
    while let event = await events.next(isolation: nil) {
      if case .message(_, let message) = event { return message }
    }
    return nil
  }

  @Test(arguments: [false, true])
  func itGreetsIsWelcomedAndHandsOnMessages(overUnixSocket: Bool) async throws {
    let directory = TemporaryDirectory()
    let server = try await FakeServer.start(
      path: overUnixSocket ? directory.path + "/socket" : nil
    ) { _, message in
      if case .hello = message { return [.say(.welcome(welcome())), .say(.reload([.match]))] }
      return []
    }
    var said = server.events.makeAsyncIterator()
    let (link, stream) = link(to: server.address)
    var events = stream
    await link.start()
    guard case .hello(let hello) = await message(&said) else {
      Issue.record("no greeting")
      return
    }
    #expect(hello.token == token && hello.minimumIntervalMilliseconds == 77)
    #expect(await next(&events) == .welcomed(welcome()))
    #expect(await next(&events) == .message(.reload([.match])))
    await link.send(.resume(nil))
    #expect(await message(&said) == .resume(nil))
    await link.stop()
    await server.stop()
  }

  @Test func itAnswersAPingByItself() async throws {
    let server = try await FakeServer.start { _, message in
      guard case .hello = message else { return [] }
      return [.say(.welcome(welcome())), .say(.ping(Ping(nonce: 31)))]
    }
    var said = server.events.makeAsyncIterator()
    let (link, _) = link(to: server.address)
    await link.start()
    _ = await message(&said)
    guard case .pong(let pong) = await message(&said) else {
      Issue.record("no pong")
      return
    }
    #expect(pong.nonce == 31)
    #expect(pong.clock != nil)
    await link.stop()
    await server.stop()
  }

  @Test func aServerFrameCutAtAnyByteIsALostConnectionAndNothingElse() async throws {
    let whole = MessageEncoder().frame(.welcome(welcome(revision: 5)))
    let server = try await FakeServer.start { number, message in
      guard case .hello = message else { return [] }
      if number <= whole.count { return [.bytes(Array(whole[..<(number - 1)])), .close] }
      return [.bytes(whole)]
    }
    let (link, stream) = link(to: server.address)
    var events = stream
    await link.start()
    for _ in whole.indices {
      guard case .disconnected(.closed, _) = await next(&events) else {
        Issue.record("not a lost connection")
        return
      }
    }
    #expect(await next(&events) == .welcomed(welcome(revision: 5)))
    await link.stop()
    await server.stop()
  }

  @Test func aFrameThatComesByteByByteIsTheSameFrame() async throws {
    let server = try await FakeServer.start { _, _ in [] }
    var said = server.events.makeAsyncIterator()
    let (link, stream) = link(to: server.address)
    var events = stream
    await link.start()
    _ = await message(&said)
    for byte in MessageEncoder().frame(.welcome(welcome())) { await server.send([byte], to: 1) }
    #expect(await next(&events) == .welcomed(welcome()))
    await link.stop()
    await server.stop()
  }

  @Test(arguments: [
    [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], Array("HTTP/1.1 400 Bad Request\r\n".utf8),
    [0, 0, 0, 1, 0xFF],
  ])
  func bytesOfAnotherProtocolEndTheConnection(bytes: [UInt8]) async throws {
    let server = try await FakeServer.start { number, _ in
      number == 1 ? [.bytes(bytes)] : [.say(.welcome(welcome()))]
    }
    let (link, stream) = link(to: server.address)
    var events = stream
    await link.start()
    guard case .disconnected(.malformed, _) = await next(&events) else {
      Issue.record("not malformed")
      return
    }
    #expect(await next(&events) == .welcomed(welcome()))
    await link.stop()
    await server.stop()
  }

  @Test func aMessageOfANewerServerIsSkipped() async throws {
    // Field 99, an empty message: an unknown member of the frame's oneof.
    let unknown: [UInt8] = [0, 0, 0, 3, 0x9A, 0x06, 0x00]
    let server = try await FakeServer.start { _, message in
      guard case .hello = message else { return [] }
      return [.say(.welcome(welcome())), .bytes(unknown), .say(.reload([.today]))]
    }
    let (link, stream) = link(to: server.address)
    var events = stream
    await link.start()
    #expect(await next(&events) == .welcomed(welcome()))
    #expect(await next(&events) == .message(.reload([.today])))
    await link.stop()
    await server.stop()
  }

  @Test(arguments: [Goodbye.Reason.unauthenticated, .revoked, .forbidden, .unsupportedVersion])
  func aFinalGoodbyeIsToldAndNothingIsTriedAgain(reason: Goodbye.Reason) async throws {
    let goodbye = Goodbye(
      reason, versions: reason == .unsupportedVersion ? 2...3 : nil)
    let server = try await FakeServer.start { _, _ in [.say(.goodbye(goodbye)), .close] }
    let (link, stream) = link(to: server.address)
    var events = stream
    await link.start()
    #expect(await next(&events) == .ended(goodbye))
    #expect(await !link.isOpen)
    await link.stop()
    await server.stop()
  }

  @Test func aServerThatShutsDownIsComeBackTo() async throws {
    let goodbye = Goodbye(.shuttingDown, retryAfterMilliseconds: 20, comeBack: true)
    let server = try await FakeServer.start { number, _ in
      number == 1 ? [.say(.goodbye(goodbye)), .close] : [.say(.welcome(welcome()))]
    }
    let (link, stream) = link(to: server.address)
    var events = stream
    await link.start()
    guard case .disconnected(.goodbye(goodbye), let wait) = await next(&events) else {
      Issue.record("not told")
      return
    }
    #expect(wait >= 20)
    #expect(await next(&events) == .welcomed(welcome()))
    await link.stop()
    await server.stop()
  }

  @Test func aServerThatIsNotThereIsTriedAgain() async throws {
    let directory = TemporaryDirectory()
    let path = directory.path + "/socket"
    let (link, stream) = link(to: try SocketAddress(parsing: "unix:" + path))
    var events = stream
    await link.start()
    for _ in 0..<3 {
      guard case .disconnected(.unreachable, _) = await next(&events) else {
        Issue.record("not unreachable")
        return
      }
    }
    let server = try await FakeServer.start(path: path) { _, _ in [.say(.welcome(welcome()))] }
    var event = await next(&events)
    while case .disconnected = event { event = await next(&events) }
    #expect(event == .welcomed(welcome()))
    await link.stop()
    await server.stop()
  }

  @Test func aRestartGreetsAnew() async throws {
    let server = try await FakeServer.start { _, message in
      if case .hello = message { [.say(.welcome(welcome()))] } else { [] }
    }
    let (link, stream) = link(to: server.address)
    var events = stream
    await link.start()
    #expect(await next(&events) == .welcomed(welcome()))
    await link.restart()
    guard case .disconnected(.restarted, _) = await next(&events) else {
      Issue.record("not restarted")
      return
    }
    #expect(await next(&events) == .welcomed(welcome()))
    await link.stop()
    await server.stop()
  }
}
