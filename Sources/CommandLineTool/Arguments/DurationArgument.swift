/// A span of time as a person names it: `+90s`, `+36h`, `+2d12h`, `1500ms`, or ISO 8601 as in
/// `PT36H` and `P2DT12H`. Days are 24 hours; never negative, at most 100,000 days.
public struct DurationArgument: Hashable, Sendable {
  /// Milliseconds, 0 to 8,640,000,000,000.
  public let milliseconds: Int64

  /// What a span looks like, for messages.
  public static let expected = "a span such as +90s, +36h, +2d or PT36H"

  private static let millisecondsMax: Int64 = 100_000 * 86_400_000

  /// Reads a span; nil for anything else.
  public init?(_ text: some StringProtocol) {
    var letters = Array(text.utf8)[...]
    if letters.first == UInt8(ascii: "+") { letters = letters.dropFirst() }
    let isISO = letters.first == UInt8(ascii: "P") || letters.first == UInt8(ascii: "p")
    let lowered = letters.map { $0 | 0x20 }
    let total = isISO ? Self.iso(lowered.dropFirst()) : Self.parts(lowered[...], of: Self.units)
    guard let total, total <= Self.millisecondsMax else { return nil }
    milliseconds = total
  }

  private typealias Unit = (name: String, milliseconds: Int64)

  private static let units: [Unit] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
  ]

  /// `2DT12H`, after the P: days, then T and hours, minutes, seconds.
  private static func iso(_ letters: ArraySlice<UInt8>) -> Int64? {
    let halves = letters.split(separator: UInt8(ascii: "t"), omittingEmptySubsequences: false)
    guard halves.count <= 2 else { return nil }
    var total: Int64 = 0
    if !halves[0].isEmpty {
      guard let days = parts(halves[0], of: [units[0]]) else { return nil }
      total += days
    } else if halves.count == 1 {
      return nil
    }
    if halves.count == 2 {
      guard let time = parts(halves[1], of: Array(units[1...3])) else { return nil }
      total += time
    }
    return total
  }

  /// One or more of number and unit, largest unit first, each unit once.
  private static func parts(_ letters: ArraySlice<UInt8>, of units: [Unit]) -> Int64? {
    var rest = letters
    var allowed = units[...]
    var total: Int64 = 0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(digits.count)
      let name = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      rest = rest.dropFirst(name.count)
      guard (1...13).contains(digits.count),
        let number = Int64(String(decoding: digits, as: UTF8.self)),
        let index = allowed.firstIndex(where: { Array($0.name.utf8) == Array(name) })
      else { return nil }
      let (span, overflow) = number.multipliedReportingOverflow(by: allowed[index].milliseconds)
      guard !overflow, span <= millisecondsMax else { return nil }
      total += span
      allowed = allowed[(index + 1)...]
    }
    return total
  }
}
