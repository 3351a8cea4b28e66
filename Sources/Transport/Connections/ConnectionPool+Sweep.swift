/// What only time ends. The pool has no timer: its owner calls `sweep` from its own tick.
extension ConnectionPool {
  /// Ends connections that stalled, took too long to connect or to finish; see
  /// ``ConnectionLimits``. Looks only at those that could have, so it costs nothing for idle ones.
  /// Every 100 ms to 1 s is right; the owner hears of the ends in the next turn.
  public func sweep(now instant: MonotonicInstant) {
    now = max(now, instant.nanoseconds)
    keepToBudget()
    var checking: ContiguousArray<ConnectionID> = []
    swap(&checking, &watched)
    for id in checking {
      guard let slot = slot(of: id) else { continue }
      if let reason = overdue(slot.pointee, at: instant.nanoseconds) { end(slot, id, reason) }
      if slot.pointee.hasDeadline, !slot.pointee.flags.contains(.ended) {
        watched.append(id)
      } else {
        slot.pointee.flags.remove(.watched)
      }
    }
  }

  private func overdue(_ slot: ConnectionSlot, at instant: Int64) -> CloseReason? {
    func passed(_ start: Int64, _ limit: Duration) -> Bool {
      instant - start >= limit.wholeNanoseconds
    }
    let flags = slot.flags
    if flags.contains(.connecting) {
      return passed(slot.outputMoved, limits.connect) ? .connectTimedOut : nil
    }
    if flags.contains(.securing) {
      return passed(slot.outputMoved, limits.connect) ? .secureFailed(.stalled) : nil
    }
    if flags.contains(.outputEnded) {
      return passed(slot.outputMoved, limits.linger) ? .finished : nil
    }
    // TLS that waits for room is output that waits, whether or not the owner owes some, too.
    let isOwing =
      flags.contains(.backlogged) || flags.isSuperset(of: [.readWaitsForRoom, .reading])
    if isOwing, passed(slot.outputMoved, limits.outputStall) { return .stalledOutput }
    if !slot.input.isEmpty, flags.contains(.reading), !flags.contains(.offering),
      passed(slot.inputKept, limits.inputStall)
    {
      return .stalledInput
    }
    return nil
  }
}
