import CLinux
import Glibc
import Testing

@testable import Transport

/// Memory that pools share: what is over it is given back by those that hold most.
@Suite(.timeLimit(.minutes(1)))
struct BudgetTests {
  private static let budgetBytes = 1_000_000

  private func driver(_ budget: BufferBudget, givesFirst: Bool = false) throws -> PoolDriver {
    try PoolDriver {
      $0.budget = budget
      $0.givesFirst = givesFirst
    }
  }

  /// A connection whose peer does not read; it owes about `bytes` beyond what the kernel holds.
  private func debtor(_ driver: PoolDriver, owing bytes: Int) throws -> (ConnectionID, Peer) {
    let (id, peer) = try driver.connection()
    let descriptor = driver.pool.slots[Int(id.slot)].descriptor
    _ = clinux_set_option(descriptor, SOL_SOCKET, SO_SNDBUF, 32_768)
    let junk = [UInt8](repeating: 0, count: 65_536)
    while clinux_send(descriptor, junk, junk.count) > 0 {}
    driver.pool.send(id, [UInt8](repeating: 1, count: bytes))
    driver.pool.flush()
    return (id, peer)
  }

  @Test("Those that hold most are cut off, until the rest fits; and by a reset")
  func largestFirst() throws {
    let budget = BufferBudget(bytesMax: Self.budgetBytes)
    let driver = try driver(budget)
    let (small, smallPeer) = try debtor(driver, owing: 100_000)
    let (largest, peer) = try debtor(driver, owing: 500_000)
    #expect(budget.bytes == driver.pool.bufferedBytes && budget.bytes > 600_000)
    let (large, largePeer) = try debtor(driver, owing: 400_000)
    driver.turn()
    #expect(driver.events(of: largest) == [.closed(.overBudget)])
    #expect(driver.events(of: small).isEmpty && driver.events(of: large).isEmpty)
    #expect(budget.bytes == driver.pool.bufferedBytes && budget.bytes <= Self.budgetBytes)
    // What it did not get does not look like the end of what there was.
    var isReset = false
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !isReset {
      let count = clinux_receive(peer.descriptor, &buffer, buffer.count)
      isReset = count == -Int(ECONNRESET)
      if count == 0 || count < 0 && count != -Int(EAGAIN) { break }
    }
    #expect(isReset)
    driver.pool.closeAll()
    driver.pool.flush()
    #expect(budget.bytes == 0)
    withExtendedLifetime((smallPeer, largePeer)) {}
  }

  @Test("Input that waits counts, too")
  func keptInput() throws {
    let budget = BufferBudget(bytesMax: 200_000)
    let driver = try driver(budget)
    driver.react = { _, _ in 0 }
    let (id, peer) = try driver.connection()
    let bytes = [UInt8](repeating: 0, count: 100_000)
    #expect(peer.write(bytes) == bytes.count)
    driver.turn { driver.pool.keptBytes(id) == bytes.count }
    #expect(budget.bytes >= bytes.count)
    let (second, secondPeer) = try driver.connection()
    #expect(secondPeer.write(bytes) == bytes.count)
    driver.turn { driver.closeReason(of: id) != nil || driver.closeReason(of: second) != nil }
    driver.turn()
    #expect(budget.bytes <= 200_000)
    #expect((driver.closeReason(of: id) == nil) != (driver.closeReason(of: second) == nil))
  }

  @Test("A pool that holds little gives nothing for one that holds much")
  func sharesOfPools() throws {
    let budget = BufferBudget(bytesMax: Self.budgetBytes)
    let (modest, greedy) = (try driver(budget), try driver(budget))
    let (small, smallPeer) = try debtor(modest, owing: 100_000)
    let (first, firstPeer) = try debtor(greedy, owing: 500_000)
    let (second, secondPeer) = try debtor(greedy, owing: 600_000)
    modest.turn()
    #expect(modest.events(of: small).isEmpty)
    greedy.turn()
    #expect(greedy.events(of: second) == [.closed(.overBudget)])
    #expect(greedy.events(of: first).isEmpty)
    withExtendedLifetime((smallPeer, firstPeer, secondPeer)) {}
  }

  @Test("A pool that gives first gives everything, and its end gives the rest")
  func givingFirst() throws {
    let budget = BufferBudget(bytesMax: 1_060_000)
    let guests = try driver(budget, givesFirst: true)
    let (guest, guestPeer) = try debtor(guests, owing: 10_000)
    try {
      let members = try driver(budget)
      let (member, memberPeer) = try debtor(members, owing: 900_000)
      // Memory comes in powers of two: this is over the budget together with the guest only.
      #expect(members.events(of: member).isEmpty)
      guests.sweep(after: .zero)
      guests.turn()
      members.turn()
      #expect(guests.events(of: guest) == [.closed(.overBudget)])
      withExtendedLifetime(memberPeer) {}
    }()
    #expect(budget.bytes == 0)
    withExtendedLifetime(guestPeer) {}
  }
}
