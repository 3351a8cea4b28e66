import Storage
import Testing
import WatchTransfer
import WireFormat

@testable import AuthorityServer

@Suite struct CrashRecordTests {
  private let anna = AccountID(high: 1, low: 1)
  private let ben = AccountID(high: 2, low: 2)

  private func act(_ number: ActionNumber, of account: AccountID? = nil, hash: UInt64 = 7)
    -> AccountWork
  {
    AccountWork(
      deciding: number, of: IncarnationID(high: 3, low: 3), bodyHash: hash,
      account: account ?? anna)
  }

  /// A record after starts that each found something.
  private func record(_ starts: [[WorkFound]]) -> CrashRecord {
    var record = CrashRecord(build: 1)
    for (index, works) in starts.enumerated() {
      record.count(WorkMap.Found(works: works, start: UInt64(index) + 100))
    }
    return record
  }

  private func crash(_ work: AccountWork) -> [WorkFound] { [WorkFound(work, hasCrashed: true)] }

  private func kill(_ work: AccountWork) -> [WorkFound] { [WorkFound(work, hasCrashed: false)] }

  @Test func `the same act found twice is poison, another is not`() {
    let once = record([crash(act(4))])
    #expect(once.poison(of: anna).isEmpty)
    #expect(once.suspects[anna] != nil)
    let twice = record([crash(act(4)), crash(act(5)), crash(act(4))])
    #expect(twice.poison(of: anna) == [CrashRecord.Action(act(4))])
    #expect(twice.setAside.isEmpty)
    #expect(record([crash(act(4)), crash(act(4, hash: 8))]).poison(of: anna).isEmpty)
  }

  @Test(arguments: [AccountWork.Phase.turning, .projecting, .folding])
  func `a second crash outside an action sets the account aside`(phase: AccountWork.Phase) {
    let work = AccountWork(phase, of: anna)
    #expect(record([crash(work)]).setAside.isEmpty)
    #expect(record([crash(work), crash(AccountWork(.turning, of: anna))]).setAside == [anna])
    #expect(record([crash(work), crash(AccountWork(phase, of: ben))]).setAside.isEmpty)
  }

  @Test func `who sends one poisoned act after the other is set aside`() {
    let starts = (1...4).flatMap { [crash(act($0)), crash(act($0))] }
    #expect(record(starts.dropLast()).setAside.isEmpty)
    #expect(record(starts).setAside == [anna])
  }

  @Test func `a kill from outside says nothing of who is projected, and little of who is decided`()
  {
    let kills = Array(repeating: kill(AccountWork(.projecting, of: anna)), count: 20)
    #expect(record(kills).suspects.isEmpty)
    let decided = record([kill(act(4)), kill(act(4))])
    #expect(decided.poison(of: anna) == [CrashRecord.Action(act(4))])
    #expect(decided.setAside.isEmpty)
  }

  @Test func `beside a thread that crashed nobody else is suspected`() {
    let found = crash(AccountWork(.turning, of: anna)) + kill(act(4, of: ben))
    #expect(Set(record([found]).suspects.keys) == [anna])
  }

  @Test func `a start is counted once, and a clean one not at all`() {
    var record = CrashRecord(build: 1)
    let found = WorkMap.Found(works: crash(act(4)), start: 9)
    record.count(found)
    record.count(found)
    #expect(record.poison(of: anna).isEmpty)
    let before = record
    record.count(WorkMap.Found(works: [], start: 10))
    #expect(record == before)
  }

  @Test
  func `an act that has a receipt is forgotten, and its account with it if it only was killed`() {
    var killed = record([kill(act(4))])
    killed.settle(CrashRecord.Action(act(4)), of: anna)
    #expect(killed.suspects.isEmpty)
    var crashed = record([crash(act(4)), crash(act(4))])
    crashed.settle(CrashRecord.Action(act(4)), of: anna)
    #expect(crashed.suspects[anna]?.traps == 2)
    #expect(crashed.poison(of: anna).isEmpty)
  }

  @Test func `another build and a person try again, once`() {
    let work = AccountWork(.projecting, of: anna)
    var record = record([crash(work), crash(work)])
    let same = record
    record.tried(by: 1)
    #expect(record == same)
    record.tried(by: 2)
    #expect(record.setAside.isEmpty)
    record.count(WorkMap.Found(works: crash(work), start: 1))
    #expect(record.setAside == [anna])
    let readmitted = [record.readmit(anna), record.readmit(anna)]
    #expect(readmitted == [true, false])
    #expect(record.setAside.isEmpty)
    record.count(WorkMap.Found(works: crash(act(1)), start: 2))
    #expect(record.setAside == [anna])
  }

  @Test func `what an act alone has changed is blamed on the act when its projection crashes`() {
    let projecting = act(4).projecting
    let once = record([crash(projecting)])
    #expect(once.suspects[anna]?.trapsOutside == 0)
    #expect(
      record([crash(act(4)), crash(projecting)]).poison(of: anna) == [CrashRecord.Action(act(4))])
    #expect(record([crash(projecting), crash(projecting)]).setAside.isEmpty)
  }

  @Test(arguments: [true, false])
  func `who is found twice while a copy is replayed is left out of replays, and served`(
    crashed: Bool
  ) {
    let found = [WorkFound(AccountWork(.verifying, of: anna), hasCrashed: crashed)]
    let other = [WorkFound(AccountWork(.verifying, of: ben), hasCrashed: crashed)]
    #expect(record([found, other]).unverified.isEmpty)
    var twice = record([found, other, found])
    #expect(twice.unverified == [anna])
    #expect(twice.setAside.isEmpty && twice.decidedAlone.isEmpty)
    #expect(CrashRecord(encoded: twice.encoded) == twice)
    // A replay that went well clears whoever was found once.
    twice.settleVerified()
    #expect(Set(twice.suspects.keys) == [anna])
    let readmitted = twice.readmit(anna)
    #expect(readmitted && twice.unverified.isEmpty)
    twice.count(WorkMap.Found(works: found, start: 7))
    #expect(twice.unverified == [anna])
    // Live crashes count by themselves.
    for start: UInt64 in 8...9 {
      twice.count(WorkMap.Found(works: crash(AccountWork(.turning, of: anna)), start: start))
    }
    #expect(twice.setAside == [anna])
  }

  @Test func `a record of form 1 is read`() throws {
    // One suspect with a trap, nothing else: as it was written before replays were named.
    var bytes: [UInt8] = [1, 1, 9, 1] + anna.bytes + [1, 0, 0, 0]
    let checksum = contentHash(bytes)
    bytes = (0..<8).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) } + bytes
    let record = try #require(CrashRecord(encoded: bytes))
    #expect(record.counted == 9 && record.suspects[anna]?.traps == 1)
    #expect(record.decidedAlone == [anna] && record.unverified.isEmpty)
  }

  @Test func `what is remembered is bounded`() {
    let accounts = (0..<1_500 as Range<UInt64>).map {
      crash(act(1, of: AccountID(high: 9, low: $0)))
    }
    #expect(record(accounts).suspects.count == CrashRecord.suspectsMax)
    let acts = (1...100 as ClosedRange<UInt64>).map { kill(act($0)) }
    #expect(record(acts).suspects[anna]?.actions.count == CrashRecord.actionsMax)
    #expect(record([kill(act(1)), kill(act(1))] + acts.dropFirst()).poison(of: anna).count == 1)
  }

  @Test func `it reads back what was written, and nothing else`() {
    let written = record([
      crash(act(4)), kill(act(5, of: ben)), crash(AccountWork(.folding, of: anna)),
      crash(AccountWork(.folding, of: anna)),
    ])
    let bytes = written.encoded
    #expect(CrashRecord(encoded: bytes) == written)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 1
      #expect(CrashRecord(encoded: damaged) == nil, "byte \(index)")
      #expect(CrashRecord(encoded: Array(bytes[..<index])) == nil, "\(index) bytes")
    }
  }
}
