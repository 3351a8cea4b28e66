import CommandLineTool
import Testing
import WatchTransfer
import WireFormat

@Suite struct LoadTesterValueTests {
  @Test(
    arguments: [
      (1, 0), (127, 126), (128, 127), (16_384, 16_300), ((1 << 53) - 1, (1 << 53) - 2),
    ] as [(UInt64, UInt64)])
  func `an act written by hand is the act that the wire format reads`(
    number: UInt64, confirmed: UInt64
  ) throws {
    let incarnation = IncarnationID(high: 0x0102_0304_0506_0708, low: 0xF0E0_D0C0_B0A0_9080)
    let frames = ActFrames(incarnation: incarnation, goal: 7)
    let wall: Int64 = 1_796_036_400_123
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: ActFrames.frameBytesMax, alignment: 8)
    defer { memory.deallocate() }
    let length = frames.write(
      number: number, confirmed: confirmed, wall: wall, to: memory.baseAddress!)
    #expect(length <= ActFrames.frameBytesMax)
    let bytes = UnsafeRawBufferPointer(rebasing: memory[..<length])
    #expect(scanFrame(bytes, payloadBytesMax: 65_536) == .frame(length: length - 4))

    let decoder = MessageDecoder()
    let payload = UnsafeRawBufferPointer(rebasing: bytes[4...])
    guard case .act(let act) = try decoder.decodeClientMessage(payload) else {
      Issue.record("no act")
      return
    }
    #expect(act.incarnation == incarnation)
    #expect(act.number == number && act.confirmed == confirmed)
    #expect(act.firstReceipt == nil)
    let body = ActionBody(
      occurred: DeviceClock(wall: Instant(milliseconds: wall)),
      action: .setGoal(name: "load-07", value: Double(number % 1_000_000_000)))
    #expect(try decoder.decodeActionBody(act.body) == body)
    #expect(MessageEncoder().frame(.act(act)) == Array(bytes))
  }

  @Test(arguments: [
    (Outcome.applied(3), true), (.refused(.superseded), false), (.refused(.limit(of: "x")), false),
    (.expired, false),
  ])
  func `a receipt's number and whether it is applied are read without decoding it`(
    outcome: Outcome, isApplied: Bool
  ) throws {
    let receipt = Receipt(
      incarnation: IncarnationID(high: 1, low: 2), number: 1_234_567, outcome: outcome)
    let payload = Array(MessageEncoder().frame(ServerMessage.receipt(receipt)).dropFirst(4))
    payload.withUnsafeBytes { bytes in
      #expect(AnswerKind(payloadStart: bytes[0]) == .receipt)
      let scan = ReceiptScan(bytes)
      #expect(scan?.number == 1_234_567)
      #expect(scan?.isApplied == isApplied)
      for end in 0..<bytes.count {
        #expect(ReceiptScan(UnsafeRawBufferPointer(rebasing: bytes[..<end])) == nil)
      }
    }
  }

  @Test func `frames are told apart by their first byte`() {
    let view = WidgetView(kind: .streak, family: .small, appearance: .day)
    let cases: [(ServerMessage, AnswerKind)] = [
      (.snapshot(Snapshot(view: view, revision: 1, hash: 2, content: [0])), .widget),
      (.notModified(NotModified(view: view, revision: 1)), .widget),
      (.reload([.streak]), .news), (.ping(Ping(nonce: 1)), .ping),
      (.update(Update(epoch: EpochID(high: 1, low: 1), from: 0, to: 1)), .news),
      (.goodbye(Goodbye(.idle)), .other), (.pong(Pong(nonce: 1)), .pong),
    ]
    for (message, kind) in cases {
      #expect(AnswerKind(payloadStart: MessageEncoder().frame(message)[4]) == kind)
    }
  }

  @Test func `a histogram is at most 1.6 percent off, and exact where it is small`() {
    for value: Int64 in [0, 1, 63, 64, 127, 128, 1_000, 123_456, 98_765_432, 3_600_000_000_000] {
      var histogram = LatencyHistogram()
      histogram.add(value, count: 1)
      // A second, longer one, so that the bucket's end shows and not the longest.
      histogram.add(.max, count: 1)
      let shown = histogram.quantile(0.5)
      #expect(shown >= value)
      #expect(Double(shown) <= Double(value) * 1.016 + 0.5)
      #expect(histogram.longest == .max)
    }
  }

  @Test func `quantiles count every answer`() {
    var histogram = LatencyHistogram()
    #expect(histogram.quantile(0.99) == 0)
    histogram.add(10, count: 98)
    histogram.add(20, count: 1)
    histogram.add(30, count: 1)
    #expect(histogram.total == 100)
    #expect(histogram.quantile(0.5) == 10)
    #expect(histogram.quantile(0.98) == 10)
    #expect(histogram.quantile(0.99) == 20)
    #expect(histogram.quantile(1) == 30)
    histogram.add(-5, count: 1_000)
    #expect(histogram.quantile(0.5) == 0)
  }

  @Test func `a report has the figures that scripts read`() {
    var report = LoadReport(scenario: .act, connections: 2, pipeline: 3)
    report.nanoseconds = 2_000_000_000
    report.latencies.add(1_000_000, count: 5)
    report.wentWrong("held: busy")
    report.wentWrong("held: busy")
    report.ownMicroseconds = 10
    let json = report.json
    #expect(json["scenario"]?.text == "act")
    #expect(json["connections"]?.wholeNumber == 2 && json["pipeline"]?.wholeNumber == 3)
    #expect(json["seconds"]?.double == 2 && json["answered"]?.wholeNumber == 5)
    #expect(json["perSecond"]?.double == 3)
    #expect(json["errors"]?.wholeNumber == 2)
    #expect(json["errorsByReason"]?["held: busy"]?.wholeNumber == 2)
    #expect(json["p50Ms"]?.double == 1 && json["p99Ms"]?.double == 1 && json["maxMs"]?.double == 1)
    #expect(json["ownCpuMicros"]?.double == 2)
    #expect(report.text.contains("5 answered"))
    #expect(report.text.contains("error: 2 × held: busy"))
    #expect(LoadReport(scenario: .idle, connections: 1, pipeline: 1).json["p99Ms"]?.double == 0)
  }

  @Test(arguments: [
    (["--scenario", "fetch"], "one of --tokens FILE and --spawn is needed"),
    (["--scenario", "fetch", "--spawn", "--tokens", "f"], "exclude each other"),
    (["--scenario", "fetch", "--tokens", "f"], "needs the --server ADDR"),
    (
      ["--scenario", "sleep", "--spawn"],
      "--scenario \"sleep\" is not one of fetch, act, idle, paced, mixed"
    ),
    (["--scenario", "act", "--spawn", "--connections", "0"], "--connections \"0\" is not"),
    (["--scenario", "act", "--spawn", "--pipeline", "129"], "--pipeline \"129\" is not"),
    (
      ["--scenario", "act", "--spawn", "--connections", "100", "--accounts", "3"],
      "raise --accounts to 4"
    ),
    (
      ["--scenario", "act", "--server", "a", "--tokens", "f", "--accounts", "3"], "is for --spawn"
    ),
    (["--spawn"], "--scenario WHAT is needed"),
  ])
  func `a command line that makes no sense is refused`(arguments: [String], message: String) {
    let error = #expect(throws: UsageError.self) {
      guard
        case .run(let parsed) = try LoadOptions.tool.interpret(arguments, variable: { _ in nil })
      else { return }
      _ = try LoadOptions(parsed)
    }
    #expect(error?.description.contains(message) == true)
  }
}
