import CommandLineTool
import Glibc
import TestSupport
import Testing
import WatchTransfer

/// A live activity as a person runs it: it waits for a session, shows it, and ends with it.
@Suite(.timeLimit(.minutes(1))) struct ActivityProgramTests {
  private let folder = try! TemporaryDirectory()
  private static let token = String(repeating: "ab", count: 32)

  private func activity(
    _ server: String, _ face: ActivityFace, token: String = Self.token, format: String = "json"
  ) throws -> ChildProcess {
    try ChildProcess(
      "widget-emulator",
      [
        "--server", server, "--token", token, "--activity", face.rawValue, "--format", format,
        "--appearance", "day",
      ], environment: ServeProcess.environment)
  }

  private func texts(_ line: String?) throws -> [String] {
    let value = try JSONParser.parse(try #require(line))
    return value["lines"]?.elements?.compactMap(\.text) ?? []
  }

  private static func live(_ text: String, good milliseconds: Int64) -> Reading {
    let now = ScriptedAuthority.now
    var live = LiveReading(
      session: Samples.session, recorder: Samples.device, observedAt: now,
      cadenceMilliseconds: 5_000, staleAt: now.advanced(milliseconds: milliseconds),
      expiresAt: now.advanced(milliseconds: 600_000), text: text, spoken: text)
    live.heartRate = 142
    return .live(live)
  }

  private static func session(paused: Bool = false) -> Facet {
    var session = Samples.sessionFacet
    session.rest = nil
    if paused {
      session.phase = .paused
      session.runningSince = nil
    }
    return .session(session)
  }

  @Test func `an activity waits for a session, shows it and what is measured, and ends with it`()
    async throws
  {
    let authority = ScriptedAuthority(to: .activity, showing: [.session(nil), .lastSession(nil)])
    let path = "\(folder.path)/wire.sock"
    let server = try await authority.serve(at: path)
    var greeted = authority.greeted.makeAsyncIterator()
    let activity = try activity("unix:\(path)", .expanded)
    var lines = activity.lines.makeAsyncIterator()
    let hello = await greeted.next()
    #expect(hello?.minimumIntervalMilliseconds == 5_000 && hello?.incarnations.isEmpty == true)
    await authority.show([Self.session()], by: server)
    let progress = "Back squat · set 2 of 3 · 5 × 82.25 kg"
    #expect(try texts(await lines.next()) == ["Leg day", progress])
    await authority.show([], [Self.live("142 bpm", good: 3_000)], by: server)
    var value = try JSONParser.parse(try #require(await lines.next()))
    #expect(value["live"]?["heartRate"]?.wholeNumber == 142 && value["stale"]?.wholeNumber == 0)
    // Nothing more arrives: it grows stale by itself.
    value = try JSONParser.parse(try #require(await lines.next()))
    #expect(value["live"]?["heartRate"]?.wholeNumber == 142 && value["stale"]?.wholeNumber == 1)
    await authority.show([Self.session(paused: true)], by: server)
    #expect(
      try texts(await lines.next()) == ["Leg day", "paused", progress, "142 bpm"])
    await authority.show([.session(nil), .lastSession(Samples.summary)], by: server)
    value = try JSONParser.parse(try #require(await lines.next()))
    #expect(value["type"]?.text == "ended")
    #expect(value["text"]?.text == "Leg day · 40 min · 3 sets · 1234 kg")
    let ending = await activity.end()
    #expect(ending.status == 0)
    #expect(ending.errors == "widget-emulator: no session runs; waiting for one\n", "\(ending)")
    await server.stop()
  }

  @Test func `another session is another activity, and a lost authority leaves a stale one`()
    async throws
  {
    let authority = ScriptedAuthority(to: .activity, showing: [Self.session()])
    let path = "\(folder.path)/wire.sock"
    var server = try await authority.serve(at: path)
    let activity = try activity("unix:\(path)", .compact)
    var lines = activity.lines.makeAsyncIterator()
    #expect(try texts(await lines.next()) == ["Back squat · set 2 of 3 · 5 × 82.25 kg"])
    await server.stop()
    var value = try JSONParser.parse(try #require(await lines.next()))
    #expect(value["stale"]?.wholeNumber == 2)
    server = try await authority.serve(at: path)
    value = try JSONParser.parse(try #require(await lines.next()))
    #expect(value["stale"]?.wholeNumber == 0)
    guard case .session(var next?) = Self.session() else { return }
    next.session = SessionID(high: 77, low: 77)
    await authority.show([.session(next)], by: server)
    value = try JSONParser.parse(try #require(await lines.next()))
    #expect(value["type"]?.text == "ended" && value["text"]?.json == "null")
    #expect(await activity.end().status == 0)
    await server.stop()
  }

  @Test func `with a real authority it is shown what the watch does`() async throws {
    let server = try await ServeProcess(data: "\(folder.path)/data")
    try await server.addAccount()
    let watch = hexadecimal(of: try await server.pair(.watch))
    let token = hexadecimal(of: try await server.pair(.activity))
    let place = "127.0.0.1:\(server.port)"
    func act(_ words: String...) async throws {
      let ending = try await ChildProcess.run(
        "watch-emulator",
        ["--server", place, "--outbox", "\(folder.path)/wrist", "--token", watch]
          + words.flatMap { ["--do", $0] }, environment: ServeProcess.environment)
      #expect(ending.status == 0, "\(ending)")
    }
    try await act("start activity rowing")
    let activity = try activity(place, .minimal, token: token, format: "ansi")
    var lines = activity.lines.makeAsyncIterator()
    #expect(try #require(await lines.next()).contains("sessi…"))
    try await act("finish")
    var last = ""
    while let line = await lines.next() { last = line }
    #expect(last.hasPrefix("ended: "), "\(last)")
    #expect(await activity.end().status == 0)
    // A watch's token is no activity's.
    let wrong = try self.activity(place, .minimal, token: watch)
    let ending = await wrong.end()
    #expect(ending.status == 1)
    #expect(ending.errors.contains("pair an activity"), "\(ending)")
    #expect(await server.end().status == 0)
  }
}
