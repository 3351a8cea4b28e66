internal import Foundation
internal import Guards
public import WatchTransfer

/// The zone rules of the machine's zone database, read through Foundation and kept as values.
///
/// Foundation offers no list of a zone's changes, so offsets are sampled every six hours and each
/// change is narrowed down to its millisecond; no zone has changed twice within six hours.
public final class MachineZones: ZoneRulesSource {
  private struct Key: Hashable {
    let id: [UInt8]
    let start: Int64
    let end: Int64
  }

  private let known = Lock<[Key: ZoneRules]>([:])

  /// Names the release of the zone database.
  public let version: String

  /// Rules that are kept at most; beyond, all are forgotten and read anew.
  static let rulesMax = 4_096
  private static let sampleMilliseconds: Int64 = 6 * 3_600_000
  /// Ranges are widened to whole weeks, so that accounts of one zone share their rules.
  private static let grainMilliseconds: Int64 = 7 * 86_400_000

  /// Reads the database's version; throws when the database cannot be used at all.
  public init() throws(MachineZonesError) {
    // A statically linked Foundation answers nil for every zone but GMT.
    guard let berlin = TimeZone(identifier: "Europe/Berlin"),
      berlin.secondsFromGMT(for: Date(timeIntervalSince1970: 1_751_328_000)) == 7_200
    else { throw MachineZonesError.unusable }
    version = TimeZone.timeZoneDataVersion
    _ = Self.identifiers
  }

  /// The rules of `id` that hold at least from `start` to `end`; nil when there is no such zone.
  public func rules(for id: String, from start: Instant, to end: Instant) -> ZoneRules? {
    let grain = Self.grainMilliseconds
    let key = Key(
      id: Array(id.utf8), start: floorDivide(start.milliseconds, grain) * grain,
      end: (floorDivide(max(end, start).milliseconds, grain) + 1) * grain)
    if let rules = known.withLock({ $0[key] }) { return rules }
    guard Self.identifiers.contains(Array(id.utf8)), let zone = TimeZone(identifier: id) else {
      return nil
    }
    let rules = Self.sample(zone, id: id, from: key.start, to: key.end)
    known.withLock { known in
      if known.count >= Self.rulesMax { known.removeAll() }
      known[key] = rules
    }
    return rules
  }

  /// The ids of the machine's database, by the lines of zones and links of tzdata.zi (zic(8)), with
  /// those that Foundation lists; its own list lacks a quarter of them, and it accepts
  /// abbreviations and `GMT+1` besides. Read once, at the start: later there may be no descriptor
  /// left.
  private static let identifiers: Set<[UInt8]> = {
    var known = Set((TimeZone.knownTimeZoneIdentifiers + ["UTC", "GMT"]).map { Array($0.utf8) })
    guard let text = try? String(contentsOfFile: "/usr/share/zoneinfo/tzdata.zi", encoding: .utf8)
    else { return known }
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "))
      switch words.first?.elementsEqual("Z".utf8) {
      case true? where words.count > 1: known.insert(Array(words[1]))
      case false? where words.count > 2 && words[0].elementsEqual("L".utf8):
        known.insert(Array(words[2]))
      default: break
      }
    }
    return known
  }()

  private static func sample(_ zone: TimeZone, id: String, from start: Int64, to end: Int64)
    -> ZoneRules
  {
    func offset(_ milliseconds: Int64) -> Int32 {
      Int32(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1_000)))
    }
    let initial = offset(start)
    var transitions: [ZoneRules.Transition] = []
    var before = (at: start, offset: initial)
    while before.at < end {
      let next = min(before.at + sampleMilliseconds, end)
      let after = offset(next)
      if after != before.offset {
        var low = before.at
        var high = next
        while high - low > 1 {
          let middle = low + (high - low) / 2
          if offset(middle) == before.offset { low = middle } else { high = middle }
        }
        transitions.append(.init(at: Instant(milliseconds: high), offsetSeconds: after))
      }
      before = (next, after)
    }
    return ZoneRules(id: id, initialOffsetSeconds: initial, transitions: transitions)
  }
}

/// Why the machine's zone database cannot be used.
public enum MachineZonesError: Error, Sendable, CustomStringConvertible {
  case unusable

  /// One line that says what to do.
  public var description: String {
    "the time zone database cannot be read: install tzdata, and link Foundation dynamically"
  }
}
