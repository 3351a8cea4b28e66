import AuthorityServer
import Glibc
import TestSupport
import Testing
import Transport
import WatchTransfer
import WireFormat

/// Peers that want too much: what they get is bounded, and others do not notice.
@Suite(.serialized, .timeLimit(.minutes(2))) struct FloodTests {
  @Test(arguments: BytesPath.allCases)
  func `E1: connections without Hello give way to newer ones, the oldest first`(
    path: BytesPath
  ) async throws {
    var limits = ServerLimits()
    limits.greetingConnectionsMax = 16
    let fixture = try await Scene.server(limits: limits)
    let token = try await fixture.pair(.watch)
    let (port, unixPath) = (fixture.port, fixture.unixPath)
    try await onThread {
      // More than the lobby's pool holds, those included that are being turned away.
      var idle: [WireClient] = []
      for _ in 0..<1_500 {
        let client = path == .tcp ? try WireClient(port: port) : try WireClient(unixPath: unixPath)
        idle.append(client)
      }
      let client = path == .tcp ? try WireClient(port: port) : try WireClient(unixPath: unixPath)
      _ = try client.greet(Hello(token: token))
      try expect(try idle[0].goodbye().reason == .tooMany, "the oldest did not give way")
      // The newest of them are still there, and may greet.
      try idle[1_499].send(.hello(Hello(token: token)))
      _ = try idle[1_499].next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
    }
    await fixture.stop()
  }

  @Test func `E3: an account has so many connections, and another as many`() async throws {
    var limits = ServerLimits()
    limits.connectionsPerAccountMax = 3
    let fixture = try await Scene.server(limits: limits)
    try await fixture.addAccount("ben")
    var devices: [TestDevice] = []
    for number in 0..<4 { devices.append(try await fixture.device(.phone, name: "\(number)")) }
    for device in devices[..<3] { try device.connect() }
    try devices[3].begin()
    let goodbye = try devices[3].goodbye()
    #expect(goodbye.reason == .tooMany && goodbye.comeBack)
    let ben = try await fixture.device(.phone, account: "ben")
    try ben.connect()
    devices[0].disconnect()
    while try await fixture.status().connections > 3 { try Task.checkCancellation() }
    try devices[3].connect()
    await fixture.stop()
  }

  /// What is asked over and over.
  enum Question: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case resume = "E5 resume"
    case resumeAfter = "E6 resume after a cursor"
    case fetch = "E6 fetch"
    case ping = "E14 ping"

    var testDescription: String { rawValue }
  }

  @Test(arguments: Question.allCases, BytesPath.allCases)
  func `E5, E6, E14: a storm of requests is answered whole, and others do not notice`(
    question: Question, path: BytesPath
  ) async throws {
    let fixture = try await Scene.server()
    try await fixture.addAccount("ben")
    let token = try await fixture.pair(.watch)
    let other = try await fixture.pair(.watch, account: "ben")
    let (port, unixPath) = (fixture.port, fixture.unixPath)
    try await onThread {
      func connect(_ token: [UInt8]) throws -> (WireClient, Welcome) {
        let client = path == .tcp ? try WireClient(port: port) : try WireClient(unixPath: unixPath)
        client.answersPings = false
        let welcome = try client.greet(Hello(token: token))
        return (client, welcome)
      }
      let (bystander, _) = try connect(other)
      let (client, welcome) = try connect(token)
      let cursor = Cursor(
        epoch: welcome.epoch, revision: welcome.revision, facetSet: welcome.facetSet)
      let message: ClientMessage =
        switch question {
        case .resume: .resume(nil)
        case .resumeAfter: .resume(cursor)
        case .fetch:
          .fetch(Fetch(view: WidgetView(kind: .today, family: .large, appearance: .both)))
        case .ping: .ping(Ping(nonce: 1))
        }
      // Beyond what a device may ask at once; over it a resume waits for its turn.
      let isResume = question == .resume || question == .resumeAfter
      let count = isResume ? 650 : 5_000
      _ = try client.update()
      let one = MessageEncoder().frame(message)
      // Resumes of one who does not keep up are answered together; the pong says that all were
      // read.
      let last = isResume ? MessageEncoder().frame(ClientMessage.ping(Ping(nonce: 3))) : []
      client.sendBeside(bytes: Array(repeatElement(one, count: count).joined()) + last)
      var answers = 0
      var slowest: Int64 = 0
      while answers < count {
        if answers % 500 == 0 {
          let asked = monotonicMilliseconds()
          try bystander.send(.ping(Ping(nonce: 2)))
          _ = try bystander.next { if case .pong(let pong) = $0 { pong } else { nil } }
          slowest = max(slowest, monotonicMilliseconds() - asked)
        }
        switch try client.next() {
        case .update(let update) where update.readings.isEmpty: answers += 1
        case .snapshot, .notModified: answers += 1
        case .pong: answers = isResume ? count : answers + 1
        default: break
        }
      }
      if isResume {
        try client.send(message)
        _ = try client.update()
      }
      try expect(slowest < 1_000, "a ping took \(slowest) ms")
    }
    await fixture.stop()
  }

  @Test func `E7: everybody comes back at once after a restart, and resumes`() async throws {
    let count = 300
    var limits = ServerLimits()
    limits.connectionsPerAccountMax = count
    limits.devicesPerAccountMax = count + 1
    let fixture = try await Scene.server(limits: limits)
    var tokens: [[UInt8]] = []
    for number in 0..<count {
      tokens.append(try await fixture.pair(.watch, name: "watch \(number)"))
    }
    let first = try await fixture.device(.phone)
    try first.connect()
    try first.perform(Scene.goal(1))
    let cursor = try #require(first.state.cursor(facetSet: DeviceKind.watch.facetSet))
    try await fixture.restart()
    let (port, tokensThen) = (fixture.port, tokens)
    let start = monotonicMilliseconds()
    try await onThread {
      let clients = try tokensThen.map { token in
        let client = try WireClient(port: port)
        client.answersPings = false
        try client.send(.hello(Hello(token: token, cursor: cursor)))
        return client
      }
      for client in clients {
        _ = try client.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
        let update = try client.update()
        try expect(update.from == cursor.revision, "the whole state: from \(update.from)")
      }
    }
    print("stampede: \(count) devices back in \(monotonicMilliseconds() - start) ms")
    await fixture.stop()
  }

  @Test(arguments: BytesPath.allCases)
  func `E14: who is silent is closed, whatever others of the account do`(path: BytesPath)
    async throws
  {
    var limits = ServerLimits()
    limits.idleMilliseconds = 1_000
    let fixture = try await Scene.server(limits: limits)
    let (token, other) = (try await fixture.pair(.watch), try await fixture.pair(.phone))
    let (port, unixPath) = (fixture.port, fixture.unixPath)
    let isOver = Flag()
    async let rounds = onThread {
      let talking = try WireClient(port: port)
      _ = try talking.greet(Hello(token: other))
      var rounds = 0
      while !isOver.isRaised {
        try talking.send(.ping(Ping(nonce: 1)))
        _ = try talking.next { if case .pong(let pong) = $0 { pong } else { nil } }
        poll(nil, 0, 50)
        rounds += 1
      }
      return rounds
    }
    let goodbye = try await onThread {
      defer { isOver.raise() }
      let silent = path == .tcp ? try WireClient(port: port) : try WireClient(unixPath: unixPath)
      silent.answersPings = false
      _ = try silent.greet(Hello(token: token))
      return try silent.goodbye()
    }
    #expect(goodbye.reason == .idle && goodbye.comeBack)
    #expect(try await rounds > 1)
    await fixture.stop()
  }
}
