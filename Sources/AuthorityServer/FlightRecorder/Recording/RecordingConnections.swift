internal import Guards
internal import Storage
internal import Transport

/// The connections of a queue, with what they tell and are told taken down.
final class RecordingConnections: Connections {
  private let host: ConnectionPool
  private let tape: Tape
  /// The streams of the connections there are.
  private var streams: [ConnectionID: UInt64] = [:]
  /// What was offered and not consumed.
  private var kept: [ConnectionID: [UInt8]] = [:]

  init(_ host: ConnectionPool, tape: Tape) {
    self.host = host
    self.tape = tape
  }

  var count: Int {
    let count = host.count
    tape.note(.count(count))
    return count
  }

  func activate(on queue: any WorkQueue, onReady: @escaping @Sendable () -> Void) {
    guard let queue = queue as? RecordingQueue else {
      fatalError("recorded connections need a recorded queue")
    }
    host.activate(on: queue.host.queue) { queue.ready(onReady) }
  }

  func turn(_ body: (ConnectionID, ConnectionEvent) -> Int) {
    host.turn { id, event in
      switch event {
      case .received(let bytes): return receive(id, bytes, body)
      case .endOfInput: tape.note(.endOfInput(id))
      case .drained: tape.note(.drained(id))
      case .closed(let reason):
        forget(id)
        tape.note(.closed(id, TapeCloseReason(reason)))
      case .connected: break
      }
      return body(id, event)
    }
    tape.note(.turnEnded)
  }

  private func receive(
    _ id: ConnectionID, _ bytes: UnsafeRawBufferPointer,
    _ body: (ConnectionID, ConnectionEvent) -> Int
  ) -> Int {
    let known = kept[id]?.count ?? 0
    tape.note(.received(id, Array(bytes[min(known, bytes.count)...])))
    let consumed = body(id, .received(bytes))
    tape.note(.consumed(id, consumed))
    if streams[id] != nil {
      if consumed < bytes.count {
        // What it held before is the head of this.
        let rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
        if consumed > 0 || rest.count != known { kept[id] = Array(rest) }
      } else if known > 0 {
        kept[id] = nil
      }
    }
    return consumed
  }

  func adopt(_ socket: AcceptedSocket, unread: [UInt8]) -> ConnectionID {
    let stream = tape.stream(of: socket)
    let id = host.adopt(socket, unread: unread)
    tape.note(.adopted(id, stream: stream))
    streams[id] = stream
    if !unread.isEmpty { kept[id] = unread }
    return id
  }

  func connect(to address: SocketAddress) throws(SystemError) -> ConnectionID {
    try host.connect(to: address)
  }

  func close(_ id: ConnectionID) {
    tape.note(.close(id))
    host.close(id)
    forget(id)
  }

  func reset(_ id: ConnectionID) {
    // To a replay an end is an end.
    tape.note(.close(id))
    host.reset(id)
    forget(id)
  }

  func closeAll() {
    host.closeAll()
    streams = [:]
    kept = [:]
  }

  func closeAfterSending(_ id: ConnectionID) {
    tape.note(.closeAfterSending(id))
    host.closeAfterSending(id)
  }

  func release(
    _ id: ConnectionID, consumed: Int
  ) -> (socket: AcceptedSocket, unread: [UInt8])? {
    let released = host.release(id, consumed: consumed)
    tape.note(.released(id, released != nil))
    if let released {
      if let stream = streams[id] { tape.passes(released.socket, stream) }
      forget(id)
    }
    return released
  }

  func send(_ id: ConnectionID, _ bytes: UnsafeRawBufferPointer) {
    tape.note(.sent(id, Array(bytes)))
    host.send(id, bytes)
  }

  func send(_ id: ConnectionID, _ bytes: [UInt8]) {
    tape.note(.sent(id, bytes))
    host.send(id, bytes)
  }

  func flush() { host.flush() }

  func setReading(_ id: ConnectionID, _ on: Bool) {
    tape.note(.setReading(id, on))
    host.setReading(id, on)
  }

  func offerAgain(_ id: ConnectionID) {
    tape.note(.offerAgain(id))
    host.offerAgain(id)
  }

  func unsentBytes(_ id: ConnectionID) -> Int {
    let bytes = host.unsentBytes(id)
    tape.note(.unsent(id, bytes))
    return bytes
  }

  func isBacklogged(_ id: ConnectionID) -> Bool {
    let isBacklogged = host.isBacklogged(id)
    tape.note(.backlogged(id, isBacklogged))
    return isBacklogged
  }

  func isSecuring(_ id: ConnectionID) -> Bool {
    let isSecuring = host.isSecuring(id)
    tape.note(.securing(id, isSecuring))
    return isSecuring
  }

  func sweep() { host.sweep() }

  private func forget(_ id: ConnectionID) {
    streams[id] = nil
    kept[id] = nil
  }
}

extension RecordingConnections: ConnectionState {
  var open: [OpenConnection] {
    streams.sorted { $0.key.slot < $1.key.slot }.map { id, stream in
      OpenConnection(id: id, stream: stream, kept: kept[id] ?? [])
    }
  }
}
