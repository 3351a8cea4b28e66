import Foundation
import Glibc
import Storage
import TestSupport
import Testing
import Transport
import WatchTransfer
import WireFormat

@testable import AuthorityServer

/// A redacted record replays as the original does, and tells nothing of persons.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RedactionTests {
  private let folder = try! TemporaryDirectory()

  @Test(arguments: [21, 22] as [UInt64])
  func `what people wrote and what opens doors is in no part of a redacted record`(
    seed: UInt64
  ) async throws {
    let server = try TalkativeServer(seed: seed, bytesMax: RecordOptions.bytesMin * 2)
    try await server.start()
    while server.record.parts.count < 3 { try await server.step() }
    for _ in 0..<50 { try await server.step() }
    await server.fixture.stop()
    var words = 0
    for part in server.record.parts {
      let original = try ServerReplay(path: part)
      let difference = try original.run().difference
      #expect(difference == nil, "\(String(describing: difference))")
      let redacted = try original.redacted()
      let again = try ServerReplay(RecordFile(redacted.bytes, path: ""))
      #expect(try again.run().difference == nil)
      #expect(redacted.report.parting == nil)
      #expect(outcomes(again) == outcomes(original))
      #expect(kinds(again) == kinds(original))
      expectNothing(of: server, in: redacted)
      words += redacted.report.words
    }
    #expect(words > 500)
  }

  @Test func `photos and their hashes are in no part of a redacted record`() async throws {
    let server = try TalkativeServer(seed: 41)
    try await server.start()
    for _ in 0..<20 { try server.photo() }
    await server.fixture.stop()
    let original = try ServerReplay(path: server.record.path)
    #expect(try original.run().difference == nil)
    let redacted = try original.redacted()
    #expect(try ServerReplay(RecordFile(redacted.bytes, path: "")).run().difference == nil)
    #expect(kinds(try ServerReplay(RecordFile(redacted.bytes, path: ""))) == kinds(original))
    expectNothing(of: server, in: redacted)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `bursts, cuts, resets and strangers keep their course without their texts`(
    seed: UInt64
  ) async throws {
    let server = try RecordedServer(seed: seed, bytesMax: 3 << 20)
    try await server.start()
    for _ in 0..<400 { try await server.step() }
    await server.fixture.stop()
    for part in server.parts {
      let original = try ServerReplay(path: part)
      let redacted = try original.redacted()
      let again = try ServerReplay(RecordFile(redacted.bytes, path: ""))
      #expect(try again.run().difference == nil)
      #expect(outcomes(again) == outcomes(original))
      for text in ["Blues", "Workout 3", "Workout 4", "Title 3", "steps"] {
        expectAbsent(Array(text.utf8), Data(redacted.bytes), text)
      }
    }
  }

  @Test func `a record over TLS, with codes and a revoked device, is redacted`() async throws {
    let server = try RecordedServer(seed: 13)
    let fixture = server.fixture
    try fixture.makeCertificate()
    try await server.start()
    let code = try await fixture.code(.watch, name: "Wrist of Zoltan")
    let paired = fixture.stranger(code)
    paired.deviceName = "Zoltans other name"
    try paired.connect()
    try paired.perform(Scene.goal(9))
    let wrong = fixture.stranger(PairingCode(typed: "12345678"))
    try wrong.begin()
    #expect(try wrong.goodbye().reason == .codeRefused)
    try await fixture.backUp(to: try fixture.backupTarget())
    try await fixture.revoke("Wrist of Zoltan")
    #expect(try paired.goodbye().reason == .revoked)
    let (port, pin) = (fixture.securedPort, fixture.pin)
    let token = try await fixture.pair(.watch, name: "other wrist")
    try await onThread {
      let secure = try SecureWireClient(port: port, pin: pin)
      _ = try secure.greet(Hello(token: token))
      #expect(try secure.answersPing(nonce: 7))
    }
    await fixture.stop()
    let original = try ServerReplay(path: server.path)
    let redacted = try original.redacted()
    #expect(try ServerReplay(RecordFile(redacted.bytes, path: "")).run().difference == nil)
    for secret in [paired.token, wrong.token, token, code.digits] {
      expectAbsent(secret, Data(redacted.bytes), "secret")
      expectAbsent(TokenHash(of: secret).bytes, Data(redacted.bytes), "hash")
    }
    for text in ["Zoltan", "other name", "other wrist"] {
      expectAbsent(Array(text.utf8), Data(redacted.bytes), text)
    }
  }

  @Test func `a record that parts from its replay parts at the same event when it is redacted`()
    async throws
  {
    let server = try TalkativeServer(seed: 31)
    try await server.start()
    for _ in 0..<60 { try await server.step() }
    await server.fixture.stop()
    let file = try RecordFile(path: server.record.path)
    var random = SeededGenerator(seed: 4)
    var parted = 0
    for round in 0..<40 {
      let replay = try ServerReplay(Self.planted(in: file, round, &random))
      let difference = try replay.run().difference
      let redacted: RedactedRecord
      do {
        redacted = try replay.redacted()
      } catch is RedactionError {
        // It says so, and writes nothing.
        continue
      }
      let again = try ServerReplay(RecordFile(redacted.bytes, path: "")).run()
      #expect(again.difference?.event == difference?.event, "round \(round)")
      #expect(again.difference?.queue == difference?.queue)
      #expect(redacted.report.parting == difference?.event)
      if difference != nil { parted += 1 }
      expectNothing(of: server, in: redacted)
    }
    #expect(parted > 25, "\(parted)")
  }

  /// A record in which one thing is another than it was.
  private static func planted(
    in file: RecordFile, _ round: Int, _ random: inout SeededGenerator
  ) -> RecordFile {
    var file = file
    while true {
      let index = Int.random(in: 1..<file.records.count, using: &random)
      if round % 4 == 3 {
        guard case .appended(let first, var hashes) = file.records[index] else { continue }
        hashes[0] ^= 1
        file.records[index] = .appended(first: first, hashes)
        return file
      }
      guard case .event(var event) = file.records[index], !event.entries.isEmpty else { continue }
      let entry = Int.random(in: 0..<event.entries.count, using: &random)
      switch (round % 4, event.entries[entry]) {
      case (0, .sent(let id, var frame)):
        frame[Int.random(in: 4..<frame.count, using: &random)] ^= 1
        event.entries[entry] = .sent(id, frame)
      case (1, .received(let id, var bytes)) where !bytes.isEmpty:
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8(1 << (round % 8))
        event.entries[entry] = .received(id, bytes)
      case (2, .sent): event.entries.remove(at: entry)
      default: continue
      }
      file.records[index] = .event(event)
      return file
    }
  }

  @Test func `what was decided and fetched before a part began is known in it again`()
    async throws
  {
    let server = try RecordedServer(seed: 51, partitions: 2)
    try await server.start(accounts: ["anna"])
    let fixture = server.fixture
    let (phone, widget) = (server.devices[0], server.widgets[0])
    try phone.connect()
    let old = phone.queue(.markWorkout(log: .random(), workout: .title("Rugby with Jean")))
    try phone.settle(old)
    let view = WidgetView(kind: .today, family: .large, appearance: .day)
    func fetch(_ hash: UInt64?) throws -> UInt64? {
      try widget.begin()
      _ = try widget.waitForWelcome()
      try widget.send(.fetch(Fetch(view: view, knownHash: hash)))
      let found: UInt64? = try widget.wait { message in
        switch message {
        case .snapshot(let snapshot): .some(snapshot.hash)
        case .notModified: .some(nil)
        default: nil
        }
      }
      widget.disconnect()
      return found
    }
    let hash = try #require(try fetch(nil))
    try await fixture.restart()
    phone.disconnect()
    try phone.connect()
    #expect(try fetch(hash) == nil)
    #expect(try phone.settle(old).outcome == .applied(2))
    var other = old
    other.body[other.body.count - 1] ^= 1
    #expect(try phone.conflict(other).outcome == .applied(2))
    await fixture.stop()
    #expect(server.parts.count == 2)
    for part in server.parts {
      let original = try ServerReplay(path: part)
      let redacted = try original.redacted()
      let again = try ServerReplay(RecordFile(redacted.bytes, path: ""))
      #expect(try again.run().difference == nil)
      #expect(outcomes(again) == outcomes(original))
      #expect(kinds(again) == kinds(original))
      expectAbsent(Array("Rugby".utf8), Data(redacted.bytes), "title")
      expectNot(Self.varint(contentHash(old.body)), Data(redacted.bytes), "hash of a body")
    }
  }

  private static func varint(_ number: UInt64) -> [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(number)
    return writer.bytes
  }

  @Test func `two redactions of one record share no placeholder`() async throws {
    let server = try TalkativeServer(seed: 41)
    try await server.start()
    for _ in 0..<40 { try await server.step() }
    await server.fixture.stop()
    let replay = try ServerReplay(path: server.record.path)
    let (first, second) = (try replay.redacted(), try replay.redacted())
    #expect(first.report == second.report)
    #expect(first.bytes != second.bytes)
    let twice = try ServerReplay(RecordFile(first.bytes, path: "")).redacted()
    #expect(twice.report.events == first.report.events)
  }

  @Test func `the state that a core writes is the state it has read`() async throws {
    let server = try TalkativeServer(seed: 43, bytesMax: RecordOptions.bytesMin)
    try await server.start()
    while server.record.parts.count < 2 { try await server.step() }
    await server.fixture.stop()
    for part in server.record.parts {
      let replay = try ServerReplay(path: part)
      let run = try ReplayRun(replay)
      guard case .begin(let state)? = replay.file.records.first else { continue }
      #expect(run.core.stateAgain(replay.head, entering: run.head) == state)
    }
  }

  @Test func `a new file is made for its owner alone, and no file is overwritten`() async throws {
    let server = try TalkativeServer(seed: 42)
    try await server.start()
    await server.fixture.stop()
    let redacted = try ServerReplay(path: server.record.path).redacted()
    let path = "\(folder.path)/out.record"
    try redacted.write(to: path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try ServerReplay(path: path).run().difference == nil)
    let link = "\(folder.path)/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere")
    for taken in [path, server.record.path, link] {
      #expect(throws: RedactionError.exists(path: taken)) { try redacted.write(to: taken) }
    }
    let missing = "\(folder.path)/no/out"
    #expect(throws: RedactionError.unwritable(path: missing, errno: ENOENT)) {
      try redacted.write(to: missing)
    }
  }

  // What is compared.

  private func sent(_ replay: ServerReplay) -> [ServerMessage] {
    let decoder = MessageDecoder(limits: .fromServer)
    return replay.file.records.flatMap { record -> [ServerMessage] in
      guard case .event(let event) = record else { return [] }
      return event.entries.compactMap { entry in
        guard case .sent(_, let frame) = entry else { return nil }
        return frame.dropFirst(4).withUnsafeBytes { try? decoder.decodeServerMessage($0) }
      }
    }
  }

  private func outcomes(_ replay: ServerReplay) -> [String] {
    sent(replay).compactMap { message in
      switch message {
      case .receipt(let receipt): "\(receipt.incarnation) \(receipt.number) \(receipt.outcome.word)"
      case .conflict(let receipt): "conflict \(receipt.number) \(receipt.outcome.word)"
      case .settled(let number): "settled \(number)"
      case .hold(let hold): "hold \(hold)"
      case .goodbye(let goodbye): "goodbye \(goodbye)"
      default: nil
      }
    }
  }

  private func kinds(_ replay: ServerReplay) -> [String] {
    sent(replay).map { String("\($0)".prefix { $0 != "(" }) }
  }

  // What is looked for.

  private func expectNothing(of server: TalkativeServer, in redacted: RedactedRecord) {
    let record = Data(redacted.bytes)
    for text in server.texts { expectNot(Array(text.utf8), record, text) }
    for text in server.texts.sorted().prefix(60) { expectAbsent(Array(text.utf8), record, text) }
    for secret in server.secrets { expectAbsent(secret, record, "secret") }
    for body in server.bodies {
      expectNot(Self.varint(contentHash(body)), record, "hash of a body")
    }
  }

  /// Nor in another encoding.
  private func expectAbsent(_ bytes: [UInt8], _ record: Data, _ what: String) {
    expectNot(bytes, record, what)
    let hex = hexadecimal(of: bytes)
    expectNot(Array(hex.utf8), record, "\(what) in hex")
    expectNot(Array(hex.uppercased().utf8), record, "\(what) in HEX")
    if let text = String(validating: bytes, as: UTF8.self) {
      let units = Array(text.utf16)
      expectNot(units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, record, "\(what), UTF-16 LE")
      expectNot(units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, record, "\(what), UTF-16 BE")
      expectNot(Array(text.lowercased().utf8), record, "\(what) in small letters")
      expectNot(Array(text.utf8.reversed()), record, "\(what) backwards")
    }
    // What stands before and behind changes the first and the last four digits.
    for shift in 0..<3 {
      let encoded = Data([UInt8](repeating: 0, count: shift) + bytes).base64EncodedString()
      let middle = encoded.dropFirst(4).dropLast(4)
      if middle.count >= 8 { expectNot(Array(middle.utf8), record, "\(what) in base64") }
    }
  }

  private func expectNot(_ bytes: [UInt8], _ record: Data, _ what: String) {
    let isThere = record.range(of: Data(bytes)) != nil
    if isThere { Issue.record("\(what) is in the record") }
  }
}
