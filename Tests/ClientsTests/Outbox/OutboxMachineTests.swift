import Testing
import Transport
import WatchTransfer

@testable import WatchClient

/// DESIGN section 4, "Exactly once, without a window", from the client's side.
struct OutboxMachineTests {
  @Test func numbersActionsFromOneWithoutAHole() {
    var desk = Desk()
    desk.submit(1...3)
    #expect(desk.machine.upcoming == IncarnationNumber(incarnation: incarnation(100), number: 4))
    #expect(desk.machine.greeting.map(\.next) == [4])
    #expect(desk.machine.isGreetingSound)
  }

  @Test func sendsNothingBeforeItIsWelcome() {
    var desk = Desk()
    desk.submit(1...3)
    #expect(desk.machine.acts(at: moment(0)).isEmpty)
  }

  @Test func everyActionIsAppliedOnceAndInOrder() {
    var desk = Desk()
    var ledger = ModelLedger()
    desk.submit(1...200)
    desk.run(against: &ledger)
    #expect(ledger.applied == (1...200).map { body($0) })
    #expect(desk.receipts.map(\.number) == Array(1...200))
    #expect(desk.machine.isSettled)
  }

  @Test(arguments: 0...60)
  func aConnectionCutAtAnyMessageRepeatsWithoutASecondEffect(cut: Int) {
    var desk = Desk()
    var ledger = ModelLedger()
    desk.submit(1...20)
    desk.run(against: &ledger, cutAfter: cut)
    desk.run(against: &ledger)
    #expect(ledger.applied == (1...20).map { body($0) })
    #expect(desk.receipts.map(\.number) == Array(1...20))
  }

  @Test(arguments: 0...45)
  func aRestartOfTheProcessAtAnyMessageRepeatsTheSameBytes(cut: Int) {
    var desk = Desk()
    var ledger = ModelLedger()
    desk.submit(1...20)
    desk.run(against: &ledger, cutAfter: cut)
    desk.restart()
    desk.run(against: &ledger)
    #expect(ledger.applied == (1...20).map { body($0) })
    #expect(desk.machine.isSettled)
    #expect(desk.machine.lanes.count == 1)
  }

  @Test func aReceiptThatComesTwiceIsToldOnce() {
    var desk = Desk()
    var ledger = ModelLedger()
    desk.submit(1...1)
    desk.run(against: &ledger)
    desk.receive(
      .receipt(Receipt(incarnation: incarnation(100), number: 1, outcome: .applied(2))))
    #expect(desk.receipts.count == 1)
  }

  @Test(arguments: [0, 2, 900] as [ActionNumber])
  func aReceiptForAnActionThatIsNotThereChangesNothing(number: ActionNumber) {
    var desk = Desk()
    desk.submit(1...1)
    let before = desk.machine
    desk.receive(
      .receipt(Receipt(incarnation: incarnation(100), number: number, outcome: .expired)))
    desk.receive(.receipt(Receipt(incarnation: incarnation(7), number: 1, outcome: .expired)))
    #expect(desk.machine == before)
    #expect(desk.notices.isEmpty)
  }

  @Test func aRefusalIsFinalToo() {
    var desk = Desk()
    desk.submit(1...2)
    desk.receive(
      .receipt(
        Receipt(incarnation: incarnation(100), number: 1, outcome: .refused(.forbidden))))
    #expect(desk.machine.lanes[0].confirmed == 1)
    #expect(desk.machine.waitingCount == 1)
  }

  @Test func noMoreAreOnTheirWayThanTheServerAllows() {
    var desk = Desk()
    desk.submit(1...10)
    desk.receive(.welcome(welcome(inFlightMax: 4)))
    #expect(desk.machine.acts(at: desk.now).map(\.number) == [1, 2, 3, 4])
    #expect(desk.machine.acts(at: desk.now).isEmpty)
    desk.receive(
      .receipt(Receipt(incarnation: incarnation(100), number: 1, outcome: .applied(2))))
    #expect(desk.machine.acts(at: desk.now).map(\.number) == [5])
  }

  @Test func nothingGoesBeyondTheServersWindowOfConfirmedNumbers() {
    var desk = Desk()
    desk.submit(1...400)
    desk.receive(.welcome(welcome(inFlightMax: 1_000)))
    #expect(desk.machine.acts(at: desk.now).map(\.number) == Array(1...256))
  }

  @Test func whatIsToldAsConfirmedIsOnDisk() {
    var machine = OutboxMachine()
    _ = machine.opened(fresh: incarnation(1))
    machine.submitted(body: body(1))
    machine.submitted(body: body(2))
    _ = machine.received(welcome(), fresh: { incarnation(2) })
    _ = machine.received(
      Receipt(incarnation: incarnation(1), number: 1, outcome: .applied(2)))
    #expect(machine.unsynced == 1)
    #expect(machine.acts(at: moment(0)).map(\.confirmed) == [0])
    #expect(machine.greeting.map(\.confirmed) == [0])
    machine.synced()
    #expect(machine.greeting.map(\.confirmed) == [1])
  }
}
