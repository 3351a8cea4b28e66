internal import AuthorityLink
public import WatchTransfer

/// Live values: shown now or never, so they bypass the outbox.
extension WatchClient {
  /// Says what the device measures now in a session that it records; false: there is no connection,
  /// and it is gone. A value that makes no sense (not finite, out of range) is left out.
  ///
  /// `heartRate` is beats a minute, 0 for none; energy and distance count from the session's start.
  /// `cadenceMilliseconds` says when to expect the next, within `Pulse.cadences`: what is shown is
  /// stale, and gone, some while after that.
  @discardableResult
  public func pulse(
    _ session: SessionID, heartRate: Double? = nil, energyKilocalories: Double? = nil,
    distanceMeters: Double? = nil, cadenceMilliseconds: UInt32 = Pulse.cadenceDefault
  ) -> Bool {
    let figures = 0..<ActionLimits.figureMax
    let cadences = Pulse.cadences
    let pulse = Pulse(
      session: session, measured: configuration.clock.now(),
      heartRate: heartRate.flatMap { ActionLimits.heartRate.contains($0) ? $0 : nil },
      energyKilocalories: energyKilocalories.flatMap { figures.contains($0) ? $0 : nil },
      distanceMeters: distanceMeters.flatMap { figures.contains($0) ? $0 : nil },
      cadenceMilliseconds: min(
        max(cadenceMilliseconds, cadences.lowerBound), cadences.upperBound))
    guard mayAsk, pulse.saysSomething else { return false }
    send(.pulse(pulse))
    return true
  }

  /// What is measured in the running session, as far as it is known and not over; nil: nothing.
  public var live: LiveReading? { surface.state.live(at: configuration.clock.now()) }
}
