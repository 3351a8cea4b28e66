public import Transport

/// How a proxy is run.
public struct ProxyConfiguration: Sendable {
  /// Where clients come to; port 0 picks one.
  public var listen: SocketAddress
  /// Where the server is.
  public var server: SocketAddress
  /// What is done to the bytes of each direction.
  public var up: Faults
  /// See `up`.
  public var down: Faults
  /// Decides every fault, together with a connection's number.
  public var seed: UInt64
  /// Only so many connections, the first ones, have faults; nil: all.
  public var faultyConnections: UInt64?

  /// Passes everything on between `listen` and `server`, with the same faults in both directions.
  public init(
    listen: SocketAddress, server: SocketAddress, faults: Faults = Faults(), seed: UInt64 = 1
  ) {
    self.listen = listen
    self.server = server
    self.seed = seed
    up = faults
    down = faults
  }

  /// The faults of a direction of a connection, counted from 0.
  func faults(_ direction: FaultDirection, of connection: UInt64) -> Faults {
    if let faultyConnections, connection >= faultyConnections { return Faults() }
    return direction == .up ? up : down
  }
}

/// The fixed limits of a proxy.
enum ProxyLimits {
  /// Bytes of a direction that wait, for their time or for a slow reader, before its source is not
  /// read any more: so a slow reader slows the other side, and memory is bounded.
  static let waitingBytesMax = 128 * 1_024
  /// How often deadlines of ending connections are looked at.
  static let sweep = Duration.milliseconds(250)
  /// A slow reader is the peers' business: the proxy has more patience than either.
  static let outputStall = Duration.seconds(86_400)
}
