import Foundation
import Storage
import TestSupport
import Testing
import Transport
import WatchTransfer
import WireFormat

@testable import AuthorityServer

/// What was recorded comes out the same when it runs again.
@Suite(.serialized, .timeLimit(.minutes(10))) struct FlightRecorderTests {
  /// Deletes what it makes.
  private let folder = try! TemporaryDirectory()

  private func record(
    seed: UInt64, steps: Int, bytesMax: Int = RecordOptions.bytesDefault
  ) async throws -> RecordedServer {
    let server = try RecordedServer(seed: seed, bytesMax: bytesMax)
    try await server.start()
    for _ in 0..<steps { try await server.step() }
    let alarms = try await server.fixture.status().alarms.filter { $0.contains("recorder") }
    #expect(alarms == [], "\(alarms)")
    await server.fixture.stop()
    return server
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `acts, fetches, cuts, resets and strangers on three partitions come out the same`(
    seed: UInt64
  ) async throws {
    let server = try await record(seed: seed, steps: 300)
    let report = try ServerReplay(path: server.path).run()
    #expect(report.difference == nil, "\(report.difference as Any)")
    #expect(report.isEnded && report.cutOffAt == nil)
    #expect(report.queues == 4)
    #expect(report.framesIn > 300 && report.framesOut > 300 && report.rows > 100)
  }

  @Test func `codes, revocations, backups, TLS and a stalled handshake come out the same`()
    async throws
  {
    var limits = ServerLimits()
    limits.greetingMilliseconds = 1_000
    let server = try RecordedServer(seed: 13, limits: limits)
    let fixture = server.fixture
    try fixture.makeCertificate()
    try await server.start()
    let paired = fixture.stranger(try await fixture.code(.watch, name: "wrist"))
    try paired.connect()
    try paired.perform(Scene.goal(9))
    let wrong = fixture.stranger(PairingCode(typed: "12345678"))
    try wrong.begin()
    #expect(try wrong.goodbye().reason == .codeRefused)
    let hasty = fixture.stranger(PairingCode(typed: "12345678"))
    try hasty.begin()
    #expect(try hasty.goodbye().reason == .tooMany)
    try await fixture.backUp(to: try fixture.backupTarget())
    try await fixture.revoke("wrist")
    #expect(try paired.goodbye().reason == .revoked)
    let (port, pin) = (fixture.securedPort, fixture.pin)
    let token = try await fixture.pair(.watch, name: "other")
    try await onThread {
      let silent = try WireClient(port: port)
      let secure = try SecureWireClient(port: port, pin: pin)
      _ = try secure.greet(Hello(token: token))
      #expect(try secure.answersPing(nonce: 7))
      #expect(silent.isClosedByPeer())
    }
    await fixture.stop()
    var lines: [String] = []
    let report = try ServerReplay(path: server.path).run { lines.append($0) }
    #expect(report.difference == nil, "\(report.difference as Any)")
    #expect(report.isEnded)
    for word in ["came to device", "came to nothing", "came to a wait", "known of backups"] {
      #expect(lines.contains { $0.contains(word) }, "no \(word)")
    }
  }

  @Test func `each part of a record that rotates replays by itself, within its bound`()
    async throws
  {
    let server = try await record(seed: 7, steps: 800, bytesMax: 3 << 20)
    #expect(server.parts.count >= 3, "\(server.parts)")
    var total = 0
    for part in server.parts {
      let report = try ServerReplay(path: part).run()
      #expect(report.difference == nil, "\(part): \(report.difference as Any)")
      #expect(report.events > 0)
      let attributes = try FileManager.default.attributesOfItem(atPath: part)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      total += attributes[.size] as? Int ?? 0
    }
    #expect(total <= 3 << 20)
    #expect(server.parts.count <= RecordOptions.segmentsMax)
  }

  @Test func `a frame that another build would not send is found and named`() async throws {
    let server = try await record(seed: 4, steps: 60)
    var file = try RecordFile(path: server.path)
    var planted: (event: Int, id: ConnectionID)?
    var events = 0
    for index in file.records.indices {
      guard case .event(var event) = file.records[index] else { continue }
      events += 1
      for (entry, what) in event.entries.enumerated() {
        guard events > 40, planted == nil, case .sent(let id, var frame) = what else { continue }
        frame[frame.count - 1] ^= 1
        event.entries[entry] = .sent(id, frame)
        planted = (events, id)
      }
      file.records[index] = .event(event)
    }
    let found = try #require(try ServerReplay(file).run().difference)
    #expect(found.event == planted?.event)
    #expect(found.connection == planted?.id.description)
    #expect(found.expected != found.got)
    #expect(found.queue.hasPrefix("wristwire."))
  }

  @Test func `a body that had been another parts the replay from its record`() async throws {
    let server = try await record(seed: 5, steps: 60)
    var file = try RecordFile(path: server.path)
    var isPlanted = false
    for index in file.records.indices {
      guard case .event(var event) = file.records[index] else { continue }
      for (entry, what) in event.entries.enumerated() {
        guard case .received(let id, var bytes) = what, !isPlanted,
          let at = bytes.firstRange(of: Array("steps".utf8))?.lowerBound
        else { continue }
        bytes[at] = UInt8(ascii: "z")
        event.entries[entry] = .received(id, bytes)
        isPlanted = true
      }
      file.records[index] = .event(event)
    }
    #expect(isPlanted)
    #expect(try ServerReplay(file).run().difference != nil)
  }

  @Test func `a record that was cut off anywhere replays up to its last whole event`()
    async throws
  {
    let server = try await record(seed: 6, steps: 40)
    let bytes = try Data(contentsOf: URL(filePath: server.path))
    var random = SeededGenerator(seed: 1)
    for round in 0..<12 {
      let path = "\(folder.path)/cut\(round)"
      let count = Int.random(in: bytes.count / 2..<bytes.count, using: &random)
      try bytes.prefix(count).write(to: URL(filePath: path))
      let report = try ServerReplay(path: path).run()
      #expect(report.difference == nil, "\(count): \(report.difference as Any)")
      #expect(!report.isEnded)
    }
  }

  @Test func `damage anywhere is told, and never a trap`() async throws {
    let server = try await record(seed: 8, steps: 30)
    let bytes = try Data(contentsOf: URL(filePath: server.path))
    var random = SeededGenerator(seed: 2)
    for round in 0..<200 {
      var damaged = bytes
      damaged[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << (round % 8)
      let path = "\(folder.path)/damaged\(round)"
      try damaged.write(to: URL(filePath: path))
      #expect(throws: RecordError.self) { try ServerReplay(path: path) }
    }
    for (name, content) in [("empty", Data()), ("other", Data("SQLite format 3".utf8))] {
      let path = "\(folder.path)/\(name)"
      try content.write(to: URL(filePath: path))
      #expect(throws: RecordError.notARecord(path: path)) { try ServerReplay(path: path) }
    }
    let newer = "\(folder.path)/newer"
    try Data("WWTAPE".utf8 + [0, 9]).write(to: URL(filePath: newer))
    #expect(throws: RecordError.otherVersion(9)) { try ServerReplay(path: newer) }
    let missing = "\(folder.path)/missing"
    #expect(throws: RecordError.unreadable(path: missing, errno: ENOENT)) {
      try ServerReplay(path: missing)
    }
  }

  @Test func `a record of any bytes is read or refused, and never a trap`() async throws {
    let server = try await record(seed: 9, steps: 30)
    let file = try RecordFile(path: server.path)
    var random = SeededGenerator(seed: 3)
    var refused = 0
    for _ in 0..<20_000 {
      var writer = ByteWriter()
      var context = TapeContext()
      file.records.randomElement(using: &random)!.encode(into: &writer, &context)
      var bytes = writer.bytes
      bytes[Int.random(in: 0..<min(bytes.count, 400), using: &random)] = UInt8.random(
        in: 0...255, using: &random)
      var reading = TapeContext()
      do throws(StoredFormError) {
        _ = try TapeRecord(bytes, &reading)
      } catch {
        refused += 1
      }
    }
    #expect(refused > 100)
  }

  @Test func `a recorder that cannot write stops with an alarm, and the server goes on`()
    async throws
  {
    let server = try RecordedServer(seed: 11, bytesMax: RecordOptions.bytesMin)
    try await server.start()
    try FileManager.default.removeItem(atPath: server.folder.path)
    func alarms() async throws -> [String] {
      try await server.fixture.status().alarms.filter { $0.contains("flight recorder") }
    }
    while try await alarms().isEmpty { try await server.step() }
    for _ in 0..<50 { try await server.step() }
    #expect(try await alarms().count == 1)
    await server.fixture.stop()
  }

  @Test func `a recorder whose server has too much in memory says how much it needs`()
    async throws
  {
    let server = try RecordedServer(seed: 14, bytesMax: RecordOptions.bytesMin)
    try await server.start(accounts: ["anna"])
    let phone = server.devices[0]
    try phone.connect()
    var alarm: String?
    while alarm == nil {
      let exercises = (0..<60).map { "\($0) " + String(repeating: "x", count: 100) }
      try phone.perform(.defineWorkout(id: .random(), title: "Long", exercises: exercises))
      phone.forgetLog()
      alarm = try await server.fixture.status().alarms.first { $0.contains("flight recorder") }
    }
    await server.fixture.stop()
    let words = try #require(alarm).split(separator: " ").map(String.init)
    let numbers = words.compactMap(Int.init)
    #expect(alarm?.contains("start the server with --record-bytes ") == true, "\(alarm ?? "")")
    let state = try #require(numbers.first)
    let needed = try #require(numbers.last)
    #expect(RecordOptions(path: "", bytesMax: needed).stateBytesMax > state)
    #expect(RecordOptions(path: "").stateBytesMax == RecordOptions.bytesDefault / 12)
  }

  @Test func `what is no record is not moved aside`() throws {
    let path = "\(folder.path)/letter"
    try Data("Dear Anna".utf8).write(to: URL(filePath: path))
    let fixture = try ServerFixture()
    fixture.record = RecordOptions(path: path)
    #expect(throws: RecordError.notARecord(path: path)) { try fixture.start() }
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("Dear Anna".utf8))
  }

  @Test func `what is shown names frames in words`() async throws {
    let server = try await record(seed: 12, steps: 60)
    var lines: [String] = []
    _ = try ServerReplay(path: server.path).run { lines.append($0) }
    for word in ["hello: version", "> ", "welcome at revision", "act ", "receipt of ", "tick"] {
      #expect(lines.contains { $0.contains(word) }, "no \(word)")
    }
    var later: [String] = []
    _ = try ServerReplay(path: server.path).run(from: 30) { later.append($0) }
    let first = later.first { !$0.contains("outside:") }
    #expect(first?.hasPrefix("30 ") == true)
  }
}
