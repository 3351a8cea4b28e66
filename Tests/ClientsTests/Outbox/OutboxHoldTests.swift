import Testing
import Transport
import WatchTransfer

@testable import WatchClient

/// Holds consume nothing: the acts go again, once.
struct OutboxHoldTests {
  private func flying(_ bodies: ClosedRange<Int>) -> Desk {
    var desk = Desk()
    desk.submit(bodies)
    desk.receive(.welcome(welcome()))
    _ = desk.machine.acts(at: desk.now)
    return desk
  }

  private func hold(_ number: ActionNumber, _ reason: Hold.Reason) -> ServerMessage {
    .hold(Hold(incarnation: incarnation(100), number: number, reason: reason))
  }

  @Test func afterAGapEverythingFromTheExpectedNumberGoesOnce() {
    var desk = flying(1...5)
    desk.receive(hold(4, .gap(expected: 3)))
    #expect(desk.machine.acts(at: desk.now).map(\.number) == [3, 4, 5])
    // Acts that were on their way already may each be told of the same gap.
    desk.receive(hold(5, .gap(expected: 3)))
    #expect(desk.machine.acts(at: desk.now).isEmpty)
  }

  @Test func aSecondGapAtAnotherNumberIsFilledToo() {
    var desk = flying(1...5)
    desk.receive(hold(4, .gap(expected: 3)))
    _ = desk.machine.acts(at: desk.now)
    desk.receive(hold(5, .gap(expected: 4)))
    #expect(desk.machine.acts(at: desk.now).map(\.number) == [4, 5])
  }

  @Test func aGapBeyondTheOutboxIsNonsenseAndChangesNothing() {
    var desk = flying(1...2)
    desk.receive(hold(2, .gap(expected: 9)))
    #expect(desk.machine.acts(at: desk.now).isEmpty)
    #expect(desk.machine.waitingCount == 2)
  }

  @Test(arguments: [
    Hold.Reason.busy(retryAfterMilliseconds: 300),
    .storageUnavailable(retryAfterMilliseconds: 300),
  ])
  func whatIsHeldGoesAgainWhenItsTimeHasCome(reason: Hold.Reason) {
    var desk = flying(1...3)
    desk.receive(hold(2, reason))
    #expect(desk.machine.acts(at: moment(299)).isEmpty)
    #expect(desk.machine.deadline == moment(300))
    #expect(desk.machine.acts(at: moment(300)).map(\.number) == [2, 3])
    #expect(desk.machine.deadline == nil)
  }

  @Test(arguments: [(UInt32(0), Int64(10)), (UInt32.max, Int64(600_000))])
  func aServersWaitIsNeitherAStormNorAnOutage(asked: UInt32, kept: Int64) {
    var desk = flying(1...1)
    desk.receive(hold(1, .busy(retryAfterMilliseconds: asked)))
    #expect(desk.machine.deadline == moment(kept))
  }

  @Test func aHoldIsForgottenWithItsConnection() {
    var desk = flying(1...1)
    desk.receive(hold(1, .busy(retryAfterMilliseconds: 600_000)))
    desk.machine.disconnected()
    desk.receive(.welcome(welcome()))
    #expect(desk.machine.acts(at: moment(1)).map(\.number) == [1])
  }

  @Test(arguments: 1...30)
  func aServerThatIsBusyAgainAndAgainAppliesEverythingOnceAndInOrder(times: Int) {
    var desk = Desk()
    var ledger = ModelLedger()
    ledger.busyAnswers = times
    desk.submit(1...100)
    desk.run(against: &ledger)
    #expect(ledger.applied == (1...100).map { body($0) })
  }
}
