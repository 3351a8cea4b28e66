internal import Foundation
internal import Transport

/// The admin socket of a running server: a Unix socket in the data directory, for its own user
/// only.
actor AdminSocket {
  private nonisolated let queue: DispatchWorkQueue
  nonisolated let executor: SerialQueueExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let service: AdminService
  private let pool: ConnectionPool
  private var listener: Listener?
  private var tick: (any Tick)?
  /// When each connection was last heard, and whether it waits for an answer.
  private var clients: [ConnectionID: Client] = [:]

  private struct Client {
    var heardAt: MonotonicInstant
    var isWaiting = false
  }

  /// Connections at once; for one more, the one that has asked nothing for longest makes room.
  static let connectionsMax = 64

  /// Largest request and response, in bytes.
  static let messageBytesMax = 1_048_576

  /// Where the socket of a data directory is.
  static func path(in directory: String) -> String { "\(directory)/admin.sock" }

  init(service: AdminService) throws {
    self.service = service
    queue = DispatchWorkQueue(label: "wristwire.admin")
    executor = SerialQueueExecutor(on: queue)
    var limits = ConnectionLimits()
    limits.connectionsMax = Self.connectionsMax
    limits.keptBytesMax = 4 + Self.messageBytesMax
    pool = try ConnectionPool(limits: limits)
  }

  /// Begins to answer.
  nonisolated func start(listener: Listener) {
    enter { socket in
      socket.listener = listener
      socket.pool.activate(on: socket.executor.queue) { [weak socket] in
        socket?.assumeIsolated { $0.turn() }
      }
      socket.tick = socket.executor.queue.tick(every: .seconds(5)) { [weak socket] in
        socket?.assumeIsolated { $0.pool.sweep() }
      }
    }
  }

  /// Closes everything.
  nonisolated func stop() {
    queue.queue.sync {
      self.assumeIsolated { socket in
        socket.listener?.close()
        socket.tick?.cancel()
        socket.pool.closeAll()
      }
    }
  }

  /// Takes an accepted connection; called on any queue.
  nonisolated func receive(_ socket: AcceptedSocket) {
    enter { $0.admit(socket) }
  }

  private nonisolated func enter(_ work: @escaping @Sendable (isolated AdminSocket) -> Void) {
    executor.queue.async { self.assumeIsolated { work($0) } }
  }

  private func turn() {
    pool.turn { connection, event in
      switch event {
      case .received(let bytes): return take(bytes, of: connection)
      case .endOfInput:
        // It may have closed its side only: an answer under way still leaves.
        if clients[connection]?.isWaiting != true { pool.closeAfterSending(connection) }
      case .closed: clients[connection] = nil
      case .connected, .drained: break
      }
      return 0
    }
  }

  private func admit(_ socket: AcceptedSocket) {
    if clients.count >= Self.connectionsMax,
      let idle = clients.filter({ !$0.value.isWaiting }).min(by: {
        $0.value.heardAt < $1.value.heardAt
      })
    {
      clients[idle.key] = nil
      pool.close(idle.key)
    }
    clients[pool.adopt(socket)] = Client(heardAt: .now())
  }

  private func take(_ bytes: UnsafeRawBufferPointer, of connection: ConnectionID) -> Int {
    guard bytes.count >= 4 else { return 0 }
    let length = Int(UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
    guard length > 0, length <= Self.messageBytesMax else {
      pool.close(connection)
      return bytes.count
    }
    guard bytes.count >= 4 + length else { return 0 }
    let json = Data(bytes[4..<4 + length])
    guard let request = try? JSONDecoder().decode(AdminRequest.self, from: json) else {
      pool.close(connection)
      return bytes.count
    }
    // One at a time: what follows is read once this is answered.
    clients[connection] = Client(heardAt: .now(), isWaiting: true)
    pool.setReading(connection, false)
    let service = service
    Task { [weak self] in
      let response = await service.perform(request)
      self?.enter { $0.send(response, to: connection) }
    }
    return 4 + length
  }

  private func send(_ response: AdminResponse, to connection: ConnectionID) {
    guard let json = try? JSONEncoder().encode(response) else { return pool.close(connection) }
    pool.send(connection, AdminFraming.framed(json))
    pool.flush()
    clients[connection] = Client(heardAt: .now())
    pool.setReading(connection, true)
  }
}

/// 4 bytes of length, big-endian, then JSON.
enum AdminFraming {
  static func framed(_ json: Data) -> [UInt8] {
    let length = UInt32(json.count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> UInt32($0)) } + [UInt8](json)
  }
}
