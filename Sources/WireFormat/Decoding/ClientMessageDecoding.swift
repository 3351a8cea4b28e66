import CProtobufC
import CWireProto
import WatchTransfer

extension MessageDecoder {
  /// What a client sent, or the error that says that it may not.
  func clientMessage(
    _ message: Wristwire__V1__WatchTransferMessage
  ) throws(WireError) -> ClientMessage {
    switch message.message_case {
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_FETCH:
      return .fetch(try fetch(try Check.message(message.fetch, "fetch")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_ACT:
      return .act(try act(try Check.message(message.act, "act")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_PONG:
      return .pong(try pong(try Check.message(message.pong, "pong")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_PING:
      return .ping(try ping(try Check.message(message.ping, "ping")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_QUERY:
      return .query(try query(try Check.message(message.query, "query")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_CHUNK:
      return .chunk(try chunk(try Check.message(message.chunk, "chunk")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_HELLO:
      return .hello(try hello(try Check.message(message.hello, "hello")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_RESUME:
      return .resume(try optionalCursor(try Check.message(message.resume, "resume").cursor))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_GOODBYE:
      return .goodbye(try goodbye(try Check.message(message.goodbye, "goodbye")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_PULSE:
      return .pulse(try pulse(try Check.message(message.pulse, "pulse")))
    case WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE__NOT_SET:
      throw .emptyMessage
    default:
      throw .unexpectedMessage
    }
  }

  private func hello(_ hello: Wristwire__V1__Hello) throws(WireError) -> Hello {
    let version = try Check.present(hello.has_version, hello.version, "version")
    guard hello.has_token != 0, hello.token.len == FrameLimits.tokenBytes else {
      throw Check.invalid("token")
    }
    var value = Hello(token: Check.bytes(hello.has_token, hello.token))
    value.version = version
    value.incarnations = try incarnations(hello)
    value.cursor = try optionalCursor(hello.cursor)
    if hello.has_minimum_interval_ms != 0 {
      value.minimumIntervalMilliseconds = hello.minimum_interval_ms
    }
    value.clock = try optionalClock(hello.clock)
    value.code = try code(hello)
    value.deviceName = try Check.optionalName(
      hello.has_device_name, hello.device_name, "device_name")
    return value
  }

  private func code(_ hello: Wristwire__V1__Hello) throws(WireError) -> PairingCode? {
    if hello.has_code == 0 { return nil }
    guard let code = PairingCode(digits: Check.bytes(hello.has_code, hello.code)) else {
      throw Check.invalid("code")
    }
    return code
  }

  private func incarnations(_ hello: Wristwire__V1__Hello) throws(WireError) -> [IncarnationState] {
    guard hello.n_incarnations <= FrameLimits.incarnationsMax else {
      throw Check.invalid("incarnations")
    }
    var states: [IncarnationState] = []
    for pointer in UnsafeBufferPointer(start: hello.incarnations, count: hello.n_incarnations) {
      let state = try Check.message(pointer, "incarnations")
      let value = IncarnationState(
        incarnation: try Check.id(state.has_incarnation, state.incarnation, "incarnation"),
        confirmed: try Check.number(state.has_confirmed, state.confirmed, "confirmed"),
        oldest: try Check.number(state.has_oldest, state.oldest, "oldest"),
        next: try Check.number(state.has_next, state.next, "next"))
      guard value.isSound, !states.contains(where: { $0.incarnation == value.incarnation }) else {
        throw Check.invalid("incarnations")
      }
      states.append(value)
    }
    return states
  }

  /// The envelope alone. `confirmed` may reach `number`: an action with a receipt is offered again
  /// after a restore, or sent twice by a client that raced its receipt; the answer is the same.
  private func act(_ act: Wristwire__V1__Act) throws(WireError) -> Act {
    let incarnation: IncarnationID = try Check.id(
      act.has_incarnation, act.incarnation, "incarnation")
    let number = try Check.positive(act.has_number, act.number, "number")
    var first: Receipt?
    if let pointer = act.first_receipt {
      let receipt = try receipt(pointer.pointee)
      guard receipt.incarnation == incarnation, receipt.number == number else {
        throw Check.invalid("first_receipt")
      }
      first = receipt
    }
    return Act(
      incarnation: incarnation, number: number,
      confirmed: try Check.number(act.has_confirmed, act.confirmed, "confirmed"),
      firstReceipt: first, body: Check.bytes(act.has_body, act.body))
  }

  private func fetch(_ fetch: Wristwire__V1__Fetch) throws(WireError) -> Fetch {
    let view = WidgetView(
      kind: try Check.choice(fetch.has_kind, fetch.kind.rawValue, "kind"),
      family: try Check.choice(fetch.has_family, fetch.family.rawValue, "family"),
      appearance: try Check.choice(fetch.has_appearance, fetch.appearance.rawValue, "appearance"))
    if fetch.has_known_hash == 0 { return Fetch(view: view) }
    return Fetch(
      view: view, knownHash: try Check.hash(fetch.has_known_hash, fetch.known_hash, "known_hash"))
  }
}
