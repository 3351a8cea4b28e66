/// Eight digits that pair one device, once and for a short time: easy to read from one screen and
/// to type on another, and worth nothing afterwards.
public struct PairingCode: Hashable, Sendable {
  /// Eight ASCII digits. A secret while it lives: nothing prints it by accident.
  public let digits: [UInt8]

  /// How many digits a code has.
  public static let digitCount = 8

  /// How many codes there are.
  public static let codeCount: UInt64 = 100_000_000

  /// Exactly eight ASCII digits; nil for anything else.
  public init?(digits: some Collection<UInt8>) {
    guard digits.count == Self.digitCount, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    self.digits = Array(digits)
  }

  /// As a person types it: eight digits, with spaces and hyphens wherever they help.
  public init?(typed text: String) {
    self.init(digits: text.utf8.filter { $0 != 0x20 && $0 != 0x2D })
  }

  /// The code of a number below `codeCount`; a larger one counts from 0 again.
  public init(number: UInt64) {
    var rest = number % Self.codeCount
    var digits = [UInt8](repeating: 0x30, count: Self.digitCount)
    for index in digits.indices.reversed() {
      digits[index] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    self.digits = digits
  }

  /// The digits, to be shown to the person who asked for the code and to nobody else.
  public var text: String { String(decoding: digits, as: UTF8.self) }
}

extension PairingCode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Not the digits.
  public var description: String { "a pairing code" }

  /// Not the digits.
  public var debugDescription: String { description }

  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
