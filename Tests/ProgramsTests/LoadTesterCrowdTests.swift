import AuthorityServer
import CommandLineTool
import Glibc
import TestSupport
import Testing
import WatchTransfer
import WireFormat

@Suite struct LoadTesterCrowdValueTests {
  @Test func `a crowd is divided by shares and shuffled by its seed`() throws {
    let mix = try #require(LoadMix("idle=5,storm=1,stampede=4"))
    let crowd = mix.behaviours(of: 1_000, seed: 7)
    #expect(crowd.count == 1_000)
    #expect(crowd.count { $0 == .idle } == 500)
    #expect(crowd.count { $0 == .storm } == 100)
    #expect(crowd.count { $0 == .stampede } == 400)
    #expect(crowd == mix.behaviours(of: 1_000, seed: 7))
    #expect(crowd != mix.behaviours(of: 1_000, seed: 8))
    // Nobody is lost to rounding.
    for count in 0...40 { #expect(mix.behaviours(of: count, seed: 1).count == count) }
    #expect(Set(LoadMix.usual.behaviours(of: 100, seed: 1)).count == LoadBehaviour.allCases.count)
    #expect(LoadMix(LoadMix.usual.text) == LoadMix.usual)
  }

  @Test(arguments: [
    "", "idle", "idle=", "idle=x", "idle=-1", "idle=1001", "idle=0", "idle=1,", "idle=1,idle=2",
    "lazy=1", "idle=1=2", "IDLE=1",
  ])
  func `shares that make no sense are refused`(text: String) {
    #expect(LoadMix(text) == nil)
  }

  @Test func `requests are due evenly, whatever happens meanwhile`() {
    var schedule = PacedSchedule(start: 1_000, perSecond: 3, connections: 2)
    func next(by now: Int64) -> PacedSchedule.Request? { schedule.next(by: now) }
    #expect(next(by: 999) == nil)
    #expect(next(by: 1_000) == .init(due: 1_000, connection: 0, isAct: true))
    #expect(next(by: 1_000) == nil)
    // Whoever comes late is told when each was due.
    let late: Int64 = 2_000_000_000
    #expect(next(by: late) == .init(due: 333_334_333, connection: 1, isAct: false))
    #expect(next(by: late) == .init(due: 666_667_666, connection: 0, isAct: false))
    #expect(next(by: late) == .init(due: 1_000_001_000, connection: 1, isAct: true))
    for _ in 0..<3_000 { _ = next(by: .max) }
    // Nothing is lost to rounding: request 3,004 is due 3,004 thirds of a second after the first.
    #expect(schedule.nextDue == 1_000 + 1_001_333_333_333)
  }

  @Test func `every act has one receipt, in order, applied, at a later revision`() throws {
    var acts = OpenActs(confirmed: 7)
    func add(_ due: Int64) -> UInt64 { acts.add(due: due).number }
    func receipt(_ number: UInt64, isApplied: Bool = true, _ revision: UInt64) throws -> Int64 {
      try acts.receipt(of: number, isApplied: isApplied, revision: revision)
    }
    #expect(add(100) == 8)
    #expect(add(200) == 9)
    #expect(throws: OpenActs.Fault.unexpected) { try receipt(9, 1) }
    #expect(try receipt(8, 5) == 100)
    #expect(throws: OpenActs.Fault.unexpected) { try receipt(8, 6) }
    #expect(throws: OpenActs.Fault.revision) { try receipt(9, 5) }
    #expect(acts.count == 0 && acts.confirmed == 9 && acts.newest == 9)
    #expect(add(300) == 10)
    #expect(throws: OpenActs.Fault.unapplied) { try receipt(10, isApplied: false, 0) }
    #expect(throws: OpenActs.Fault.unexpected) { try receipt(11, 9) }
  }

  @Test func `held acts are sent again together, with those that came behind them`() throws {
    var acts = OpenActs(confirmed: 0)
    func resend(_ now: Int64) -> ClosedRange<UInt64>? { acts.resend(by: now) }
    func add(_ due: Int64) -> Bool { acts.add(due: due).isSent }
    acts.hold(until: 5)
    #expect(resend(9) == nil)
    for due: Int64 in 1...3 { #expect(add(due)) }
    _ = try acts.receipt(of: 1, isApplied: true, revision: 1)
    acts.hold(until: 50)
    #expect(!add(4))
    #expect(resend(49) == nil)
    #expect(resend(50) == 2...4)
    #expect(resend(50) == nil)
    #expect(add(5))
  }

  @Test func `what an update does to a cursor is read without decoding it`() {
    let epoch = EpochID(high: 0x0102_0304_0506_0708, low: .max)
    let update = Update(
      epoch: epoch, from: 300, to: 70_000,
      facets: [EncodedFacet(kind: .goals, revision: 70_000, content: [10, 0])])
    let payload = Array(MessageEncoder().frame(ServerMessage.update(update)).dropFirst(4))
    payload.withUnsafeBytes { bytes in
      #expect(AnswerKind(payloadStart: bytes[0]) == .news)
      let scan = UpdateScan(bytes)
      #expect(scan?.epoch == epoch && scan?.from == 300 && scan?.to == 70_000)
      for end in 0..<bytes.count {
        #expect(UpdateScan(UnsafeRawBufferPointer(rebasing: bytes[..<end])) == nil)
      }
    }
  }
}

/// The built server with accounts of four watches each, and the load tester as a user runs it.
@Suite(.timeLimit(.minutes(3))) struct LoadTesterCrowdTests {
  @Test func `after a crowd that behaves badly everything is as it was before`() async throws {
    let folder = try TemporaryFolder()
    try SmallFile.replace(
      "\(folder.path)/limits",
      with: "resumesPerSecond = 2\nresumesBurst = 100\nstalledMilliseconds = 500\n")
    let server = try await ServeProcess(
      data: "\(folder.path)/data", ["--limits", "\(folder.path)/limits"])
    try SmallFile.replace(
      "\(folder.path)/crowd", with: try await tokens(server, "crowd", count: 300))
    try SmallFile.replace("\(folder.path)/good", with: try await tokens(server, "good", count: 8))
    func load(_ tokens: String, _ more: [String]) -> [String] {
      ["--server", "127.0.0.1:\(server.port)", "--json", "--tokens", "\(folder.path)/\(tokens)"]
        + more
    }
    let paced = load(
      "good", ["--scenario", "paced", "--connections", "8", "--rate", "200", "--seconds", "2"])
    // What a server opens with its first connections stays.
    try await isCorrect(paced)
    try await wait(server, until: Self.isAtRest)
    let before = Processes.descriptors(of: server.child.id)

    let crowd = try ChildProcess(
      "load-tester",
      load(
        "crowd",
        [
          "--scenario", "mixed", "--connections", "300", "--stampede", "1", "--seed", "3",
          "--mix", "idle=4,slow=1,mute=1,storm=1,flood=1,stampede=2", "--seconds", "150",
        ]))
    try await wait(server) { status in
      status.connections > 250 && status.limitRefusals["resumesPerSecond"] ?? 0 > 0
        && status.actions.applied > 1_000
    }
    try await isCorrect(paced)
    crowd.signal(SIGTERM)
    let ending = await crowd.end()
    #expect(ending.status == 128 + SIGTERM, "\(ending.errors)")
    let mixed = try JSONParser.parse(ending.output)
    #expect(mixed["errors"]?.wholeNumber == 0, "\(mixed.json)")
    for what in ["welcomes", "stampedes", "floods read"] {
      #expect(mixed["happened"]?[what]?.wholeNumber ?? 0 > 0, "\(what)")
    }
    #expect(mixed["answered"]?.wholeNumber ?? 0 > 0)

    try await wait(server, until: Self.isAtRest)
    let isBack = Processes.wait { Processes.descriptors(of: server.child.id) <= before }
    #expect(isBack, "\(before), now \(Processes.descriptors(of: server.child.id))")
    #expect(try await server.status().alarms == [])
    // Accounts answer, those of the crowd too: who has no resumes left is told to come back, and
    // does.
    try await isCorrect(
      load(
        "crowd", ["--scenario", "paced", "--connections", "300", "--rate", "600", "--seconds", "1"])
    )
    #expect(await server.end().status == 0)
    let check = try await wristwire("check", "--data", server.data)
    #expect(check.output == "ok\n", "\(check)")
  }

  /// Tokens of `count` watches, four of each account.
  private func tokens(_ server: ServeProcess, _ name: String, count: Int) async throws -> String {
    var text = ""
    for index in 0..<count {
      let account = "\(name)-\(index / 4)"
      if index % 4 == 0 { try await server.addAccount(account) }
      text += "\(hexadecimal(of: try await server.pair(.watch, account: account)))\n"
    }
    return text
  }

  /// Runs a paced load of 2 s or less, every request of which must be answered rightly.
  private func isCorrect(_ arguments: [String]) async throws {
    let ending = try await ChildProcess.run("load-tester", arguments)
    #expect(ending.status == 0, "\(ending.errors)")
    let json = try JSONParser.parse(ending.output)
    #expect(json["errors"]?.wholeNumber == 0, "\(json.json)")
    #expect(json["answered"]?.wholeNumber ?? 0 >= 400, "\(json.json)")
  }

  private func wait(
    _ server: ServeProcess, until holds: (ServerStatus) -> Bool
  ) async throws {
    let deadline = monotonicMilliseconds() + 60_000
    while true {
      let status = try await server.status()
      if holds(status) { return }
      try #require(monotonicMilliseconds() < deadline, "\(status)")
      await Task.yield()
    }
  }

  private static func isAtRest(_ status: ServerStatus) -> Bool {
    status.connections == 0 && status.limitUse["greetingConnectionsMax"] == 0
      && status.waiting == 0 && status.owedUpdates == 0 && status.unsentBytes == 0
  }
}
