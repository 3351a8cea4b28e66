import CProtobufC
import CWireProto
import WatchTransfer

/// Messages and parts that both sides send.
extension MessageEncoder {
  /// The final word on an action.
  func receipt(_ value: Receipt) -> UnsafeMutablePointer<Wristwire__V1__Receipt> {
    let receipt = arena.make(wristwire__v1__receipt__init)
    put(
      arena.id(value.incarnation), &receipt.pointee.has_incarnation,
      &receipt.pointee.incarnation)
    put(value.number, &receipt.pointee.has_number, &receipt.pointee.number)
    receipt.pointee.has_outcome = 1
    switch value.outcome {
    case .applied(let revision):
      receipt.pointee.outcome = WRISTWIRE__V1__OUTCOME__OUTCOME_APPLIED
      put(revision, &receipt.pointee.has_revision, &receipt.pointee.revision)
    case .expired:
      receipt.pointee.outcome = WRISTWIRE__V1__OUTCOME__OUTCOME_EXPIRED
    case .refused(let reason):
      receipt.pointee.outcome = WRISTWIRE__V1__OUTCOME__OUTCOME_REFUSED
      put(refusal(reason), &receipt.pointee.has_reason, &receipt.pointee.reason)
      put(
        reason.detail.map(arena.text), &receipt.pointee.has_detail, &receipt.pointee.detail)
    }
    return receipt
  }

  private func refusal(_ reason: RefusalReason) -> Wristwire__V1__RefusalReason {
    switch reason {
    case .invalid: WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_INVALID
    case .forbidden: WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_FORBIDDEN
    case .unsupported: WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_UNSUPPORTED
    case .taken: WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_TAKEN
    case .notFound: WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_NOT_FOUND
    case .gone: WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_GONE
    case .limit: WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_LIMIT
    case .superseded: WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_SUPERSEDED
    case .coincides: WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_COINCIDES
    case .ended: WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_ENDED
    case .known: WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_KNOWN
    case .missing: WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_MISSING
    case .poison: WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_POISON
    case .running: WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_RUNNING
    case .unmapped: WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_UNMAPPED
    case .incomplete: WRISTWIRE__V1__REFUSAL_REASON__REFUSAL_INCOMPLETE
    }
  }

  /// A sign of life.
  func ping(_ value: Ping) -> UnsafeMutablePointer<Wristwire__V1__Ping> {
    let ping = arena.make(wristwire__v1__ping__init)
    put(value.nonce, &ping.pointee.has_nonce, &ping.pointee.nonce)
    ping.pointee.clock = value.clock.map(clock)
    put(value.shownRevision, &ping.pointee.has_shown_revision, &ping.pointee.shown_revision)
    put(value.pending, &ping.pointee.has_pending, &ping.pointee.pending)
    return ping
  }

  /// The answer to a ping.
  func pong(_ value: Pong) -> UnsafeMutablePointer<Wristwire__V1__Pong> {
    let pong = arena.make(wristwire__v1__pong__init)
    put(value.nonce, &pong.pointee.has_nonce, &pong.pointee.nonce)
    pong.pointee.clock = value.clock.map(clock)
    put(value.serverClock?.milliseconds, &pong.pointee.has_server_ms, &pong.pointee.server_ms)
    return pong
  }

  /// The last frame of a connection.
  func goodbye(_ value: Goodbye) -> UnsafeMutablePointer<Wristwire__V1__Goodbye> {
    let goodbye = arena.make(wristwire__v1__goodbye__init)
    put(choice: value.reason, &goodbye.pointee.has_reason, &goodbye.pointee.reason)
    put(
      value.retryAfterMilliseconds, &goodbye.pointee.has_retry_after_ms,
      &goodbye.pointee.retry_after_ms)
    put(flag: value.comeBack, &goodbye.pointee.has_come_back, &goodbye.pointee.come_back)
    put(
      value.versions?.lowerBound, &goodbye.pointee.has_version_min, &goodbye.pointee.version_min)
    put(
      value.versions?.upperBound, &goodbye.pointee.has_version_max, &goodbye.pointee.version_max)
    return goodbye
  }

  /// Where a surface stands.
  func cursor(_ value: Cursor) -> UnsafeMutablePointer<Wristwire__V1__Cursor> {
    let cursor = arena.make(wristwire__v1__cursor__init)
    put(arena.id(value.epoch), &cursor.pointee.has_epoch, &cursor.pointee.epoch)
    put(value.revision, &cursor.pointee.has_revision, &cursor.pointee.revision)
    put(value.facetSet, &cursor.pointee.has_set, &cursor.pointee.set)
    return cursor
  }

  /// A device's clocks.
  func clock(_ value: DeviceClock) -> UnsafeMutablePointer<Wristwire__V1__DeviceClock> {
    let clock = arena.make(wristwire__v1__device_clock__init)
    put(value.wall.milliseconds, &clock.pointee.has_wall_ms, &clock.pointee.wall_ms)
    if let boot = value.boot {
      put(arena.id(boot.id), &clock.pointee.has_boot_id, &clock.pointee.boot_id)
      put(
        UInt64(clamping: boot.milliseconds), &clock.pointee.has_boottime_ms,
        &clock.pointee.boottime_ms)
    }
    return clock
  }

  /// A weight as entered.
  func weight(_ value: Weight) -> UnsafeMutablePointer<Wristwire__V1__Weight> {
    let weight = arena.make(wristwire__v1__weight__init)
    put(value.digits, &weight.pointee.has_digits, &weight.pointee.digits)
    put(UInt32(value.scale), &weight.pointee.has_scale, &weight.pointee.scale)
    put(choice: value.unit, &weight.pointee.has_unit, &weight.pointee.unit)
    return weight
  }
}
