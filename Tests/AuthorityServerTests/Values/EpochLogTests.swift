import Authority
import Testing
import WatchTransfer

@Suite struct EpochLogTests {
  static func epoch(_ number: UInt64) -> EpochID { EpochID(high: 7, low: number) }

  /// Epoch 1 from revision 1, epoch 2 from 10, epoch 3 from 20; the account is at 25.
  static let log = EpochLog(entries: [
    .init(epoch: epoch(1), first: 1), .init(epoch: epoch(2), first: 10),
    .init(epoch: epoch(3), first: 20),
  ])

  @Test(
    arguments: [
      (3, 25, .since(25)), (3, 20, .since(20)), (3, 26, .whole), (2, 19, .since(19)),
      (2, 20, .whole), (2, 24, .whole), (2, 10, .since(10)), (1, 9, .since(9)), (1, 10, .whole),
      (1, 1, .since(1)), (1, 0, .whole), (4, 5, .whole),
      // Within an epoch but before its first revision: the client saw the epoch before it changed.
      (3, 15, .since(15)),
    ] as [(UInt64, Revision, UpdateBasis)])
  func `a cursor holds up to the first revision of the next listed epoch`(
    epoch: UInt64, revision: Revision, basis: UpdateBasis
  ) {
    let cursor = Cursor(epoch: Self.epoch(epoch), revision: revision, facetSet: 1)
    #expect(Self.log.basis(of: cursor, at: 25, facetSet: 1) == basis)
  }

  @Test func `a cursor of another set or none gets the whole state`() {
    let cursor = Cursor(epoch: Self.epoch(3), revision: 25, facetSet: 1)
    #expect(Self.log.basis(of: cursor, at: 25, facetSet: 2) == .whole)
    #expect(Self.log.basis(of: nil, at: 25, facetSet: 1) == .whole)
    #expect(UpdateBasis.whole.revision == 0)
    #expect(UpdateBasis.since(4).revision == 4)
  }

  @Test func `only starts in which the account changed are listed, the last 16 of them`() {
    var log = EpochLog()
    #expect(log.newest == nil)
    for number in 1...20 {
      log.changed(in: Self.epoch(UInt64(number)), revision: Revision(2 * number))
      log.changed(in: Self.epoch(UInt64(number)), revision: Revision(2 * number + 1))
    }
    #expect(log.entries.map(\.first) == (5...20).map { Revision(2 * $0) })
    #expect(log.newest == Self.epoch(20))
    #expect(!log.lists(Self.epoch(4)))
    #expect(log.lists(Self.epoch(5)))
  }
}
