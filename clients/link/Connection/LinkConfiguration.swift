public import Transport

/// Where the authority is, who asks, and how patient the link is.
public struct LinkConfiguration: Sendable {
  /// Where the authority listens.
  public var address: SocketAddress
  /// TLS, and whom to trust; nil: frames and token go as they are, for loopback and Unix sockets.
  public var tls: TLSClient?
  /// The device's secret, 32 bytes; never logged, never written to disk.
  public var token: [UInt8]
  /// Upper bound of the first wait before connecting again, in milliseconds.
  public var firstBackoffMilliseconds: Int64 = 250
  /// Upper bound of any wait of the link's own, in milliseconds.
  public var backoffMaxMilliseconds: Int64 = 30_000
  /// How often the link says that it is there, in milliseconds.
  public var pingIntervalMilliseconds: Int64 = 30_000
  /// A connection that brings nothing for this long is given up, in milliseconds.
  public var idleMilliseconds: Int64 = 90_000
  /// What the client stands on; a simulator gives its own.
  public var machine: any Machine = HostMachine()

  /// The usual patience towards `address`, as the device that has `token`.
  public init(address: SocketAddress, tls: TLSClient? = nil, token: [UInt8]) {
    self.address = address
    self.tls = tls
    self.token = token
  }
}
