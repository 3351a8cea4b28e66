public import Transport

/// Where the authority is, who asks, and how patient the link is.
public struct LinkConfiguration: Sendable {
  /// Where the authority listens.
  public var address: SocketAddress
  /// TLS, and whom to trust; nil: frames and token go as they are, for loopback and Unix sockets.
  public var tls: TLSClient?
  /// What the device is known by; never logged.
  public var credential: Credential
  /// What the device calls itself when it is paired by a code; at most 128 bytes.
  public var deviceName: String?
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
    self.init(address: address, tls: tls, credential: .token(token))
  }

  /// The usual patience towards `address`, as the device of `credential`.
  public init(address: SocketAddress, tls: TLSClient? = nil, credential: Credential) {
    self.address = address
    self.tls = tls
    self.credential = credential
  }

  /// The device's secret, 32 bytes; with a code, the one that is to become its token.
  public var token: [UInt8] { credential.token }
}
