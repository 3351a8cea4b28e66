import Foundation
import Glibc
import TestSupport
import Testing
import Transport
import WatchTransfer

@testable import AuthorityServer

@Suite(.timeLimit(.minutes(1))) struct AuditTests {
  static let here = PeerAddress.unix(user: 1)
  let temporary = try! TemporaryDirectory()

  var path: String { "\(temporary.path)/audit.log" }

  func device(named name: String) -> PairedDevice {
    PairedDevice(
      id: DeviceID(high: 1, low: 2), account: AccountID(high: 3, low: 4), kind: .watch, name: name)
  }

  func line(_ event: AuditEvent) -> String {
    String(decoding: event.line(at: Instant(milliseconds: 0)), as: UTF8.self)
  }

  func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }

  @Test func `a line is one JSON object with everything in its place`() throws {
    let line = line(.codeRedeemed(device(named: "Wrist"), from: Self.here))
    #expect(
      line == """
        {"at":"1970-01-01T00:00:00Z","event":"codeRedeemed",\
        "account":"00000000000000030000000000000004",\
        "device":"00000000000000010000000000000002","kind":"watch","name":"Wrist",\
        "from":"unix(user 1)"}

        """)
  }

  @Test(
    arguments: [
      "\"}\n{\"at\":\"forged\"}", "\u{1B}[2J", "\u{202E}evil", "é\u{1F45F}\\", "\0", "\u{7F}\u{85}",
    ])
  func `what a peer chose neither forges a line nor reaches a terminal`(name: String) throws {
    let line = line(.paired(device(named: name)))
    #expect(line.utf8.dropLast().allSatisfy { (0x20...0x7E).contains($0) })
    #expect(line.utf8.filter { $0 == 0x0A }.count == 1)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object["name"] as? String == name)
    #expect(object.count == 6)
  }

  @Test(arguments: [(64, 64), (65, 65), (5_000, 65)])
  func `a long name is cut`(characters: Int, written: Int) throws {
    let line = line(.paired(device(named: String(repeating: "x", count: characters))))
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect((object["name"] as? String)?.unicodeScalars.count == written)
  }

  @Test func `what comes often is one line at once and one a minute with the number`() throws {
    var tally = AuditTally()
    #expect(tally.count(.goodbye, "malformed", from: Self.here, at: 0)?.reason == "malformed")
    for time in 1...500 as ClosedRange<Int64> {
      #expect(tally.count(.goodbye, "malformed", from: Self.here, at: time) == nil)
    }
    #expect(tally.count(.goodbye, "revoked", from: Self.here, at: 1) != nil)
    #expect(tally.count(.goodbye, "malformed", from: .unix(user: 2), at: 1) != nil)
    #expect(tally.due(at: 59_999).isEmpty)
    #expect(tally.due(at: 60_000).map(\.count) == [500])
    #expect(tally.count(.goodbye, "malformed", from: Self.here, at: 60_001) == nil)
    #expect(tally.due(at: 119_999).isEmpty)
    #expect(tally.due(at: 120_000).map(\.count) == [1])
    // A quiet minute, and the next one is a line at once.
    #expect(tally.due(at: 180_000).isEmpty)
    #expect(tally.count(.goodbye, "malformed", from: Self.here, at: 180_001) != nil)
  }

  @Test func `addresses beyond the bound are counted together`() {
    var tally = AuditTally()
    for user in 0..<UInt32(AuditTally.keysMax) {
      #expect(tally.count(.refused, "limit", from: .unix(user: user), at: 0)?.peer != nil)
    }
    let first = tally.count(.refused, "limit", from: .unix(user: 900_000), at: 0)
    #expect(first != nil && first?.peer == nil)
    for user in 0..<UInt32(5_000) {
      #expect(tally.count(.refused, "limit", from: .unix(user: 1_000_000 + user), at: 0) == nil)
    }
    #expect(tally.due(at: .max).map(\.count) == [5_000])
  }

  @Test func `two files are kept, each within its bound, and the newest lines are there`() throws {
    let file = AuditFile(directory: temporary.path, bytesMax: 100)
    let lines = (100..<160).map { Array("line \($0)\n".utf8) }
    for line in lines { #expect(file.append([line]) == 1) }
    #expect(text(path).utf8.count <= 100 && text(path + ".1").utf8.count <= 100)
    let kept = (text(path + ".1") + text(path)).split(separator: "\n")
    #expect(kept.count > 11)
    #expect(kept.map(String.init) == (160 - kept.count..<160).map { "line \($0)" })
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).count == 2)
    // A line longer than the bound stands alone.
    #expect(file.append([Array(repeating: 0x78, count: 300) + [0x0A]]) == 1)
    #expect(file.append([lines[0]]) == 1)
    #expect(text(path) == "line 100\n")
  }

  @Test func `the files are for their owner alone, whatever they were`() throws {
    try Data("old\n".utf8).write(to: URL(filePath: path))
    chmod(path, 0o666)
    let file = AuditFile(directory: temporary.path, bytesMax: 1_000)
    #expect(file.append([Array("new\n".utf8)]) == 1)
    #expect(text(path) == "old\nnew\n")
    var facts = stat()
    stat(path, &facts)
    #expect(facts.st_mode & 0o7777 == 0o600)
  }

  @Test(arguments: ["link", "folder"])
  func `what is no file of ours is left alone, and nothing is written`(what: String) throws {
    let other = "\(temporary.path)/other"
    try Data("mine".utf8).write(to: URL(filePath: other))
    if what == "link" {
      symlink(other, path)
    } else {
      mkdir(path, 0o700)
    }
    let file = AuditFile(directory: temporary.path, bytesMax: 1_000)
    #expect(file.append([Array("new\n".utf8)]) == 0)
    #expect(text(other) == "mine")
  }

  @Test
  func `lines that find no room are lost and counted, and the log goes on when there is some`()
    throws
  {
    let counters = Counters()
    let log = AuditLog(
      directory: temporary.path, bytesMax: 200, clock: AuthorityClock(), counters: counters)
    log.note(.paired(device(named: "first")))
    while text(path).isEmpty { log.tick() }
    // It cannot be begun anew: the name it would be kept under is taken by a folder that is not
    // empty.
    mkdir(path + ".1", 0o700)
    try Data().write(to: URL(filePath: path + ".1/x"))
    for _ in 1...5_000 { log.note(.paired(device(named: "lost"))) }
    while log.lostLines < 5_000 { log.tick() }
    #expect(counters.alarms.first?.hasPrefix("the audit log cannot be written") == true)
    #expect(text(path).split(separator: "\n").count == 1)
    try FileManager.default.removeItem(atPath: path + ".1")
    log.note(.paired(device(named: "last")))
    log.close()
    let lines = try AuditReader.lines(directory: temporary.path)
    #expect(lines.last?.contains("\"last\"") == true)
    let lost = lines.compactMap { line -> Int? in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?["event"] as? String == "lost" ? object?["count"] as? Int : nil
    }
    #expect(lost == [5_000], "\(lines)")
  }
}
