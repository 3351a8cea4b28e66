internal import CLinux
internal import Glibc

/// Who is at the far end of a connection.
public enum PeerAddress: Hashable, Sendable, CustomStringConvertible {
  /// A process of this machine on a Unix socket, running as this user (SO_PEERCRED, unix(7)).
  case unix(user: UInt32)
  /// A host.
  case internet(IPAddress)

  /// Whether the peer is on this machine.
  public var isLocal: Bool {
    switch self {
    case .unix: true
    case .internet(let address): address.isLoopback
    }
  }

  /// The address, unless it is a Unix socket.
  public var ipAddress: IPAddress? {
    if case .internet(let address) = self { address } else { nil }
  }

  /// For logs: `unix(user 1000)` or the address.
  public var description: String {
    switch self {
    case .unix(let user): "unix(user \(user))"
    case .internet(let address): address.description
    }
  }
}

extension PeerAddress {
  /// The peer of an accepted connection.
  init(_ peer: clinux_peer) {
    let bytes = withUnsafeBytes(of: peer.address) { Array($0) }
    switch peer.family {
    case AF_INET: self = .internet(IPAddress(ipv4: bytes.prefix(4)))
    case AF_INET6: self = .internet(IPAddress(ipv6: bytes))
    default: self = .unix(user: peer.user)
    }
  }
}
