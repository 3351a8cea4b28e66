internal import Guards
internal import Transport
internal import WatchTransfer

/// What was done to accounts and devices, and who was refused, for the owner to read
/// (`wristwire audit`). Noting something never waits for the disk and never fails: what cannot be
/// written is counted, and the server goes on.
package final class AuditLog: Sendable {
  fileprivate struct Pending {
    var lines: [[UInt8]] = []
    var lost = 0
    var isScheduled = false
    var tally = AuditTally()
  }

  private let pending = Lock(Pending())
  /// nil: nothing is written, or no longer. Locked while lines are written, by one at a time.
  private let file: Lock<AuditFile?>
  /// nil: a log of nothing.
  private let desk: Desk?

  /// What a log that is written needs.
  private struct Desk: Sendable {
    let queue: any WorkQueue
    let clock: AuthorityClock
    let counters: Counters
  }

  /// Lines that wait to be written; more are lost, and counted.
  static let pendingMax = 1_024

  /// A log of nothing, for a server without a directory.
  package init() {
    file = Lock(nil)
    desk = nil
  }

  /// The log in a data directory.
  init(directory: String, bytesMax: Int, clock: AuthorityClock, counters: Counters) {
    file = Lock(AuditFile(directory: directory, bytesMax: bytesMax))
    desk = Desk(
      queue: HostMachine().queue(label: "wristwire.audit"), clock: clock, counters: counters)
  }

  /// Bytes of the present file.
  var bytes: Int { file.withLock { $0?.bytes ?? 0 } }

  /// Lines that are lost, and not yet told of.
  var lostLines: Int { pending.withLock { $0.lost } }

  /// Notes what is rare: every time a line of its own.
  func note(_ event: AuditEvent) {
    guard let desk else { return }
    let line = event.line(at: desk.clock.now())
    let isFirst = pending.withLock { pending in
      pending.take(line)
      return pending.schedule()
    }
    if isFirst { drainSoon(desk) }
  }

  /// Notes what may come very often: counted, with at most one line a minute of a kind.
  func count(_ sort: AuditTally.Sort, _ reason: String, from peer: PeerAddress) {
    guard let desk else { return }
    let monotonic = desk.clock.monotonic()
    let isFirst = pending.withLock { pending in
      guard let key = pending.tally.count(sort, reason, from: peer, at: monotonic) else {
        return false
      }
      pending.take(AuditEvent.counted(key, 1).line(at: desk.clock.now()))
      return pending.schedule()
    }
    if isFirst { drainSoon(desk) }
  }

  /// Notes what was counted for a minute, and tries again to tell of what was lost; to be called
  /// about once a second.
  func tick() {
    guard let desk else { return }
    let isFirst = pending.withLock { pending in
      pending.takeDue(at: desk.clock.monotonic(), wall: desk.clock.now())
      if pending.lines.isEmpty, pending.lost == 0 { return false }
      return pending.schedule()
    }
    if isFirst { drainSoon(desk) }
  }

  /// Writes what is noted and counted, and lets go of the file.
  func close() {
    guard let desk else { return }
    pending.withLock { $0.takeDue(at: .max, wall: desk.clock.now()) }
    drain(desk)
    file.withLock { $0 = nil }
  }

  private func drainSoon(_ desk: Desk) {
    desk.queue.async { [self] in drain(desk) }
  }

  /// Writes all that waits, in order. What finds no room is lost; that it was is said once there is
  /// room again.
  private func drain(_ desk: Desk) {
    file.withLock { file in
      let (waiting, lost) = pending.withLock { $0.handOut() }
      guard let file else { return }
      var lines = waiting
      if lost > 0 { lines.insert(AuditEvent.lost(lost).line(at: desk.clock.now()), at: 0) }
      let written = file.append(lines)
      if written == lines.count { return }
      // The line that tells of losses is not one of them.
      let isStillUntold = written == 0
      let more = waiting.count - max(0, written - (lost > 0 ? 1 : 0))
      pending.withLock { $0.lost += (isStillUntold ? lost : 0) + more }
      desk.counters.alarm("the audit log cannot be written: lines are lost")
    }
  }
}

extension AuditLog.Pending {
  fileprivate mutating func take(_ line: [UInt8]) {
    if lines.count < AuditLog.pendingMax { lines.append(line) } else { lost += 1 }
  }

  fileprivate mutating func takeDue(at monotonic: Int64, wall: Instant) {
    for (key, count) in tally.due(at: monotonic) {
      take(AuditEvent.counted(key, count).line(at: wall))
    }
  }

  /// Whether somebody has to see to it that it is written.
  fileprivate mutating func schedule() -> Bool {
    defer { isScheduled = true }
    return !isScheduled
  }

  fileprivate mutating func handOut() -> (lines: [[UInt8]], lost: Int) {
    defer {
      lines = []
      lost = 0
      isScheduled = false
    }
    return (lines, lost)
  }
}
