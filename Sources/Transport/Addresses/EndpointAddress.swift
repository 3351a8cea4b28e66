/// Where a server is, and whether TLS is spoken there: `tls:HOST:PORT`, or what ``SocketAddress``
/// reads.
public struct EndpointAddress: Hashable, Sendable, CustomStringConvertible {
  /// Where it is.
  public var address: SocketAddress
  /// Whether TLS is spoken there.
  public var isSecured: Bool

  /// An address, with TLS or without.
  public init(_ address: SocketAddress, isSecured: Bool) {
    self.address = address
    self.isSecured = isSecured
  }

  /// Reads the text form. TLS on a Unix socket would guard against nobody, and is refused.
  public init(parsing text: String) throws(SocketAddressError) {
    isSecured = text.hasPrefix("tls:")
    address = try SocketAddress(parsing: isSecured ? String(text.dropFirst(4)) : text)
    if isSecured, address.unixPath != nil { throw .tlsOnUnixSocket }
  }

  /// The text form, which `init(parsing:)` reads.
  public var description: String { isSecured ? "tls:\(address)" : address.description }
}
