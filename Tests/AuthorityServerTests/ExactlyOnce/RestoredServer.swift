import AuthorityServer
import TestSupport
import WatchTransfer

/// A server that went back to a copy of its journal, and a watch that remembers what came after.
struct RestoredServer {
  let fixture: ServerFixture
  let watch: TestDevice
  let phone: TestDevice
  let match: MatchID
  /// The receipts of everything the watch did, in order of its numbers.
  private(set) var receipts: [Receipt] = []

  /// The watch does `before`, a copy is taken, it does `after`, and the copy is put back.
  init(
    before: [Action], after: [Action], limits: ServerLimits = ServerLimits()
  ) async throws {
    fixture = try await Scene.server(limits: limits)
    watch = try await fixture.device(.watch)
    phone = try await fixture.device(.phone)
    match = .random()
    try phone.connect()
    try watch.connect()
    try phone.perform(Scene.match(match))
    for action in before { receipts.append(try watch.perform(action)) }
    let copy = "\(fixture.directory.path)/copy"
    try fixture.copyData(to: copy)
    for action in after { receipts.append(try watch.perform(action)) }
    // The outbox keeps what it has receipts of.
    watch.greeted = [
      IncarnationState(
        incarnation: watch.outbox.incarnation, confirmed: watch.outbox.confirmed, oldest: 1,
        next: watch.outbox.next)
    ]
    await fixture.stop()
    try fixture.replaceJournal(from: copy)
    try fixture.start()
  }

  /// Offers an act again with its first receipt.
  func offer(_ number: ActionNumber) throws -> Receipt {
    var act = watch.outbox.again(number)
    act.firstReceipt = receipts[Int(number) - 1]
    return try watch.settle(act)
  }
}
