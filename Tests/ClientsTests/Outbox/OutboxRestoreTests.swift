import Testing
import WatchTransfer

@testable import WatchClient

/// DESIGN section 4, "After a restore", and the damage a disk can do.
struct OutboxRestoreTests {
  @Test(arguments: [0, 1, 50, 99])
  func aRestoredServerIsOfferedWhatItLostWithTheFirstReceipts(restoredTo: Int) {
    var desk = Desk()
    var ledger = ModelLedger()
    desk.submit(1...max(1, restoredTo))
    if restoredTo > 0 { desk.run(against: &ledger) }
    let backup = ledger
    desk.submit((max(1, restoredTo) + 1)...100)
    desk.run(against: &ledger)
    var restored = backup
    desk.notices = []
    desk.sent = []
    desk.restart()
    desk.run(against: &restored)
    #expect(restored.applied == (1...100).map { body($0) })
    #expect(desk.notices.isEmpty)
    #expect(desk.sent.allSatisfy { $0.firstReceipt?.number == $0.number })
    #expect(desk.sent.first?.number == ActionNumber(restoredTo + 1))
  }

  @Test func aRefusalIsOfferedWithItsRefusal() {
    var desk = Desk()
    desk.submit(1...1)
    let refusal = Receipt(
      incarnation: incarnation(100), number: 1, outcome: .refused(.limit(of: "goals")))
    desk.receive(.receipt(refusal))
    desk.receive(
      .welcome(
        welcome(expected: [IncarnationNumber(incarnation: incarnation(100), number: 1)])))
    #expect(desk.machine.acts(at: desk.now).map(\.firstReceipt) == [refusal])
  }

  @Test func noMoreIsKeptThanTheServerWants() {
    var desk = Desk()
    var ledger = ModelLedger()
    ledger.reofferMax = 30
    desk.submit(1...100)
    desk.run(against: &ledger)
    desk.submit(101...102)
    desk.run(against: &ledger)
    desk.machine.trim()
    #expect(desk.machine.lanes[0].oldest == 73)
    #expect(desk.machine.isGreetingSound)
    var empty = ModelLedger()
    desk.run(against: &empty)
    #expect(empty.applied == (73...102).map { body($0) })
    #expect(empty.expected(incarnation(100)) == 103)
  }

  @Test func whatAVerifiedCopyHoldsIsNotKept() {
    var desk = Desk()
    var ledger = ModelLedger()
    desk.submit(1...10)
    desk.run(against: &ledger)
    ledger.backedUp = [IncarnationNumber(incarnation: incarnation(100), number: 7)]
    desk.connect(to: &ledger)
    #expect(desk.machine.lanes[0].oldest == 8)
  }

  @Test func whatIsNotOnDiskYetIsNotForgotten() {
    var desk = Desk()
    var ledger = ModelLedger()
    desk.submit(1...3)
    desk.connect(to: &ledger)
    ledger.backedUp = [IncarnationNumber(incarnation: incarnation(100), number: 3)]
    desk.connect(to: &ledger)
    for number in 1...3 as ClosedRange<ActionNumber> {
      _ = desk.machine.received(
        Receipt(incarnation: incarnation(100), number: number, outcome: .applied(number)))
    }
    desk.machine.trim()
    #expect(desk.machine.lanes[0].oldest == 1 && desk.machine.isGreetingSound)
    desk.machine.synced()
    desk.machine.trim()
    #expect(desk.machine.lanes[0].oldest == 4 && desk.machine.isGreetingSound)
  }

  @Test func whatIsBeingOfferedAgainIsNotForgotten() {
    var desk = Desk()
    var ledger = ModelLedger()
    desk.submit(1...50)
    desk.run(against: &ledger)
    var restored = ModelLedger()
    restored.reofferMax = 10
    desk.run(against: &restored)
    #expect(restored.applied == (1...50).map { body($0) })
  }

  @Test func aQuarantinedActionFillsItsNumberAgainAndGetsItsReceipt() {
    var desk = Desk()
    desk.submit(1...1)
    desk.receive(.settled(IncarnationNumber(incarnation: incarnation(100), number: 1)))
    var ledger = ModelLedger()
    desk.run(against: &ledger)
    #expect(ledger.applied == [body(1)])
    #expect(desk.receipts.map(\.number) == [1])
    #expect(desk.machine.queuedIDs.isEmpty)
  }

  @Test(arguments: [2, 3, 4] as [ActionNumber], [0, 1, 4])
  func aNumberWhoseBytesAreDamagedHoldsNothingUp(lost: ActionNumber, decided: Int) {
    var desk = Desk()
    var ledger = ModelLedger()
    desk.submit(1...5)
    // The server may have decided some, and the receipts were lost.
    desk.run(against: &ledger, cutAfter: decided)
    let records = desk.machine.records.filter { record in
      if case .submitted(let id, _) = record { id.number != lost } else { true }
    }
    desk.machine = OutboxMachine()
    for record in records { desk.machine.restore(record) }
    _ = desk.machine.opened(fresh: incarnation(500))
    desk.notices = []
    desk.run(against: &ledger)
    desk.run(against: &ledger)
    let others = (1...5).filter { $0 != lost }.map { body($0) }
    #expect(ledger.applied.filter { $0 != body(Int(lost)) } == others)
    #expect(desk.machine.isSettled)
    #expect(desk.machine.isGreetingSound)
  }

  @Test func anotherTokensOutboxOfTheSameAccountIsSentFirst() {
    var old = Desk(first: 1)
    old.submit(1...3)
    var desk = Desk(first: 2)
    desk.submit(11...12)
    desk.machine.absorb(old.machine)
    desk.machine.absorb(old.machine)
    var ledger = ModelLedger()
    desk.run(against: &ledger)
    #expect(ledger.applied == [body(1), body(2), body(3), body(11), body(12)])
  }

  @Test func whatAnotherRoomHadSentIsNoSignOfGoingBackInTime() {
    // Sent and answered under the earlier token, but for the last receipt, which was lost.
    var ledger = ModelLedger()
    var old = Desk(first: 1)
    old.submit(1...3)
    old.run(against: &ledger)
    var read = OutboxMachine()
    for record in old.machine.records {
      if case .receipted(let receipt) = record, receipt.number == 3 { continue }
      read.restore(record)
    }
    var desk = Desk(first: 2)
    desk.machine.absorb(read)
    desk.submit(11...11)
    desk.run(against: &ledger)
    #expect(ledger.applied == [body(1), body(2), body(3), body(11)])
    #expect(desk.machine.isSettled)
    #expect(
      !desk.notices.contains { if case .moved = $0 { true } else { false } }, "\(desk.notices)")
  }

  @Test func aGreetingNamesAtMostFourAndTheCurrentOneFirst() {
    var desk = Desk(first: 50)
    for number in 1...6 as ClosedRange<UInt64> {
      var old = Desk(first: number)
      old.submit(Int(number * 10)...Int(number * 10 + 1))
      desk.machine.absorb(old.machine)
    }
    #expect(desk.machine.greeting.count == 4)
    #expect(desk.machine.greeting.first?.incarnation == incarnation(50))
    var ledger = ModelLedger()
    desk.run(against: &ledger)
    #expect(ledger.applied.count == 12)
    #expect(desk.machine.isSettled)
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func whateverIsCutRestartedAndRestoredEachActionTakesEffectOnce(seed: UInt64) {
    var random = SplitMix64Test(seed: seed)
    var desk = Desk()
    var ledger = ModelLedger()
    ledger.reofferMax = 10_000
    var backup = ledger
    var made = 0
    for _ in 0..<40 {
      let count = Int.random(in: 0...30, using: &random)
      if count > 0 { desk.submit((made + 1)...(made + count)) }
      made += count
      ledger.busyAnswers = Int.random(in: 0...2, using: &random)
      desk.run(against: &ledger, cutAfter: Int.random(in: 0...80, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: desk.restart()
      case 1: backup = ledger
      case 2: ledger = backup
      default: break
      }
    }
    ledger.busyAnswers = 0
    desk.run(against: &ledger)
    #expect(made == 0 || ledger.applied == (1...made).map { body($0) }, "seed \(seed)")
    #expect(desk.machine.isSettled)
    #expect(Set(desk.receipts).count == desk.receipts.count)
  }
}

/// A generator that a seed decides.
struct SplitMix64Test: RandomNumberGenerator {
  var seed: UInt64

  mutating func next() -> UInt64 {
    seed &+= 0x9E37_79B9_7F4A_7C15
    var mixed = seed
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
