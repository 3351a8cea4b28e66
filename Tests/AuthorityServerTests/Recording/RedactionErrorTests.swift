import Foundation
import Storage
import TestSupport
import Testing
import Transport
import WatchTransfer
import WireFormat

@testable import AuthorityServer

/// What cannot be redacted is told in words, and nothing is written.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RedactionErrorTests {
  /// A record of a phone that has done something.
  private func recorded(_ actions: [Action] = [Scene.goal(4)]) async throws -> RecordFile {
    let server = try RecordedServer(seed: 61, partitions: 1)
    try await server.start(accounts: ["anna"])
    let phone = server.devices[0]
    try phone.connect()
    for action in actions { try phone.perform(action) }
    // The next start begins with an account in memory's place on disk.
    try await server.fixture.restart()
    try phone.connect()
    try phone.perform(Scene.goal(5))
    await server.fixture.stop()
    return try RecordFile(path: server.path)
  }

  @Test func `a facet that this build does not make of its account`() async throws {
    let file = try await recorded()
    let replay = try ServerReplay(file)
    #expect(throws: Never.self) { try replay.redacted() }
    var other = file
    let index = try #require(
      file.records.firstIndex { if case .loaded(_, _?) = $0 { true } else { false } })
    guard case .loaded(let account, let checkpoint?) = file.records[index] else { return }
    let build = facetBuild(try MachineZones())
    var table = try #require(try FacetTable.decoded(checkpoint.facets, build: build))
    table.putRecovered(.goals, content: Array("Zebedee".utf8), revision: 1)
    other.records[index] = .loaded(account, checkpoint.with(facets: table.encoded(build: build)))
    #expect(throws: RedactionError.otherFacets(account: account, .goals)) {
      try ServerReplay(other).redacted()
    }
    // Those of another build are not looked at, here as there.
    var older = file
    older.records[index] = .loaded(account, checkpoint.with(facets: table.encoded(build: "0/old")))
    let redacted = try ServerReplay(older).redacted()
    #expect(Data(redacted.bytes).range(of: Data("Zebedee".utf8)) == nil)
  }

  @Test func `an account that makes no sense to this build`() async throws {
    var file = try await recorded()
    let account = AccountID.random()
    let checkpoint = AccountCheckpoint(
      account: account, throughRow: 1, state: [99], ledger: [], facets: [])
    file.records.insert(.loaded(account, checkpoint), at: 1)
    let error = #expect(throws: RedactionError.self) { try ServerReplay(file).redacted() }
    guard case .unreadable = error else {
      Issue.record("\(error as Any)")
      return
    }
  }

  @Test func `bytes of a connection that nobody adopted`() async throws {
    var file = try await recorded()
    let stranger = ConnectionID(slot: 77, generation: 3)
    let event = TapeEvent(queue: 1, cause: .ready, entries: [.received(stranger, [1])])
    file.records.insert(.event(event), at: 1)
    #expect(throws: RedactionError.unknownConnection(event: 1)) {
      try ServerReplay(file).redacted()
    }
  }

  @Test func `more words of one letter than there are letters for them`() async throws {
    let letters = (0..<180).map { String(Unicode.Scalar(UInt32(0xC0 + $0)) ?? "x") }
    let actions = stride(from: 0, to: 180, by: 60).map { start in
      Action.defineWorkout(
        id: .random(), title: "Letters", exercises: Array(letters[start..<start + 60]))
    }
    let file = try await recorded(actions)
    #expect(throws: RedactionError.exhausted) { try ServerReplay(file).redacted() }
  }

  @Test func `a run that depends on a snapshot that nobody has made in the record`() async throws {
    let server = try RecordedServer(seed: 62, bytesMax: RecordOptions.bytesMin, partitions: 1)
    // Each change is told at once, however long the record takes.
    server.fixture.limits.reloadPauseMilliseconds = 0
    server.fixture.limits.reloadsPerDay = 100_000
    try await server.start(accounts: ["anna", "bert"])
    let (phone, other, widget) = (server.devices[0], server.devices[2], server.widgets[0])
    try phone.connect()
    try widget.begin()
    _ = try widget.waitForWelcome()
    func mark() throws {
      try phone.perform(.markWorkout(log: .random(), workout: .title("Chess")))
    }
    try mark()
    let view = WidgetView(kind: .today, family: .large, appearance: .day)
    try widget.send(.fetch(Fetch(view: view)))
    _ = try widget.wait { if case .snapshot = $0 { true } else { nil } }
    // It is told to reload, does not, and everything is as it was.
    try phone.perform(.unmarkWorkout(workout: .title("Chess")))
    _ = try widget.wait { if case .reload = $0 { true } else { nil } }
    try other.connect()
    while server.parts.count < 2 {
      try other.perform(Scene.goal(Int.random(in: 1...9_999, using: &server.random)))
      other.forgetLog()
    }
    try mark()
    // A reload leaves with its commit: what is committed behind it shows whether there was one.
    try phone.perform(Scene.goal(10_000))
    try widget.sync()
    await server.fixture.stop()
    let newest = try ServerReplay(path: server.path)
    #expect(try newest.run().difference == nil)
    let error = #expect(throws: RedactionError.self) { try newest.redacted() }
    guard case .notKept = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(try ServerReplay(path: server.parts[0]).redacted().report.parting == nil)
  }

  /// The two bytes of `log_workout`'s tag, with one bit turned over.
  @Test(arguments: [[0xFA, 0x01], [0xAA, 0x01], [0xBA, 0x03], [0xBA, 0x11]] as [[UInt8]])
  func `the id of an import is hidden in a body that a damaged tag makes another action`(
    tag: [UInt8]
  ) async throws {
    let server = try RecordedServer(seed: 63, partitions: 1)
    try await server.start(accounts: ["anna"])
    let phone = server.devices[0]
    try phone.connect()
    var log = LoggedWorkout(
      log: .random(), activityType: "running", start: Scene.noon,
      end: Scene.noon.advanced(milliseconds: 1_000))
    log.sourceName = "Zebedee's watch"
    var act = phone.queue(.logWorkout(log))
    let place = try #require(
      act.body.indices.dropLast().first { act.body[$0...].starts(with: [0xBA, 0x01]) })
    act.body.replaceSubrange(place..<place + 2, with: tag)
    #expect(try phone.settle(act).outcome.word == "refused")
    await server.fixture.stop()
    let replay = try ServerReplay(path: server.path)
    let redacted = try replay.redacted()
    #expect(Data(redacted.bytes).range(of: Data(log.log.bytes)) == nil)
    #expect(Data(try RecordFile(path: server.path).encoded).range(of: Data(log.log.bytes)) != nil)
  }

  @Test func `every error says what to do and nothing of what was written`() {
    let errors: [RedactionError] = [
      .exists(path: "out"), .unwritable(path: "out", errno: 2), .unreadable("truncated"),
      .otherFacets(account: .random(), .today), .unknownConnection(event: 3),
      .notKept(event: 3, recorded: "a", redacted: "b"), .exhausted,
    ]
    #expect(Set(errors.map(\.description)).count == errors.count)
    for error in errors { #expect(!error.description.contains("\n")) }
  }
}

extension AccountCheckpoint {
  /// The same with other facet rows.
  fileprivate func with(facets: [UInt8]) -> Self {
    Self(
      account: account, throughRow: throughRow, state: state, ledger: ledger, facets: facets)
  }
}
