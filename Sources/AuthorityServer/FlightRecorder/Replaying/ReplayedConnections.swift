internal import Storage
internal import Transport

/// The connections of a queue as a record has them: nothing but bytes that come and go.
final class ReplayedConnections: Connections {
  private let head: ReplayHead
  /// Offered and not consumed, of the connections there are.
  private var kept: [ConnectionID: [UInt8]] = [:]
  /// What is being offered.
  private var offered: (id: ConnectionID, bytes: [UInt8])?
  /// Those that were there when the record began.
  var open: [OpenConnection] = []

  init(head: ReplayHead) {
    self.head = head
  }

  /// A connection that is there when the record begins.
  func place(_ connection: OpenConnection) {
    kept[connection.id] = connection.kept
    open.append(connection)
  }

  var count: Int {
    head.told("how many connections there are") {
      if case .count(let count) = $0 { count } else { nil }
    } ?? 0
  }

  func activate(on queue: any WorkQueue, onReady: @escaping @Sendable () -> Void) {
    guard let queue = queue as? ReplayQueue else { return }
    queue.onReady = onReady
  }

  func turn(_ body: (ConnectionID, ConnectionEvent) -> Int) {
    while let entry = head.told("the connections' next event", Self.event) {
      switch entry {
      case .received(let id, let bytes): receive(id, bytes, body)
      case .endOfInput(let id): _ = body(id, .endOfInput)
      case .drained(let id): _ = body(id, .drained)
      case .closed(let id, let reason):
        kept[id] = nil
        _ = body(id, .closed(reason.reason))
      default: return
      }
    }
  }

  private static func event(_ entry: TapeEntry) -> TapeEntry? {
    switch entry {
    case .received, .endOfInput, .drained, .closed, .turnEnded: entry
    default: nil
    }
  }

  private func receive(
    _ id: ConnectionID, _ bytes: [UInt8], _ body: (ConnectionID, ConnectionEvent) -> Int
  ) {
    let all = (kept[id] ?? []) + bytes
    offered = (id, all)
    let consumed = all.withUnsafeBytes { body(id, .received($0)) }
    offered = nil
    head.took(Array(all[..<min(consumed, all.count)]))
    head.did(.consumed(id, consumed))
    if kept[id] != nil { kept[id] = Array(all[min(consumed, all.count)...]) }
  }

  func adopt(_ socket: AcceptedSocket, unread: [UInt8]) -> ConnectionID {
    let id = head.told("a connection's place") {
      if case .adopted(let id, _) = $0 { id } else { nil }
    }
    guard let id else { return ConnectionID(slot: 0, generation: .max) }
    kept[id] = unread
    return id
  }

  func connect(to address: SocketAddress) throws(SystemError) -> ConnectionID {
    throw SystemError(.connectionRefused, call: "connect")
  }

  func close(_ id: ConnectionID) {
    head.did(.close(id))
    kept[id] = nil
  }

  func closeAll() { kept = [:] }

  func closeAfterSending(_ id: ConnectionID) { head.did(.closeAfterSending(id)) }

  func release(
    _ id: ConnectionID, consumed: Int
  ) -> (socket: AcceptedSocket, unread: [UInt8])? {
    let isDone = head.told("whether a connection can be handed over") {
      if case .released(id, let isDone) = $0 { isDone } else { nil }
    }
    guard isDone == true else { return nil }
    let rest = offered.flatMap { $0.id == id ? $0.bytes : nil } ?? kept[id] ?? []
    kept[id] = nil
    // Nobody looks at a replayed socket.
    return (
      AcceptedSocket(descriptor: -1, peer: .unix(user: 0)),
      Array(rest[min(consumed, rest.count)...])
    )
  }

  func send(_ id: ConnectionID, _ bytes: UnsafeRawBufferPointer) {
    head.did(.sent(id, Array(bytes)))
  }

  func send(_ id: ConnectionID, _ bytes: [UInt8]) { head.did(.sent(id, bytes)) }

  func flush() {}

  func setReading(_ id: ConnectionID, _ on: Bool) { head.did(.setReading(id, on)) }

  func offerAgain(_ id: ConnectionID) { head.did(.offerAgain(id)) }

  func unsentBytes(_ id: ConnectionID) -> Int {
    head.told("what a connection still owes") {
      if case .unsent(id, let bytes) = $0 { bytes } else { nil }
    } ?? 0
  }

  func isBacklogged(_ id: ConnectionID) -> Bool {
    head.told("whether a connection takes more") {
      if case .backlogged(id, let isBacklogged) = $0 { isBacklogged } else { nil }
    } ?? false
  }

  func isSecuring(_ id: ConnectionID) -> Bool {
    head.told("whether a connection is being secured") {
      if case .securing(id, let isSecuring) = $0 { isSecuring } else { nil }
    } ?? false
  }

  func sweep() {}
}

extension ReplayedConnections: ConnectionState {}

/// Free space as the record has it.
struct ReplayedSpace: SpaceGauge {
  let head: ReplayHead

  var acceptsActs: Bool {
    head.told("whether there is room for acts") {
      if case .accepts(let accepts) = $0 { accepts } else { nil }
    } ?? true
  }

  var freeBytes: Int64 { 0 }
}
