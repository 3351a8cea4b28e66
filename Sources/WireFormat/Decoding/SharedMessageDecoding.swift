import CProtobufC
import CWireProto
import WatchTransfer

/// Messages and parts that both sides send.
extension MessageDecoder {
  /// A receipt; what its outcome needs must be there.
  func receipt(_ receipt: Wristwire__V1__Receipt) throws(WireError) -> Receipt {
    Receipt(
      incarnation: try Check.id(receipt.has_incarnation, receipt.incarnation, "incarnation"),
      number: try Check.positive(receipt.has_number, receipt.number, "number"),
      outcome: try outcome(receipt))
  }

  private func outcome(_ receipt: Wristwire__V1__Receipt) throws(WireError) -> Outcome {
    guard receipt.has_outcome != 0 else { throw Check.invalid("outcome") }
    switch receipt.outcome {
    case WRISTWIRE__V1__OUTCOME__OUTCOME_APPLIED:
      return .applied(try Check.number(receipt.has_revision, receipt.revision, "revision"))
    case WRISTWIRE__V1__OUTCOME__OUTCOME_EXPIRED:
      return .expired
    case WRISTWIRE__V1__OUTCOME__OUTCOME_REFUSED:
      return .refused(try refusal(receipt))
    default:
      throw Check.invalid("outcome")
    }
  }

  private func refusal(_ receipt: Wristwire__V1__Receipt) throws(WireError) -> RefusalReason {
    guard receipt.has_reason != 0 else { throw Check.invalid("reason") }
    switch receipt.reason {
    case WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_INVALID:
      return .invalid(field: try Check.text(receipt.has_detail, receipt.detail, "detail"))
    case WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_LIMIT:
      return .limit(of: try Check.text(receipt.has_detail, receipt.detail, "detail"))
    case WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_FORBIDDEN: return .forbidden
    case WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_UNSUPPORTED: return .unsupported
    case WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_TAKEN: return .taken
    case WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_NOT_FOUND: return .notFound
    case WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_GONE: return .gone
    case WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_SUPERSEDED: return .superseded
    case WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_COINCIDES: return .coincides
    case WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_ENDED: return .ended
    case WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_KNOWN: return .known
    case WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_MISSING: return .missing
    case WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_POISON: return .poison
    case WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_RUNNING: return .running
    case WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_UNMAPPED: return .unmapped
    case WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_INCOMPLETE: return .incomplete
    default: throw Check.invalid("reason")
    }
  }

  /// A ping.
  func ping(_ ping: Wristwire__V1__Ping) throws(WireError) -> Ping {
    var value = Ping(nonce: try Check.present(ping.has_nonce, ping.nonce, "nonce"))
    value.clock = try optionalClock(ping.clock)
    if ping.has_shown_revision != 0 {
      value.shownRevision = try Check.number(1, ping.shown_revision, "shown_revision")
    }
    if ping.has_pending != 0 {
      value.pending = try Check.number(1, ping.pending, "pending")
    }
    return value
  }

  /// A pong.
  func pong(_ pong: Wristwire__V1__Pong) throws(WireError) -> Pong {
    Pong(
      nonce: try Check.present(pong.has_nonce, pong.nonce, "nonce"),
      clock: try optionalClock(pong.clock),
      serverClock: Check.optionalInstant(pong.has_server_ms, pong.server_ms))
  }

  /// A goodbye; what it does not say is 0 or false.
  func goodbye(_ goodbye: Wristwire__V1__Goodbye) throws(WireError) -> Goodbye {
    var value = Goodbye(
      try Check.choice(goodbye.has_reason, goodbye.reason.rawValue, "reason"))
    if goodbye.has_retry_after_ms != 0 { value.retryAfterMilliseconds = goodbye.retry_after_ms }
    value.comeBack = goodbye.has_come_back != 0 && goodbye.come_back != 0
    if goodbye.has_version_min != 0 || goodbye.has_version_max != 0 {
      let first = try Check.present(goodbye.has_version_min, goodbye.version_min, "version_min")
      let last = try Check.present(goodbye.has_version_max, goodbye.version_max, "version_max")
      guard first <= last else { throw Check.invalid("version_max") }
      value.versions = first...last
    }
    return value
  }

  /// Absent, or a cursor that is whole.
  func optionalCursor(
    _ pointer: UnsafeMutablePointer<Wristwire__V1__Cursor>?
  ) throws(WireError) -> Cursor? {
    guard let cursor = pointer?.pointee else { return nil }
    return Cursor(
      epoch: try Check.id(cursor.has_epoch, cursor.epoch, "cursor.epoch"),
      revision: try Check.number(cursor.has_revision, cursor.revision, "cursor.revision"),
      facetSet: try Check.present(cursor.has_set, cursor.set, "cursor.set"))
  }

  /// Absent, or as `clock`.
  func optionalClock(
    _ pointer: UnsafeMutablePointer<Wristwire__V1__DeviceClock>?
  ) throws(WireError) -> DeviceClock? {
    guard let pointer else { return nil }
    return try clock(pointer.pointee)
  }

  /// A device's clock may show anything; a boot id and its reading come together or not at all.
  func clock(_ clock: Wristwire__V1__DeviceClock) throws(WireError) -> DeviceClock {
    var value = DeviceClock(wall: try Check.instant(clock.has_wall_ms, clock.wall_ms, "wall_ms"))
    if clock.has_boot_id != 0 || clock.has_boottime_ms != 0 {
      let reading = try Check.number(clock.has_boottime_ms, clock.boottime_ms, "boottime_ms")
      value.boot = BootReading(
        id: try Check.id(clock.has_boot_id, clock.boot_id, "boot_id"),
        milliseconds: Int64(reading))
    }
    return value
  }

  /// A weight as entered, within its bounds.
  func weight(_ weight: Wristwire__V1__Weight, _ field: StaticString) throws(WireError) -> Weight {
    let value = Weight(
      digits: try Check.present(weight.has_digits, weight.digits, field),
      scale: Int(try Check.present(weight.has_scale, weight.scale, field)),
      unit: try Check.choice(weight.has_unit, weight.unit.rawValue, field))
    guard let value else { throw Check.invalid(field) }
    return value
  }
}
