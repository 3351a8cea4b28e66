import Glibc
import Testing
import Transport
import WatchTransfer

@testable import AuthorityLink
@testable import WatchClient

/// The outbox file survives what a kill, a power cut and a bad disk leave.
struct OutboxFileTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.path + "/outbox" }

  private func open(fresh: UInt64 = 1) throws -> Outbox {
    try Outbox(path: path, fresh: incarnation(fresh))
  }

  private func bodies(_ outbox: Outbox) -> [[UInt8]] {
    outbox.machine.lanes.flatMap { $0.entries.compactMap(\.body) }
  }

  /// An outbox with some of everything in it.
  private func filled() throws -> [UInt8] {
    var outbox = try open()
    try outbox.stamp(account(1))
    for number in 1...4 { _ = try outbox.submit([body(number)], fresh: { incarnation(9) }) }
    _ = try outbox.take { machine in
      machine.received(
        Receipt(incarnation: incarnation(1), number: 1, outcome: .refused(.invalid(field: "x"))))
    }
    _ = try outbox.take { machine in
      machine.receivedSettled(IncarnationNumber(incarnation: incarnation(1), number: 2))
    }
    return try #require(try DurableFile.read(path))
  }

  @Test func whatWasSubmittedIsThereAgainWithItsNumbersAndReceipts() throws {
    _ = try filled()
    let outbox = try open(fresh: 77)
    #expect(outbox.machine.account == account(1))
    #expect(outbox.machine.lanes.map(\.incarnation) == [incarnation(1)])
    #expect(
      outbox.machine.lanes[0].entries.map(\.state) == [
        .receipted(.refused(.invalid(field: "x"))), .quarantined(.outcomeUnknown), .waiting,
        .waiting,
      ])
    #expect(bodies(outbox) == (1...4).map { body($0) })
  }

  @Test(arguments: [
    Outcome.applied(.max), .expired, .refused(.invalid(field: "title")), .refused(.forbidden),
    .refused(.unsupported), .refused(.taken), .refused(.notFound), .refused(.gone),
    .refused(.limit(of: "goals")), .refused(.superseded), .refused(.coincides), .refused(.ended),
    .refused(.known), .refused(.missing), .refused(.poison),
    .refused(.running), .refused(.unmapped), .refused(.incomplete),
  ])
  func everyOutcomeIsReadAsItWasWritten(outcome: Outcome) {
    let record = OutboxRecord.receipted(
      Receipt(incarnation: incarnation(1), number: 3, outcome: outcome))
    #expect(OutboxRecord(encoded: record.encoded) == record)
  }

  @Test func aFileTornAtAnyByteKeepsEveryRecordBeforeIt() throws {
    let whole = try filled()
    var kept = -1
    for length in 0...whole.count {
      try DurableFile.replace(path, with: Array(whole[..<length]))
      let outbox = try open(fresh: 77)
      let count = bodies(outbox).count
      #expect(count >= kept, "\(length) bytes")
      #expect(bodies(outbox) == (0..<count).map { body($0 + 1) }, "\(length) bytes")
      kept = count
    }
    #expect(kept == 4)
  }

  @Test func afterATornEndNewActionsAreWrittenBehindWhatIsWhole() throws {
    let whole = try filled()
    try DurableFile.replace(path, with: Array(whole.dropLast(3)))
    var outbox = try open()
    _ = try outbox.submit([body(50)], fresh: { incarnation(9) })
    #expect(bodies(try open()).last == body(50))
  }

  @Test func aFlippedBitAnywhereLosesAtMostOneActionAndIsNoticed() throws {
    let whole = try filled()
    for index in OutboxLog.header.count..<whole.count {
      var damaged = whole
      damaged[index] ^= 0x10
      try DurableFile.replace(path, with: damaged)
      let outbox = try open(fresh: 77)
      let found = bodies(outbox)
      #expect(found.count >= 3, "byte \(index)")
      #expect(found == (1...4).map { body($0) }.filter { found.contains($0) }, "byte \(index)")
      for lane in outbox.machine.lanes { #expect(lane.state.isSound, "byte \(index)") }
    }
  }

  @Test func aDamagedFileIsKeptBesideTheNewOne() throws {
    var damaged = try filled()
    damaged[OutboxLog.header.count + 20] ^= 1
    try DurableFile.replace(path, with: damaged)
    _ = try open()
    #expect(try DurableFile.read(path + ".damaged") == damaged)
    #expect(try OutboxLog.read(#require(try DurableFile.read(path)))?.isDamaged == false)
  }

  @Test func anotherKindOfFileIsLeftAlone() throws {
    let other = Array("SQLite format 3".utf8)
    try DurableFile.replace(path, with: other)
    #expect(throws: OutboxError.foreignFile(path: path)) { try open() }
    #expect(try DurableFile.read(path) == other)
  }

  @Test func aKillWhileTheFileIsRewrittenLeavesTheOldOrTheNewOne() throws {
    let old = try filled()
    var outbox = try open()
    _ = try outbox.take { machine in
      _ = machine.received(welcome(), fresh: { incarnation(30) })
      return machine.receivedConflict(
        Receipt(incarnation: incarnation(1), number: 3, outcome: .expired),
        fresh: { incarnation(31) })
    }
    let new = try #require(try DurableFile.read(path))
    #expect(new != old)
    // The states a kill can leave: the old file with any part of the temporary one, or the new
    // file.
    for length in 0...new.count {
      try DurableFile.replace(path, with: old)
      try DurableFile.replace(path + ".new", with: Array(new[..<length]))
      #expect(bodies(try open()) == (1...4).map { body($0) })
    }
    try DurableFile.replace(path, with: new)
    let moved = try open()
    #expect(moved.machine.lanes.map(\.incarnation) == [incarnation(1), incarnation(31)])
    #expect(moved.machine.lanes[1].entries.compactMap(\.body) == [body(3), body(4)])
  }

  @Test func aFileThatHasOutgrownItsContentIsRewritten() throws {
    var outbox = try open()
    _ = try outbox.take { $0.received(welcome(reofferMax: 5), fresh: { incarnation(30) }) }
    let large = [UInt8](repeating: 7, count: 8_192)
    for number in 1...60 as ClosedRange<ActionNumber> {
      _ = try outbox.submit([large], fresh: { incarnation(9) })
      _ = try outbox.take { machine in
        machine.received(
          Receipt(incarnation: incarnation(1), number: number, outcome: .applied(number)))
      }
      try outbox.tidy()
    }
    let length = try #require(try DurableFile.read(path)).count
    #expect(length < OutboxLimits.rewriteBytesMin + 2 * 8_192)
    let again = try open()
    #expect(again.machine.upcoming == IncarnationNumber(incarnation: incarnation(1), number: 61))
    #expect(again.machine.lanes[0].state.isSound)
    #expect(again.machine.isSettled)
  }

  @Test func aSecondProcessIsLockedOut() throws {
    let token = [UInt8](repeating: 1, count: 32)
    let first = try ClientDirectory(directory.path + "/watch", token: token)
    #expect(throws: OutboxError.locked(directory: directory.path + "/watch")) {
      _ = try ClientDirectory(directory.path + "/watch", token: token)
    }
    withExtendedLifetime(first) {}
  }

  @Test func theLockGoesWithItsOwnerAndNoDescriptorStays() throws {
    let token = [UInt8](repeating: 1, count: 32)
    for _ in 0..<3 {
      _ = try ClientDirectory(directory.path + "/watch", token: token)
      _ = try open()
    }
    #expect(openDescriptors(under: directory.path) == 0)
  }

  @Test func filesAndDirectoriesAreTheOwnersAlone() throws {
    let home = try ClientDirectory(
      directory.path + "/deep/watch", token: [UInt8](repeating: 1, count: 32))
    _ = try Outbox(path: home.outbox, fresh: incarnation(1))
    for (path, mode) in [
      (directory.path + "/deep/watch", 0o700), (home.room, 0o700), (home.outbox, 0o600),
    ] {
      var status = stat()
      #expect(stat(path, &status) == 0)
      #expect(Int(status.st_mode & 0o777) == mode, "\(path)")
    }
  }

  @Test func noFileNamesOrHoldsTheToken() throws {
    let token = (0..<32).map { UInt8($0 * 7 + 1) }
    let home = try ClientDirectory(directory.path + "/watch", token: token)
    var outbox = try Outbox(path: home.outbox, fresh: incarnation(1))
    try outbox.stamp(account(1))
    for (name, bytes) in directory.files() {
      #expect(!name.contains(hexadecimal(of: token.prefix(8))))
      #expect(!bytes.indices.contains { bytes[$0...].starts(with: token.prefix(8)) })
    }
  }

  @Test func whatCannotBeWrittenIsAnErrorAndTakesNoNumber() throws {
    #expect(throws: OutboxError.storage(call: "open", number: ENOENT)) {
      _ = try Outbox(path: directory.path + "/missing/outbox", fresh: incarnation(1))
    }
  }
}
