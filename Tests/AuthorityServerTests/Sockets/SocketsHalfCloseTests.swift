import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

/// A client that finishes its side after it has asked is answered all the same.
@Suite(.serialized, .timeLimit(.minutes(1))) struct SocketsHalfCloseTests {
  private static let noon = Instant(milliseconds: bodyMoment)

  /// What is asked last before the end.
  enum Question: CaseIterable, Sendable {
    case edit
    /// A wish about now of a watch whose clock was not sampled yet, and cannot be any more.
    case unmeasuredWish
    case fetch
    case ping
  }

  @Test(arguments: BytesPath.allCases, Question.allCases)
  func `what was asked before the end of the stream is answered`(
    path: BytesPath, question: Question
  ) async throws {
    var limits = ServerLimits()
    limits.ballastBytes = 0
    limits.freeSpaceReserveBytes = 0
    let fixture = try ServerFixture(limits: limits, testClock: Self.noon)
    try fixture.start()
    try await fixture.addAccount()
    let token = try await fixture.pair(.watch)
    let (port, unixPath) = (fixture.port, fixture.unixPath)
    let answers = try await onThread {
      let client = path == .tcp ? try WireClient(port: port) : try WireClient(unixPath: unixPath)
      client.setTimeout(seconds: 4)
      _ = try client.greet(Hello(token: token))
      try Self.ask(question, client)
      client.finish()
      return try client.untilClosed()
    }
    #expect(answers.contains { Self.answers($0, question) }, "\(answers)")
    let closed = try await fixture.status().closed
    #expect(closed == ["endOfStream": 1], "\(closed)")
    await fixture.stop()
  }

  private static func ask(_ question: Question, _ client: WireClient) throws {
    var outbox = TestOutbox()
    switch question {
    case .edit:
      try client.send(.act(outbox.act(.setTheme(mode: .night), at: noon)))
    case .unmeasuredWish:
      let wish = outbox.act(
        .controlClock(match: .random(), control: .pause), at: noon,
        boot: BootReading(id: .random(), milliseconds: 1_000))
      try client.send(.act(wish))
    case .fetch:
      let view = WidgetView(kind: .streak, family: .small, appearance: .day)
      try client.send(.fetch(Fetch(view: view)))
    case .ping:
      try client.send(.ping(Ping(nonce: 5)))
    }
  }

  private static func answers(_ message: ServerMessage, _ question: Question) -> Bool {
    switch (question, message) {
    case (.edit, .receipt(let receipt)), (.unmeasuredWish, .receipt(let receipt)):
      receipt.outcome.word == "applied"
    case (.fetch, .snapshot): true
    case (.ping, .pong(let pong)): pong.nonce == 5
    default: false
    }
  }
}
