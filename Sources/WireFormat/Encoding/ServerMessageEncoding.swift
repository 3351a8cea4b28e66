import CProtobufC
import CWireProto
import WatchTransfer

extension MessageEncoder {
  /// Makes `frame` carry `message`.
  func fill(
    _ frame: UnsafeMutablePointer<Wristwire__V1__WatchTransferMessage>, _ message: ServerMessage
  ) {
    switch message {
    case .welcome(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_WELCOME
      frame.pointee.welcome = welcome(value)
    case .receipt(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_RECEIPT
      frame.pointee.receipt = receipt(value)
    case .conflict(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_CONFLICT
      let conflict = arena.make(wristwire__v1__conflict__init)
      conflict.pointee.stored = receipt(value)
      frame.pointee.conflict = conflict
    case .settled(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_SETTLED
      frame.pointee.settled = settled(value)
    case .hold(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_HOLD
      frame.pointee.hold = hold(value)
    case .update(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_UPDATE
      frame.pointee.update = update(value)
    case .snapshot(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_SNAPSHOT
      frame.pointee.snapshot = snapshot(value)
    case .notModified(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_NOT_MODIFIED
      frame.pointee.not_modified = notModified(value)
    case .reload(let kinds):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_RELOAD
      frame.pointee.reload = reload(kinds)
    case .page(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_PAGE
      frame.pointee.page = page(value)
    case .chunkState(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_CHUNK_STATE
      frame.pointee.chunk_state = chunkState(value)
    case .ping(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_PING
      frame.pointee.ping = ping(value)
    case .pong(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_PONG
      frame.pointee.pong = pong(value)
    case .goodbye(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_GOODBYE
      frame.pointee.goodbye = goodbye(value)
    }
  }

  private func welcome(_ value: Welcome) -> UnsafeMutablePointer<Wristwire__V1__Welcome> {
    let welcome = arena.make(wristwire__v1__welcome__init)
    put(value.version, &welcome.pointee.has_version, &welcome.pointee.version)
    put(arena.id(value.account), &welcome.pointee.has_account, &welcome.pointee.account)
    put(arena.id(value.device), &welcome.pointee.has_device, &welcome.pointee.device)
    put(choice: value.kind, &welcome.pointee.has_kind, &welcome.pointee.kind)
    put(arena.id(value.epoch), &welcome.pointee.has_epoch, &welcome.pointee.epoch)
    put(value.revision, &welcome.pointee.has_revision, &welcome.pointee.revision)
    put(value.facetSet, &welcome.pointee.has_set, &welcome.pointee.set)
    welcome.pointee.n_expected = value.expected.count
    welcome.pointee.expected = arena.messages(value.expected, incarnationNumber)
    welcome.pointee.n_backed_up = value.backedUp.count
    welcome.pointee.backed_up = arena.messages(value.backedUp, incarnationNumber)
    put(
      value.serverClock.milliseconds, &welcome.pointee.has_server_ms, &welcome.pointee.server_ms)
    put(value.leaseMilliseconds, &welcome.pointee.has_lease_ms, &welcome.pointee.lease_ms)
    put(
      value.frameBytesMax, &welcome.pointee.has_frame_bytes_max, &welcome.pointee.frame_bytes_max)
    put(value.inFlightMax, &welcome.pointee.has_in_flight_max, &welcome.pointee.in_flight_max)
    put(value.reofferMax, &welcome.pointee.has_reoffer_max, &welcome.pointee.reoffer_max)
    return welcome
  }

  private func incarnationNumber(
    _ value: IncarnationNumber
  ) -> UnsafeMutablePointer<Wristwire__V1__IncarnationNumber> {
    let number = arena.make(wristwire__v1__incarnation_number__init)
    put(
      arena.id(value.incarnation), &number.pointee.has_incarnation,
      &number.pointee.incarnation)
    put(value.number, &number.pointee.has_number, &number.pointee.number)
    return number
  }

  private func settled(
    _ value: IncarnationNumber
  ) -> UnsafeMutablePointer<Wristwire__V1__Settled> {
    let settled = arena.make(wristwire__v1__settled__init)
    put(
      arena.id(value.incarnation), &settled.pointee.has_incarnation,
      &settled.pointee.incarnation)
    put(value.number, &settled.pointee.has_number, &settled.pointee.number)
    return settled
  }

  private func hold(_ value: Hold) -> UnsafeMutablePointer<Wristwire__V1__Hold> {
    let hold = arena.make(wristwire__v1__hold__init)
    put(arena.id(value.incarnation), &hold.pointee.has_incarnation, &hold.pointee.incarnation)
    put(value.number, &hold.pointee.has_number, &hold.pointee.number)
    hold.pointee.has_reason = 1
    switch value.reason {
    case .gap(let expected):
      hold.pointee.reason = WRISTWIRE__V1__HOLD_REASON__HOLD_GAP
      put(expected, &hold.pointee.has_expected, &hold.pointee.expected)
    case .busy(let retryAfter):
      hold.pointee.reason = WRISTWIRE__V1__HOLD_REASON__HOLD_BUSY
      put(retryAfter, &hold.pointee.has_retry_after_ms, &hold.pointee.retry_after_ms)
    case .storageUnavailable(let retryAfter):
      hold.pointee.reason = WRISTWIRE__V1__HOLD_REASON__HOLD_STORAGE_UNAVAILABLE
      put(retryAfter, &hold.pointee.has_retry_after_ms, &hold.pointee.retry_after_ms)
    }
    return hold
  }

  private func snapshot(_ value: Snapshot) -> UnsafeMutablePointer<Wristwire__V1__Snapshot> {
    let snapshot = arena.make(wristwire__v1__snapshot__init)
    put(choice: value.view.kind, &snapshot.pointee.has_kind, &snapshot.pointee.kind)
    put(choice: value.view.family, &snapshot.pointee.has_family, &snapshot.pointee.family)
    put(
      choice: value.view.appearance, &snapshot.pointee.has_appearance,
      &snapshot.pointee.appearance)
    put(value.revision, &snapshot.pointee.has_revision, &snapshot.pointee.revision)
    put(arena.hash(value.hash), &snapshot.pointee.has_hash, &snapshot.pointee.hash)
    put(arena.bytes(value.content), &snapshot.pointee.has_content, &snapshot.pointee.content)
    return snapshot
  }

  private func notModified(
    _ value: NotModified
  ) -> UnsafeMutablePointer<Wristwire__V1__NotModified> {
    let answer = arena.make(wristwire__v1__not_modified__init)
    put(choice: value.view.kind, &answer.pointee.has_kind, &answer.pointee.kind)
    put(choice: value.view.family, &answer.pointee.has_family, &answer.pointee.family)
    put(
      choice: value.view.appearance, &answer.pointee.has_appearance, &answer.pointee.appearance)
    put(value.revision, &answer.pointee.has_revision, &answer.pointee.revision)
    return answer
  }

  private func reload(_ kinds: [WidgetKind]) -> UnsafeMutablePointer<Wristwire__V1__Reload> {
    let reload = arena.make(wristwire__v1__reload__init)
    reload.pointee.n_kinds = kinds.count
    reload.pointee.kinds = arena.list(kinds) { Wristwire__V1__WidgetKind(UInt32($0.rawValue)) }
    return reload
  }
}
