public import WatchTransfer
internal import WireFormat

/// Acting: numbers, receipts, holds.
extension TestDevice {
  /// When the person acts: the device's clock, else a wall clock set by the Welcome.
  public var moment: DeviceClock {
    if let clock { return clock.reading() }
    let since = TestClock.machineMilliseconds() - welcomedAt
    let start = welcome?.serverClock ?? Instant(milliseconds: 0)
    return DeviceClock(wall: start.advanced(milliseconds: since))
  }

  /// Numbers an action done now, and sends nothing.
  public func queue(_ action: Action, zone: ZoneStamp? = nil, expiresAt: Instant? = nil) -> Act {
    let moment = moment
    return outbox.act(action, at: moment.wall, boot: moment.boot, zone: zone, expiresAt: expiresAt)
  }

  /// Sends an action without waiting; its number.
  @discardableResult
  public func offer(_ action: Action) throws -> ActionNumber {
    let act = queue(action)
    try send(.act(act))
    return act.number
  }

  /// Sends an action and waits for its receipt, which is confirmed from then on.
  @discardableResult
  public func perform(_ action: Action) throws -> Receipt {
    try settle(queue(action))
  }

  /// Sends an act and waits for its receipt, which is confirmed from then on.
  @discardableResult
  public func settle(_ act: Act) throws -> Receipt {
    try send(.act(act))
    let receipt = try receipt(of: act)
    if act.incarnation == outbox.incarnation {
      outbox.confirmed = max(outbox.confirmed, act.number)
    }
    return receipt
  }

  /// Sends acts in one write.
  public func send(pipelined acts: [Act]) throws {
    try client?.send(bytes: acts.flatMap { MessageEncoder().frame(.act($0)) })
  }

  /// The receipt of an act.
  public func receipt(of act: Act) throws -> Receipt {
    try wait { message in
      guard case .receipt(let receipt) = message, receipt.incarnation == act.incarnation,
        receipt.number == act.number
      else { return nil }
      return receipt
    }
  }

  /// Sends an act that is to be held; why it was.
  public func held(_ act: Act) throws -> Hold {
    try send(.act(act))
    return try wait { if case .hold(let hold) = $0 { hold } else { nil } }
  }

  /// Sends an act and waits for its conflict with the stored receipt.
  public func conflict(_ act: Act) throws -> Receipt {
    try send(.act(act))
    return try wait { if case .conflict(let receipt) = $0 { receipt } else { nil } }
  }
}
