internal import Glibc

/// Keeping to the memory that pools share.
extension ConnectionPool {
  /// Bytes of memory that the connections' input and output takes now.
  public var bufferedBytes: Int { chunks.usedBytes }

  /// Says what is held, and ends those that hold most while it is too much. Looks at the
  /// connections only then.
  func keepToBudget() {
    guard let budget = limits.budget else { return }
    tellBudget(budget)
    guard budget.isOver, mustGive(budget) else { return }
    var holders: [(bytes: Int, slot: Int)] = []
    for index in 0..<slotsUsed where slots[index].flags.contains(.live) {
      let bytes = slots[index].bufferedBytes
      if bytes > 0, !slots[index].flags.contains(.ended) { holders.append((bytes, index)) }
    }
    holders.sort { ($0.bytes, $1.slot) > ($1.bytes, $0.slot) }
    for holder in holders where budget.isOver && mustGive(budget) {
      shed(slots + holder.slot, id(at: holder.slot))
      tellBudget(budget)
    }
  }

  private func mustGive(_ budget: BufferBudget) -> Bool {
    limits.givesFirst || bufferedBytes > budget.shareBytes
  }

  private func tellBudget(_ budget: BufferBudget) {
    let more = bufferedBytes - budgetTold
    if more == 0 { return }
    budgetTold += more
    budget.changed(by: more)
  }

  /// Ends it by a reset: what it was owed is lost, and must not look like all there was.
  private func shed(_ slot: SlotPointer, _ id: ConnectionID) {
    dropOutput(slot)
    slot.pointee.input.removeAll(to: chunks)
    setToReset(slot)
    end(slot, id, .overBudget)
  }
}
