/// What a weight is entered in.
public enum WeightUnit: UInt8, CaseIterable, Sendable {
  case kilograms = 1
  case pounds = 2

  /// The word used on the command line, in JSON and behind a figure.
  public var word: String { self == .kilograms ? "kg" : "lb" }

  /// What a person who reads `units` reads weights in.
  public init(_ units: Units) { self = units == .metric ? .kilograms : .pounds }

  /// How many of it so many kilograms are.
  public func amount(ofKilograms kilograms: Double) -> Double {
    kilograms * 1e8 / Double(hundredMillionths)
  }

  /// One of it in 10^-8 kg: the international pound of 1959 is 0.45359237 kg exactly.
  fileprivate var hundredMillionths: Int64 { self == .kilograms ? 100_000_000 : 45_359_237 }
}

/// A weight as a person entered it: the decimal keeps its digits, so that 241 lb stay 241 lb and
/// 82.25 kg stay 82.25 kg (DESIGN section 6, rule 7). Below zero it is assistance, never volume.
public struct Weight: Hashable, Sendable {
  /// Digits after the point that are kept.
  public static let scaleMax = 4
  /// Largest magnitude, in the unit it was entered in.
  public static let unitsMax: Int64 = 10_000

  /// All digits, without the point: 8225 for 82.25.
  public let digits: Int64
  /// Digits after the point, 0 to `scaleMax`.
  public let scale: Int
  public let unit: WeightUnit

  /// `digits` with a point before the last `scale` of them; nil beyond the bounds.
  public init?(digits: Int64, scale: Int, unit: WeightUnit) {
    guard (0...Self.scaleMax).contains(scale),
      digits.magnitude <= Self.powers[scale].magnitude * Self.unitsMax.magnitude
    else { return nil }
    self.digits = digits
    self.scale = scale
    self.unit = unit
  }

  /// Reads `82.25`, `-21`, `60`: an optional minus, digits, and a point with digits after it; a
  /// comma is refused, because it means a point to some and thousands to others.
  public init?(_ text: some StringProtocol, unit: WeightUnit) {
    var digits: Int64 = 0
    var scale: Int?
    var count = 0
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    for byte in text.utf8.dropFirst(isNegative ? 1 : 0) {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        count += 1
        guard count <= 12 else { return nil }
        digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
        if let known = scale { scale = known + 1 }
      case UInt8(ascii: "."):
        guard scale == nil, count > 0 else { return nil }
        scale = 0
      default: return nil
      }
    }
    guard count > 0, scale != 0 else { return nil }
    self.init(digits: isNegative ? -digits : digits, scale: scale ?? 0, unit: unit)
  }

  /// The figure as it was entered: `82.25`.
  public var figure: String { Self.figure(digits, scale: scale) }

  /// Figure and unit as entered: `82.25 kg`.
  public var text: String { "\(figure) \(unit.word)" }

  /// Figure and unit in `shown`: as entered in its own unit, else to a tenth.
  public func text(in shown: WeightUnit) -> String {
    if shown == unit { return text }
    // At most 10^8 * 10^8 * 10 before the division.
    let dividend = digits * unit.hundredMillionths * 10
    let divisor = Self.powers[scale] * shown.hundredMillionths
    var tenths = Int64((dividend.magnitude + divisor.magnitude / 2) / divisor.magnitude)
    if digits < 0 { tenths = -tenths }
    let isWhole = tenths % 10 == 0
    let figure = Self.figure(isWhole ? tenths / 10 : tenths, scale: isWhole ? 0 : 1)
    return "\(figure) \(shown.word)"
  }

  /// For sums and comparisons between units.
  public var kilograms: Double { Double(exact) / 1e12 }

  /// Whether it weighs less than `other`, in whatever units.
  public func isLess(than other: Weight) -> Bool { exact < other.exact }

  /// In 10^-12 kg: at most 10^16 of them.
  private var exact: Int64 { digits * Self.powers[Self.scaleMax - scale] * unit.hundredMillionths }

  private static let powers: [Int64] = [1, 10, 100, 1_000, 10_000]

  private static func figure(_ digits: Int64, scale: Int) -> String {
    let sign = digits < 0 ? "-" : ""
    let power = powers[scale].magnitude
    let whole = digits.magnitude / power
    guard scale > 0 else { return "\(sign)\(whole)" }
    let rest = String(digits.magnitude % power)
    return "\(sign)\(whole).\(String(repeating: "0", count: scale - rest.count))\(rest)"
  }
}
