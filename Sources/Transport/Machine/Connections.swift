/// The connections of one queue: bytes in, bytes out, and how each ends.
///
/// Not Sendable: the owner, usually an actor over a ``SerialQueueExecutor``, makes every call on
/// its queue. What each call does is said where ``ConnectionPool`` does it.
public protocol Connections: AnyObject {
  /// Starts: `onReady` runs on the queue whenever connections may be ready, and must call `turn`.
  func activate(on queue: any WorkQueue, onReady: @escaping @Sendable () -> Void)
  /// Handles one bounded round and calls `body` for each event.
  func turn(_ body: (ConnectionID, ConnectionEvent) -> Int)
  /// Takes charge of a socket; `unread` is offered first.
  func adopt(_ socket: AcceptedSocket, unread: [UInt8]) -> ConnectionID
  /// Begins a connect; the outcome is an event.
  func connect(to address: SocketAddress) throws(SystemError) -> ConnectionID
  /// Begins a connect that is secured by TLS, if any is given.
  func connect(
    to address: SocketAddress, securedBy client: TLSClient?
  ) throws(SystemError) -> ConnectionID
  /// Whether the handshake of TLS is not done yet.
  func isSecuring(_ id: ConnectionID) -> Bool
  /// Ends it now: unsent output is dropped, and no event follows.
  func close(_ id: ConnectionID)
  /// The same by a reset, where there is such a thing: what the kernel still holds is dropped, too.
  func reset(_ id: ConnectionID)
  /// Ends all now, without events.
  func closeAll()
  /// Ends it once what it is owed has left.
  func closeAfterSending(_ id: ConnectionID)
  /// Hands the socket over to another owner, with what was read and not consumed.
  func release(
    _ id: ConnectionID, consumed: Int
  ) -> (socket: AcceptedSocket, unread: [UInt8])?
  /// Owes bytes; they are written by `flush`, or when the turn is over.
  func send(_ id: ConnectionID, _ bytes: UnsafeRawBufferPointer)
  /// Owes bytes; they are written by `flush`, or when the turn is over.
  func send(_ id: ConnectionID, _ bytes: [UInt8])
  /// Writes what is owed.
  func flush()
  /// Whether input is read and offered.
  func setReading(_ id: ConnectionID, _ on: Bool)
  /// Has kept input offered in the next turn; also within the connection's own `received`.
  func offerAgain(_ id: ConnectionID)
  /// Owed bytes that the socket has not taken.
  func unsentBytes(_ id: ConnectionID) -> Int
  /// Whether output waits for the peer.
  func isBacklogged(_ id: ConnectionID) -> Bool
  /// Ends connections whose time is over.
  func sweep()
  /// The connections there are.
  var count: Int { get }
}

extension Connections {
  /// A socket that nobody has read from.
  public func adopt(_ socket: AcceptedSocket) -> ConnectionID { adopt(socket, unread: []) }

  /// Where there are no sockets there is no TLS either.
  public func connect(
    to address: SocketAddress, securedBy client: TLSClient?
  ) throws(SystemError) -> ConnectionID {
    try connect(to: address)
  }

  /// Where there are no sockets there is no kernel that holds something.
  public func reset(_ id: ConnectionID) { close(id) }

  /// Where there are no sockets there is no TLS either.
  public func isSecuring(_ id: ConnectionID) -> Bool { false }
}

extension ConnectionPool: Connections {
  /// Activates on a queue of the host.
  public func activate(on queue: any WorkQueue, onReady: @escaping @Sendable () -> Void) {
    guard let queue = queue as? DispatchWorkQueue else {
      fatalError("sockets need a queue of the host")
    }
    activate(on: queue.queue, onReady: onReady)
  }

  /// Begins a connect without TLS.
  public func connect(to address: SocketAddress) throws(SystemError) -> ConnectionID {
    try connect(to: address, securedBy: nil)
  }

  /// One round, without waiting.
  public func turn(_ body: (ConnectionID, ConnectionEvent) -> Int) {
    turn(waiting: .zero, body)
  }

  /// Ends connections whose time is over by now.
  public func sweep() { sweep(now: .now()) }
}
