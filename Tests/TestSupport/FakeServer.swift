internal import Guards
public import Transport
public import WatchTransfer
internal import WireFormat

/// A scripted server in the test's own process: real sockets, answers as the test says.
public actor FakeServer {
  /// What happened, in order.
  public enum Event: Sendable {
    case opened(Int)
    case message(Int, ClientMessage)
    case closed(Int)
  }

  /// Answers to one message on the connection of this number, counted from 1.
  public typealias Script = @Sendable (Int, ClientMessage) -> [Answer]

  /// One thing a server does.
  public enum Answer: Sendable {
    case say(ServerMessage)
    case bytes([UInt8])
    case close
  }

  private nonisolated let executor = SerialQueueExecutor(label: "wristwire.test.server")
  /// Where it listens.
  public nonisolated let address: SocketAddress
  /// What happens, for one consumer.
  public nonisolated let events: AsyncStream<Event>
  private nonisolated let log: AsyncStream<Event>.Continuation
  private let pool: ConnectionPool
  private let listener: Listener
  private let decoder = MessageDecoder()
  private let encoder = MessageEncoder()
  private var script: Script
  private var numbers: [ConnectionID: Int] = [:]
  private var opened = 0

  /// The server's own queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Listens at a Unix socket at `path`, or at a port of the loopback.
  public static func start(path: String? = nil, _ script: @escaping Script) async throws
    -> FakeServer
  {
    let address = try SocketAddress(parsing: path.map { "unix:" + $0 } ?? "127.0.0.1:0")
    let accept = Accepting()
    let queue = DispatchWorkQueue(label: "wristwire.test.listener").queue
    let listener = try Listener(
      address: address, queue: queue, onAccept: { accept.hand($0) }, onStarved: { _ in })
    let server = try FakeServer(listener, script)
    accept.set { socket in Task { await server.adopt(socket) } }
    await server.activate()
    return server
  }

  private init(_ listener: Listener, _ script: @escaping Script) throws {
    self.listener = listener
    self.script = script
    address = listener.boundAddress
    pool = try ConnectionPool()
    (events, log) = AsyncStream.makeStream()
  }

  /// From now on it answers so.
  public func setScript(_ script: @escaping Script) { self.script = script }

  /// Says something of its own accord on a connection.
  public func say(_ message: ServerMessage, to number: Int) { perform([.say(message)], number) }

  /// The same with bytes.
  public func send(_ bytes: [UInt8], to number: Int) { perform([.bytes(bytes)], number) }

  /// Closes a connection.
  public func close(_ number: Int) { perform([.close], number) }

  /// Answers nobody any more.
  public func stop() {
    listener.close()
    pool.closeAll()
    numbers = [:]
    log.finish()
  }

  private func activate() {
    pool.activate(on: executor.queue) { [weak self] in self?.assumeIsolated { $0.turn() } }
  }

  private func adopt(_ socket: AcceptedSocket) {
    opened += 1
    numbers[pool.adopt(socket)] = opened
    log.yield(.opened(opened))
  }

  private func turn() {
    pool.turn { id, event in
      guard let number = numbers[id] else { return 0 }
      switch event {
      case .received(let bytes): return received(bytes, number)
      case .endOfInput: pool.closeAfterSending(id)
      case .closed:
        numbers[id] = nil
        log.yield(.closed(number))
      case .connected, .drained: break
      }
      return 0
    }
  }

  private func received(_ bytes: UnsafeRawBufferPointer, _ number: Int) -> Int {
    var consumed = 0
    while true {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
      guard case .frame(let length) = scanFrame(rest, payloadBytesMax: 65_536),
        let message = try? decoder.decodeClientMessage(
          UnsafeRawBufferPointer(rebasing: rest[4..<(4 + length)]))
      else { return consumed }
      consumed += 4 + length
      log.yield(.message(number, message))
      perform(script(number, message), number)
    }
  }

  private func perform(_ answers: [Answer], _ number: Int) {
    guard let id = numbers.first(where: { $0.value == number })?.key else { return }
    for answer in answers {
      switch answer {
      case .say(let message): pool.send(id, encoder.frame(message))
      case .bytes(let bytes): pool.send(id, bytes)
      case .close: pool.closeAfterSending(id)
      }
    }
    pool.flush()
  }
}

/// Hands accepted sockets to a server that comes to be after its listener.
private final class Accepting: Sendable {
  private let state = Lock<
    (handler: (@Sendable (AcceptedSocket) -> Void)?, waiting: [AcceptedSocket])
  >(
    (nil, []))

  func set(_ handler: @escaping @Sendable (AcceptedSocket) -> Void) {
    let waiting = state.withLock { state in
      state.handler = handler
      defer { state.waiting = [] }
      return state.waiting
    }
    for socket in waiting { handler(socket) }
  }

  func hand(_ socket: AcceptedSocket) {
    let handler = state.withLock { state in
      if state.handler == nil { state.waiting.append(socket) }
      return state.handler
    }
    handler?(socket)
  }
}
