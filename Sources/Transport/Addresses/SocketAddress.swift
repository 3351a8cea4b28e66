internal import CLinux
internal import Glibc
internal import Guards

/// An address that is no address: what is wrong with the text.
public enum SocketAddressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Neither `HOST:PORT` nor `unix:PATH`.
  case malformed(String)
  /// The host is no number and not `localhost`: names are not looked up, because that would block.
  case hostNotNumeric(String)
  /// The port is not within 0 ... 65,535.
  case portOutOfRange(String)
  /// `unix:` without a path, or a path with a zero byte in it.
  case pathInvalid
  /// `tls:` before a Unix socket.
  case tlsOnUnixSocket
  /// The path does not fit the kernel's address, unix(7).
  case pathTooLong(bytes: Int, max: Int)

  /// What to change, in words.
  public var description: String {
    switch self {
    case .malformed(let text):
      "'\(text)' is no address: write HOST:PORT, [IPV6]:PORT or unix:PATH"
    case .hostNotNumeric(let host):
      "'\(host)' is no numeric host: write an IPv4 address, an IPv6 address in brackets or localhost"
    case .portOutOfRange(let port):
      "'\(port)' is no port: write a number from 0 to 65535"
    case .pathInvalid:
      "the path of a Unix socket is empty or has a zero byte in it"
    case .tlsOnUnixSocket:
      "a Unix socket stays on this machine and needs no TLS: leave tls: out"
    case .pathTooLong(let bytes, let max):
      "the path of a Unix socket is \(bytes) bytes long, at most \(max) are possible"
    }
  }
}

/// Where to listen or connect: `HOST:PORT` (IPv4, [IPv6] or `localhost`, which is 127.0.0.1) or
/// `unix:PATH`.
public struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  /// The two kinds of address.
  enum Place: Hashable {
    /// A TCP port of a host.
    case internet(IPAddress, port: UInt16)
    /// A socket file; the path is not empty, has no zero byte and fits.
    case unix(path: String)
  }

  /// What it stands for.
  let place: Place

  /// Wraps a place that was checked.
  init(_ place: Place) {
    self.place = place
  }

  /// Reads the text form. Port 0 lets the kernel choose one, for listening.
  public init(parsing text: String) throws(SocketAddressError) {
    if text.hasPrefix("unix:") {
      place = .unix(path: try Self.checkedPath(String(text.dropFirst(5))))
      return
    }
    guard let colon = text.lastIndex(of: ":") else { throw .malformed(text) }
    let host = text[..<colon]
    let digits = text[text.index(after: colon)...]
    guard !host.isEmpty, !digits.isEmpty else { throw .malformed(text) }
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits) else {
      throw .portOutOfRange(String(digits))
    }
    place = .internet(try Self.ipAddress(of: host), port: port)
  }

  /// Whether only this machine can reach it: a Unix socket or a loopback address.
  public var isLocal: Bool {
    switch place {
    case .internet(let address, _): address.isLoopback
    case .unix: true
    }
  }

  /// The port, unless it is a Unix socket.
  public var port: UInt16? {
    if case .internet(_, let port) = place { port } else { nil }
  }

  /// The path, if it is a Unix socket.
  public var unixPath: String? {
    if case .unix(let path) = place { path } else { nil }
  }

  /// The text form, which `init(parsing:)` reads.
  public var description: String {
    switch place {
    case .internet(let address, let port):
      address.isIPv4 ? "\(address):\(port)" : "[\(address)]:\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }

  /// The address family for socket(2).
  var family: Int32 {
    switch place {
    case .internet(let address, _): address.isIPv4 ? AF_INET : AF_INET6
    case .unix: AF_UNIX
    }
  }

  /// The same in the form of the kernel.
  var systemAddress: clinux_address {
    var result = clinux_address()
    switch place {
    case .internet(let address, let port):
      let bytes = address.bytes
      if address.isIPv4 {
        clinux_address_ipv4(&result, bytes, port)
      } else {
        clinux_address_ipv6(&result, bytes, port)
      }
    case .unix(let path):
      let outcome = clinux_address_unix(&result, path)
      invariant(outcome == 0, "the length of the path was checked")
    }
    return result
  }

  /// The same host with another port; a Unix socket stays as it is.
  func with(port: UInt16) -> SocketAddress {
    guard case .internet(let address, _) = place else { return self }
    return SocketAddress(.internet(address, port: port))
  }

  private static func checkedPath(_ path: String) throws(SocketAddressError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .pathInvalid }
    let bytes = path.utf8.count
    guard bytes <= TransportLimits.unixPathBytesMax else {
      throw .pathTooLong(bytes: bytes, max: TransportLimits.unixPathBytesMax)
    }
    return path
  }

  private static func ipAddress(of host: Substring) throws(SocketAddressError) -> IPAddress {
    if host == "localhost" { return .loopback }
    if host.first == "[", host.last == "]" {
      guard let address = IPAddress(parsingIPv6: String(host.dropFirst().dropLast())) else {
        throw .hostNotNumeric(String(host))
      }
      return address
    }
    guard let address = IPAddress(parsingIPv4: String(host)) else {
      throw .hostNotNumeric(String(host))
    }
    return address
  }
}
