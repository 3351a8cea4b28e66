internal import Glibc

/// An IPv4 or IPv6 address without a port: the key for limits by address.
///
/// An IPv4 address that reached an IPv6 socket (`::ffff:a.b.c.d`, RFC 4291 section 2.5.5.2) is the
/// IPv4 address, so that one peer has one address whatever the listener.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  /// The 16 bytes of the IPv6 form in network order, as two numbers.
  private let high: UInt64
  private let low: UInt64

  /// 127.0.0.1.
  public static let loopback = IPAddress(high: 0, low: mappedPrefix | 0x7F00_0001)

  /// The IPv4 address of four bytes in network order.
  init(ipv4 bytes: some Sequence<UInt8>) {
    high = 0
    low = Self.mappedPrefix | Self.number(bytes)
  }

  /// The address of 16 bytes in network order.
  init(ipv6 bytes: some Collection<UInt8>) {
    high = Self.number(bytes.prefix(8))
    low = Self.number(bytes.dropFirst(8))
  }

  /// The address of four or 16 bytes in network order; nil for any other number of them.
  public init?(bytes: [UInt8]) {
    switch bytes.count {
    case 4: self.init(ipv4: bytes)
    case 16: self.init(ipv6: bytes)
    default: return nil
    }
  }

  /// Reads dotted decimal; nil for anything else.
  init?(parsingIPv4 text: String) {
    guard let bytes = Self.bytes(of: text, family: AF_INET, count: 4) else { return nil }
    self.init(ipv4: bytes)
  }

  /// Reads the colon form without brackets; nil for anything else, zones (`%eth0`) included.
  init?(parsingIPv6 text: String) {
    guard let bytes = Self.bytes(of: text, family: AF_INET6, count: 16) else { return nil }
    self.init(ipv6: bytes)
  }

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Whether it is an IPv4 address.
  public var isIPv4: Bool {
    high == 0 && low & ~0xFFFF_FFFF == Self.mappedPrefix
  }

  /// Whether it is 127.0.0.0/8 or ::1.
  public var isLoopback: Bool {
    isIPv4 ? low & 0xFF00_0000 == 0x7F00_0000 : high == 0 && low == 1
  }

  /// The /64 that an IPv6 address lies in, as its first address; an IPv4 address itself.
  public var network64: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

  /// Four or 16 bytes in network order.
  public var bytes: [UInt8] {
    let lower = (0..<8).map { UInt8(truncatingIfNeeded: low >> (56 - 8 * UInt64($0))) }
    if isIPv4 { return Array(lower.suffix(4)) }
    return (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * UInt64($0))) } + lower
  }

  /// Dotted decimal, or the shortest IPv6 form without brackets.
  public var description: String {
    var text = [CChar](repeating: 0, count: 64)
    let bytes = bytes
    let family = isIPv4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static let mappedPrefix: UInt64 = 0x0000_FFFF_0000_0000

  private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func bytes(of text: String, family: Int32, count: Int) -> [UInt8]? {
    // inet_pton takes a C string: a zero byte would hide the rest of the text.
    guard !text.utf8.contains(0) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }
}
