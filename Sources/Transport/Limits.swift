/// The fixed limits of this layer.
public enum TransportLimits {
  /// Descriptors kept for files, the database and the process itself, beyond connections.
  /// Protects the rest of the server from its clients.
  public static let descriptorsReserved = 64
  /// Connections the kernel completes ahead of accept; what is more is retried by the peers (and
  /// cut down by the system's `net.core.somaxconn`). Lets a whole fleet reconnect at once.
  public static let listenBacklogMax = 4_096
  /// Accepts in one wake-up of a listener, so that a storm of connects cannot hold its queue.
  public static let acceptsPerTurnMax = 64
  /// The longest path of a Unix socket: `sun_path` holds 108 bytes with its final zero, unix(7).
  public static let unixPathBytesMax = 107
  /// How long a turn of a pool handles readiness events, in nanoseconds; what the owner's queue has
  /// to do besides waits for so long.
  static let eventsNanosecondsMax: Int64 = 500_000
  /// How long before that it serves its ready list: those who have sent more than their share get
  /// less than those who come anew.
  static let readyNanosecondsMax: Int64 = 250_000
  /// Readiness events collected at once.
  static let eventsMax = 512
  /// Of those, peers that have gone: thousands may go at once, and cost more than a request.
  static let endingsMax = 32
  /// Bytes read from one connection in one turn: no connection starves the others.
  static let readBytesPerTurnMax = 64 * 1_024
  /// Records of TLS taken from one connection in one turn: they may be as small as a byte, or hold
  /// nothing for the owner at all.
  static let recordsPerTurnMax = 64
  /// Kept input up to here is copied in front of the next read; above, the read goes behind it in
  /// place, so that a peer that dribbles a large frame costs no copying.
  static let keptBytesCopiedMax = 4 * 1_024
  /// Size of the pooled buffers, enough for the answers of a usual turn.
  static let chunkBytes = 8 * 1_024
  /// Free pooled buffers kept for reuse by each pool (at most 2 MiB).
  static let freeChunksMax = 256
  /// What output that outgrows one of them moves to at once, so that it is moved once: growing by
  /// doubling would copy a long answer again at each step.
  static let largeChunkBytes = 64 * 1_024
  /// Free large buffers kept for reuse by each pool (at most 2 MiB).
  static let freeLargeChunksMax = 32
}

/// How a listener reacts when descriptors or kernel memory run out.
public struct ListenerLimits: Sendable {
  /// The first pause; each further one in a row is twice as long.
  public var pauseFirst: Duration = .milliseconds(100)
  /// The longest pause.
  public var pauseLongest: Duration = .seconds(1)

  /// The defaults: 100 ms doubling to 1 s.
  public init() {}
}

/// What one pool of connections may hold and how long a peer may stall.
public struct ConnectionLimits: Sendable {
  /// Connections in the pool. Costs address space only (104 bytes each) until they exist.
  public var connectionsMax = 65_536
  /// Unconsumed input kept for one connection; at the limit it is not read until the owner
  /// consumes. Must be at least the largest frame the owner accepts, header included.
  public var keptBytesMax = 128 * 1_024
  /// Unsent output of one connection; beyond it the connection is closed (`outputOverflow`). A last
  /// line of defence: owners stop answering far earlier, at 256 KiB.
  public var unsentBytesMax = 4 * 1_024 * 1_024
  /// A connection that accepts nothing of its unsent output for this long is closed.
  public var outputStall: Duration = .seconds(30)
  /// Kept input (a partial frame) not consumed for this long closes the connection: slowloris.
  public var inputStall: Duration = .seconds(10)
  /// After the last byte, how long a peer may take to read it and finish its side.
  public var linger: Duration = .seconds(1)
  /// How long a connect may take.
  public var connect: Duration = .seconds(10)
  /// Memory for input and output that this pool shares with others; nil: bounded by connection
  /// only. What TLS and the kernel hold does not count.
  public var budget: BufferBudget?
  /// Whether it gives all it holds before the others give more than their share.
  public var givesFirst = false

  /// The defaults of the server.
  public init() {}
}
