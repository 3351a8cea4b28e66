import CProtobufC
import CWireProto
import WatchTransfer

extension MessageDecoder {
  /// What the server sent, or the error that says that it may not.
  func serverMessage(
    _ message: Wristwire__V1__WatchTransferMessage
  ) throws(WireError) -> ServerMessage {
    switch message.message_case {
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_WELCOME:
      return .welcome(try welcome(try Check.message(message.welcome, "welcome")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_RECEIPT:
      return .receipt(try receipt(try Check.message(message.receipt, "receipt")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_CONFLICT:
      let conflict = try Check.message(message.conflict, "conflict")
      return .conflict(try receipt(try Check.message(conflict.stored, "stored")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_SETTLED:
      let settled = try Check.message(message.settled, "settled")
      return .settled(
        IncarnationNumber(
          incarnation: try Check.id(settled.has_incarnation, settled.incarnation, "incarnation"),
          number: try Check.positive(settled.has_number, settled.number, "number")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_HOLD:
      return .hold(try hold(try Check.message(message.hold, "hold")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_UPDATE:
      return .update(try update(try Check.message(message.update, "update")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_SNAPSHOT:
      return .snapshot(try snapshot(try Check.message(message.snapshot, "snapshot")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_NOT_MODIFIED:
      return .notModified(try notModified(try Check.message(message.not_modified, "not_modified")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_RELOAD:
      return .reload(reload(try Check.message(message.reload, "reload")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_PAGE:
      return .page(try page(try Check.message(message.page, "page")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_CHUNK_STATE:
      return .chunkState(try chunkState(try Check.message(message.chunk_state, "chunk_state")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_PING:
      return .ping(try ping(try Check.message(message.ping, "ping")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_PONG:
      return .pong(try pong(try Check.message(message.pong, "pong")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_GOODBYE:
      return .goodbye(try goodbye(try Check.message(message.goodbye, "goodbye")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE__NOT_SET:
      throw .emptyMessage
    default:
      throw .unexpectedMessage
    }
  }

  private func welcome(_ welcome: Wristwire__V1__Welcome) throws(WireError) -> Welcome {
    Welcome(
      version: try Check.present(welcome.has_version, welcome.version, "version"),
      account: try Check.id(welcome.has_account, welcome.account, "account"),
      device: try Check.id(welcome.has_device, welcome.device, "device"),
      kind: try Check.choice(welcome.has_kind, welcome.kind.rawValue, "kind"),
      epoch: try Check.id(welcome.has_epoch, welcome.epoch, "epoch"),
      revision: try Check.number(welcome.has_revision, welcome.revision, "revision"),
      facetSet: try Check.present(welcome.has_set, welcome.set, "set"),
      expected: try numbers(welcome.expected, welcome.n_expected, "expected"),
      backedUp: try numbers(welcome.backed_up, welcome.n_backed_up, "backed_up"),
      serverClock: try Check.instant(welcome.has_server_ms, welcome.server_ms, "server_ms"),
      leaseMilliseconds: try Check.present(welcome.has_lease_ms, welcome.lease_ms, "lease_ms"),
      frameBytesMax: try Check.present(
        welcome.has_frame_bytes_max, welcome.frame_bytes_max, "frame_bytes_max"),
      inFlightMax: try Check.present(
        welcome.has_in_flight_max, welcome.in_flight_max, "in_flight_max"),
      reofferMax: try Check.present(welcome.has_reoffer_max, welcome.reoffer_max, "reoffer_max"))
  }

  private func numbers(
    _ pointers: UnsafeMutablePointer<UnsafeMutablePointer<Wristwire__V1__IncarnationNumber>?>?,
    _ count: Int, _ field: StaticString
  ) throws(WireError) -> [IncarnationNumber] {
    guard count <= FrameLimits.incarnationsMax else { throw Check.invalid(field) }
    var values: [IncarnationNumber] = []
    for pointer in UnsafeBufferPointer(start: pointers, count: count) {
      let value = try Check.message(pointer, field)
      values.append(
        IncarnationNumber(
          incarnation: try Check.id(value.has_incarnation, value.incarnation, field),
          number: try Check.number(value.has_number, value.number, field)))
    }
    return values
  }

  private func hold(_ hold: Wristwire__V1__Hold) throws(WireError) -> Hold {
    guard hold.has_reason != 0 else { throw Check.invalid("reason") }
    let retry = hold.has_retry_after_ms == 0 ? 0 : hold.retry_after_ms
    let reason: Hold.Reason
    switch hold.reason {
    case WRISTWIRE__V1__HOLD_REASON__HOLD_GAP:
      reason = .gap(expected: try Check.positive(hold.has_expected, hold.expected, "expected"))
    case WRISTWIRE__V1__HOLD_REASON__HOLD_BUSY:
      reason = .busy(retryAfterMilliseconds: retry)
    case WRISTWIRE__V1__HOLD_REASON__HOLD_STORAGE_UNAVAILABLE:
      reason = .storageUnavailable(retryAfterMilliseconds: retry)
    default:
      throw Check.invalid("reason")
    }
    return Hold(
      incarnation: try Check.id(hold.has_incarnation, hold.incarnation, "incarnation"),
      number: try Check.positive(hold.has_number, hold.number, "number"), reason: reason)
  }

  private func snapshot(_ snapshot: Wristwire__V1__Snapshot) throws(WireError) -> Snapshot {
    Snapshot(
      view: WidgetView(
        kind: try Check.choice(snapshot.has_kind, snapshot.kind.rawValue, "kind"),
        family: try Check.choice(snapshot.has_family, snapshot.family.rawValue, "family"),
        appearance: try Check.choice(
          snapshot.has_appearance, snapshot.appearance.rawValue, "appearance")),
      revision: try Check.number(snapshot.has_revision, snapshot.revision, "revision"),
      hash: try Check.hash(snapshot.has_hash, snapshot.hash, "hash"),
      content: Check.bytes(snapshot.has_content, snapshot.content))
  }

  private func notModified(
    _ answer: Wristwire__V1__NotModified
  ) throws(WireError) -> NotModified {
    NotModified(
      view: WidgetView(
        kind: try Check.choice(answer.has_kind, answer.kind.rawValue, "kind"),
        family: try Check.choice(answer.has_family, answer.family.rawValue, "family"),
        appearance: try Check.choice(
          answer.has_appearance, answer.appearance.rawValue, "appearance")),
      revision: try Check.number(answer.has_revision, answer.revision, "revision"))
  }

  /// Kinds that this version does not know are left out: no widget of it shows them.
  private func reload(_ reload: Wristwire__V1__Reload) -> [WidgetKind] {
    UnsafeBufferPointer(start: reload.kinds, count: reload.n_kinds).compactMap { kind in
      UInt8(exactly: kind.rawValue).flatMap(WidgetKind.init(rawValue:))
    }
  }
}
