internal import Transport
internal import WatchTransfer

/// How often a device may ask. Acts beyond their rate are held; what has no hold is read later, so
/// that a device that asks too often slows down nobody but itself (faults E5, E6, E14).
extension Partition {
  /// Whether the device may ask for this now. If not, the message stays unread, and its connection
  /// is not read until the next tick.
  func hasRate(for message: ClientMessage, of session: Session) -> Bool {
    let device = session.deviceState
    let limit: ReachedLimit
    switch message {
    case .fetch:
      if device.fetches.take(
        at: monotonic, perSecond: limits.fetchesPerSecond, burst: limits.fetchesBurst)
      {
        return true
      }
      limit = .fetchesPerSecond
    case .query:
      if device.queries.take(
        at: monotonic, perSecond: limits.queriesPerSecond, burst: limits.queriesBurst)
      {
        return true
      }
      limit = .queriesPerSecond
    case .chunk:
      if device.chunks.take(
        at: monotonic, perSecond: limits.chunksPerSecond, burst: limits.chunksBurst)
      {
        return true
      }
      limit = .chunksPerSecond
    case .resume:
      if device.resumes.take(
        at: monotonic, perSecond: limits.resumesPerSecond, burst: limits.resumesBurst)
      {
        return true
      }
      limit = .resumesPerSecond
    case .ping, .pong:
      if device.pings.take(
        at: monotonic, perSecond: limits.pingsPerSecond, burst: limits.pingsBurst)
      {
        return true
      }
      limit = .pingsPerSecond
    case .pulse:
      if device.pulses.take(
        at: monotonic, perSecond: limits.pulsesPerSecond, burst: limits.pulsesBurst)
      {
        return true
      }
      limit = .pulsesPerSecond
    case .hello, .act, .goodbye:
      return true
    }
    shared.counters.reached(limit)
    session.isThrottled = true
    throttled.append(session)
    pause(session)
    return false
  }

  /// Reads on where devices had asked too often; who still does waits for the next tick.
  func readThrottled() {
    if throttled.isEmpty { return }
    let waiting = throttled
    throttled = []
    for session in waiting where self.session(on: session.connection) === session {
      session.isThrottled = false
      unpauseIfRoom(session)
      // Without room it is among those that wait for some.
      if session.isPaused { full.append(session) }
    }
  }
}
