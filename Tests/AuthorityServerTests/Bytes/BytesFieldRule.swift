import WireFormat

/// A field's value, in the form that its type has on the wire.
enum BytesValue: Sendable {
  case plain(UInt64)
  case zigzag(Int64)
  case figure(Double)
  case run([UInt8])

  static func words(_ text: String) -> BytesValue { .run(Array(text.utf8)) }

  func written(as field: UInt64) -> [UInt8] {
    switch self {
    case .plain(let value): number(field, value)
    case .zigzag(let value): signed(field, value)
    case .figure(let value): double(field, value)
    case .run(let bytes): blob(field, bytes)
    }
  }
}

/// What a field of an action may hold and what not, by its type, and by its name: a name means the
/// same in every action, unless its place is listed.
struct BytesFieldRule {
  var good: BytesValue
  /// At the bounds: never refused as invalid for this field's sake.
  var fine: [BytesValue] = []
  /// Beyond them: refused, and the refusal names the field or what holds it.
  var wrong: [BytesValue] = []
  /// What the field's type cannot hold: the body cannot be read.
  var unreadable: [BytesValue] = []

  /// nil for a field that nobody has made up a rule for.
  init?(for field: WireField, at path: [String]) {
    switch field.content {
    case .flag:
      self.init(good: .plain(1), fine: [.plain(0)], unreadable: [.plain(2)])
    case .choice(let cases):
      guard let first = cases.first, let last = cases.max() else { return nil }
      let known = cases.map { UInt64($0) }
      let beyond = [0, UInt64(last) + 1, 99, 257, UInt64(Int32.max), .max]
      self.init(
        good: .plain(UInt64(first)), fine: known.map { BytesValue.plain($0) },
        wrong: beyond.filter { !known.contains($0) }.map { BytesValue.plain($0) },
        unreadable: [.plain(1 << 31)])
    case .double:
      let end = path.first == "record_samples" && path.contains("heart_rate") ? 400.1 : 1e9
      let wrong: [Double] = [.nan, .signalingNaN, .infinity, -.infinity, -1, end]
      self.init(
        good: .figure(1), fine: [.figure(0), .figure(.leastNonzeroMagnitude), .figure(end - 1)],
        wrong: wrong.map { BytesValue.figure($0) })
    case .unsigned(let bits):
      guard let range = Self.range(of: field.name, at: path) else { return nil }
      let last = bits == 64 ? UInt64.max : UInt64(UInt32.max)
      var wrong: [UInt64] = []
      if range.lowerBound > 0 { wrong.append(UInt64(range.lowerBound) - 1) }
      if UInt64(range.upperBound) < last { wrong += [UInt64(range.upperBound) + 1, last] }
      self.init(
        good: .plain(UInt64(Self.goods[field.name] ?? range.lowerBound)),
        fine: [.plain(UInt64(range.lowerBound)), .plain(UInt64(range.upperBound))],
        wrong: wrong.map { BytesValue.plain($0) },
        unreadable: bits == 64 ? [] : [.plain(1 << 32)])
    case .signed(let bits):
      guard let range = Self.range(of: field.name, at: path) else { return nil }
      let ends = bits == 64 ? Int64.min...Int64.max : Int64(Int32.min)...Int64(Int32.max)
      var wrong: [Int64] = []
      if range.lowerBound > ends.lowerBound { wrong += [range.lowerBound - 1, ends.lowerBound] }
      if range.upperBound < ends.upperBound { wrong += [range.upperBound + 1, ends.upperBound] }
      self.init(
        good: .zigzag(Self.goods[field.name] ?? range.lowerBound),
        fine: [.zigzag(range.lowerBound), .zigzag(range.upperBound)],
        wrong: wrong.map { BytesValue.zigzag($0) },
        unreadable: bits == 64 ? [] : [.plain(1 << 32)])
    case .bytes: self.init(bytesOf: field.name, at: path)
    case .message, .other: return nil
    }
  }

  private init(
    good: BytesValue, fine: [BytesValue] = [], wrong: [BytesValue] = [],
    unreadable: [BytesValue] = []
  ) {
    self.good = good
    self.fine = fine
    self.wrong = wrong
    self.unreadable = unreadable
  }

  private init?(bytesOf name: String, at path: [String]) {
    let spoilt: [BytesValue] = [
      .words("a\0b"), .words("\u{202E}ab"), .run([0xC3, 0x28]), .run([0xED, 0xA0, 0x80]),
    ]
    if Self.ids.contains(name) {
      self.init(
        good: .run(id(1)),
        wrong: [[], Array(id(1).dropLast()), id(1) + [1], repeated([0], 16)].map { .run($0) })
    } else if name == "content_hash" {
      let hash = repeated([7], 32)
      self.init(
        good: .run(hash),
        wrong: [[], Array(hash.dropLast()), hash + [7], repeated([0], 32)].map { .run($0) })
    } else if name == "zone_id" {
      self.init(
        good: .words("Europe/Berlin"), fine: [.words("UTC"), .words("Etc/GMT+12")],
        wrong: spoilt + [
          .run([]), .words("Europe/"), .words("../etc"), .run(repeated([0x78], 65)),
        ])
    } else if name == "notes" {
      self.init(
        good: .words("easy"), fine: [.run([]), .run(repeated([0x78], 2_048))],
        wrong: spoilt + [.run(repeated([0x78], 2_049))])
    } else if Self.names.contains(name) {
      let max = path.contains("tags") ? 64 : 128
      self.init(
        good: .words("Legs"), fine: [.words("x"), .run(repeated([0x78], max))],
        wrong: spoilt + [.run([]), .words("  "), .run(repeated([0x78], max + 1))])
    } else {
      return nil
    }
  }

  private static let ids: Set<String> = [
    "id", "log_id", "match_id", "entry_id", "session_id", "set_id", "exercise_id", "routine_id",
    "off", "on",
  ]

  private static let names: Set<String> = [
    "title", "name", "names", "home", "away", "activity_type", "source_name", "external_uuid",
  ]

  /// 1970 to 2199.
  private static let instants: ClosedRange<Int64> = 0...7_258_118_399_999

  private static let ranges: [String: ClosedRange<Int64>] = [
    "at_ms": instants, "start_ms": instants, "end_ms": instants,
    "active_ms": 0...604_800_000, "ms": 0...604_800_000,
    "half_length_ms": 60_000...10_800_000, "extra_half_ms": 60_000...10_800_000,
    "first_weekday": 1...7, "onboarding_step": 0...100, "streak_days": 1...7,
    "seconds": 1...3_600, "rest_seconds": 1...3_600, "position": 0...31, "reps": 0...1_000,
    "count": 1...12, "button": 0...255, "weekdays": 1...127, "time_of_day_ms": 0...86_399_999,
    "first_day": 0...84_005, "from_day": 0...84_005, "day": 0...84_005,
    // With the good scale of 2.
    "digits": -1_000_000...1_000_000, "scale": 0...4,
  ]

  /// Where a name means something else, by its action.
  private static func range(of name: String, at path: [String]) -> ClosedRange<Int64>? {
    switch (path[0], name) {
    // By the device's own clock, which may show anything.
    case ("record_samples", "at_ms"): Int64.min...Int64.max
    case ("record_samples", "number"): 0...Int64(UInt32.max)
    case ("set_squad", "number"): 0...999
    case ("define_routine", "reps"), ("edit_routine", "reps"): 1...1_000
    // From the good start on, a week at most.
    case ("log_workout", "end_ms"): bodyMoment - 3_600_000...bodyMoment + 601_200_000
    // More than nothing, and at most 1,000 kg with the good scale of 2.
    case ("log_weight", "digits"): 1...100_000
    default: ranges[name]
    }
  }

  private static let goods: [String: Int64] = [
    "at_ms": bodyMoment, "start_ms": bodyMoment - 3_600_000, "end_ms": bodyMoment,
    "streak_days": 3, "reps": 5, "count": 3, "seconds": 90, "rest_seconds": 90, "digits": 8_225,
    "scale": 2, "weekdays": 0b1_0101, "first_day": 20_787, "from_day": 20_787, "day": 20_787,
    "half_length_ms": 2_700_000, "extra_half_ms": 900_000, "first_weekday": 7, "number": 7,
    "time_of_day_ms": 64_800_000,
  ]
}
