import CProtobufC
import CWireProto
import WatchTransfer

extension MessageEncoder {
  /// Makes `frame` carry `message`.
  func fill(
    _ frame: UnsafeMutablePointer<Wristwire__V1__WatchTransferMessage>, _ message: ClientMessage
  ) {
    switch message {
    case .hello(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_HELLO
      frame.pointee.hello = hello(value)
    case .act(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_ACT
      frame.pointee.act = act(value)
    case .resume(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_RESUME
      let resume = arena.make(wristwire__v1__resume__init)
      resume.pointee.cursor = value.map(cursor)
      frame.pointee.resume = resume
    case .fetch(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_FETCH
      frame.pointee.fetch = fetch(value)
    case .query(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_QUERY
      frame.pointee.query = query(value)
    case .chunk(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_CHUNK
      frame.pointee.chunk = chunk(value)
    case .ping(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_PING
      frame.pointee.ping = ping(value)
    case .pong(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_PONG
      frame.pointee.pong = pong(value)
    case .goodbye(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_GOODBYE
      frame.pointee.goodbye = goodbye(value)
    case .pulse(let value):
      frame.pointee.message_case = WRISTWIRE__V1__WATCH_TRANSFER_MESSAGE__MESSAGE_PULSE
      frame.pointee.pulse = pulse(value)
    }
  }

  private func hello(_ value: Hello) -> UnsafeMutablePointer<Wristwire__V1__Hello> {
    let hello = arena.make(wristwire__v1__hello__init)
    put(value.version, &hello.pointee.has_version, &hello.pointee.version)
    put(arena.bytes(value.token), &hello.pointee.has_token, &hello.pointee.token)
    hello.pointee.n_incarnations = value.incarnations.count
    hello.pointee.incarnations = arena.messages(value.incarnations, incarnationState)
    hello.pointee.cursor = value.cursor.map(cursor)
    put(
      value.minimumIntervalMilliseconds, &hello.pointee.has_minimum_interval_ms,
      &hello.pointee.minimum_interval_ms)
    hello.pointee.clock = value.clock.map(clock)
    put(
      value.code.map { arena.bytes($0.digits) }, &hello.pointee.has_code, &hello.pointee.code)
    put(
      value.deviceName.map(arena.text), &hello.pointee.has_device_name,
      &hello.pointee.device_name)
    return hello
  }

  private func incarnationState(
    _ value: IncarnationState
  ) -> UnsafeMutablePointer<Wristwire__V1__IncarnationState> {
    let state = arena.make(wristwire__v1__incarnation_state__init)
    put(
      arena.id(value.incarnation), &state.pointee.has_incarnation, &state.pointee.incarnation)
    put(value.confirmed, &state.pointee.has_confirmed, &state.pointee.confirmed)
    put(value.oldest, &state.pointee.has_oldest, &state.pointee.oldest)
    put(value.next, &state.pointee.has_next, &state.pointee.next)
    return state
  }

  private func act(_ value: Act) -> UnsafeMutablePointer<Wristwire__V1__Act> {
    let act = arena.make(wristwire__v1__act__init)
    put(arena.id(value.incarnation), &act.pointee.has_incarnation, &act.pointee.incarnation)
    put(value.number, &act.pointee.has_number, &act.pointee.number)
    put(value.confirmed, &act.pointee.has_confirmed, &act.pointee.confirmed)
    act.pointee.first_receipt = value.firstReceipt.map(receipt)
    put(arena.bytes(value.body), &act.pointee.has_body, &act.pointee.body)
    return act
  }

  private func fetch(_ value: Fetch) -> UnsafeMutablePointer<Wristwire__V1__Fetch> {
    let fetch = arena.make(wristwire__v1__fetch__init)
    put(choice: value.view.kind, &fetch.pointee.has_kind, &fetch.pointee.kind)
    put(choice: value.view.family, &fetch.pointee.has_family, &fetch.pointee.family)
    put(
      choice: value.view.appearance, &fetch.pointee.has_appearance, &fetch.pointee.appearance)
    put(
      value.knownHash.map(arena.hash), &fetch.pointee.has_known_hash, &fetch.pointee.known_hash)
    return fetch
  }
}
