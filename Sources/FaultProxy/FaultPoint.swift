/// Where in the stream of one direction something happens: counted in bytes, so that it does not
/// depend on how the network cut the stream into reads.
public enum FaultPoint: Hashable, Sendable, CustomStringConvertible {
  /// Behind exactly so many bytes, once.
  case after(bytes: UInt64)
  /// On average behind every `bytes` bytes: each distance is drawn from 1 to twice that less one.
  case oneIn(bytes: UInt64)

  /// What the text form looks like, for messages.
  public static let expected = "a number of bytes, or 1/N: on average once in N bytes"

  /// Reads `400` or `1/5000`; nil for anything else.
  public init?(_ text: some StringProtocol) {
    if text.hasPrefix("1/") {
      guard let bytes = Self.number(text.dropFirst(2)), bytes > 0 else { return nil }
      self = .oneIn(bytes: bytes)
    } else {
      guard let bytes = Self.number(text) else { return nil }
      self = .after(bytes: bytes)
    }
  }

  /// What `init` reads.
  public var description: String {
    switch self {
    case .after(let bytes): "\(bytes)"
    case .oneIn(let bytes): "1/\(bytes)"
    }
  }

  /// The most bytes that a point may name: sums of it cannot overflow.
  public static let bytesMax: UInt64 = 1 << 60

  private static func number(_ digits: some StringProtocol) -> UInt64? {
    guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = UInt64(digits), number <= bytesMax
    else { return nil }
    return number
  }

  /// The point that follows one at `position`; none follows an exact one.
  func next(
    after position: UInt64, using generator: inout some RandomNumberGenerator
  ) -> UInt64? {
    switch self {
    case .after: nil
    case .oneIn(let bytes): position &+ UInt64.random(in: 1...(2 &* bytes &- 1), using: &generator)
    }
  }

  /// Behind how many bytes it happens first.
  func first(using generator: inout some RandomNumberGenerator) -> UInt64 {
    switch self {
    case .after(let bytes): bytes
    case .oneIn: next(after: 0, using: &generator) ?? .max
    }
  }

  /// Which byte it damages first, counted from 1: the one behind an exact point.
  func firstByte(using generator: inout some RandomNumberGenerator) -> UInt64 {
    switch self {
    case .after(let bytes): bytes + 1
    case .oneIn: next(after: 0, using: &generator) ?? .max
    }
  }
}
