import Testing
import WatchTransfer

@testable import WireFormat

/// Bodies that fail a check (faults B7 to B15, B17, B19): refusals that name the field.
struct BodyFaultTests {
  /// A named stimulus.
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    let error: BodyError

    init(_ name: String, _ bytes: [UInt8], _ field: String) {
      self.name = name
      self.bytes = bytes
      error = .invalid(field: field)
    }

    init(unsupported name: String, _ bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
      error = .unsupported
    }

    var testDescription: String { name }
  }

  static let id = Wire.bytes(1, Wire.id)

  /// A definition with this title.
  static func title(_ bytes: [UInt8]) -> [UInt8] {
    Wire.body(16, id + Wire.bytes(2, bytes))
  }

  static func title(_ text: String) -> [UInt8] { title(Array(text.utf8)) }

  /// A log with these fields behind the required ones.
  static func log(start: Int64 = 0, end: Int64 = 1_000, _ more: [UInt8] = []) -> [UInt8] {
    Wire.body(
      23, id + Wire.text(2, "running") + Wire.signed(4, start) + Wire.signed(5, end) + more)
  }

  static func zone(_ text: String) -> [UInt8] { Wire.body(27, Wire.text(1, text)) }

  static let encodings: [Row] = [
    Row("no bytes", [], "body"),
    Row("B1: bytes that are no message", [0xFF, 0xFF], "body"),
    Row("a body above 32 KiB", title("Run") + Wire.bytes(99, repeated(32_768, [1])), "body"),
    Row(
      "B4: a singular field twice", Wire.bytes(1, Wire.clock) + Wire.bytes(1, Wire.clock), "body"),
    Row("B5: two actions", Wire.body(18, id) + Wire.bytes(20, id), "body"),
    Row("B16: a number longer than it needs to be", Wire.bytes(1, [0x08, 0x80, 0x00]), "body"),
    Row(unsupported: "B5: no action", Wire.bytes(1, Wire.clock)),
    Row(unsupported: "B5: a newer client's action", Wire.body(900, id)),
    Row("B17: no clock", Wire.bytes(18, id), "occurred"),
    Row("B17: a clock without a wall time", Wire.bytes(1, []) + Wire.bytes(18, id), "wall_ms"),
    Row(
      "a boot time without its boot",
      Wire.bytes(1, Wire.clock + Wire.number(3, 1)) + Wire.bytes(18, id), "boot_id"),
    Row(
      "a boot without its time",
      Wire.bytes(1, Wire.clock + Wire.bytes(2, Wire.id)) + Wire.bytes(18, id), "boottime_ms"),
    Row(
      "B14: a boot time of 2^53",
      Wire.bytes(1, Wire.clock + Wire.bytes(2, Wire.id) + Wire.number(3, 1 << 53))
        + Wire.bytes(18, id), "boottime_ms"),
    Row(
      "a zone without its offset", Wire.body(18, id) + Wire.text(2, "UTC"), "zone_offset_seconds"),
    Row("an offset without its zone", Wire.body(18, id) + Wire.signed(3, 0), "zone_id"),
    Row(
      "an offset of more than 18 hours",
      Wire.body(18, id) + Wire.text(2, "UTC") + Wire.signed(3, 64_801), "zone_offset_seconds"),
  ]

  /// A weekly schedule with these weekdays, time of day and first day.
  static func weekly(
    _ weekdays: UInt64 = 1, _ time: UInt64 = 0, _ day: Int64 = 0
  ) -> [UInt8] {
    Wire.body(
      57,
      id + Wire.bytes(2, Wire.text(2, "Run")) + Wire.number(3, weekdays) + Wire.number(4, time)
        + Wire.signed(5, day))
  }

  /// A weight of this decimal, in kilograms unless another unit is given, on the first day.
  static func weight(_ digits: Int64, _ scale: UInt64, unit: UInt64 = 1) -> [UInt8] {
    let weight = Wire.signed(1, digits) + Wire.number(2, scale) + Wire.number(3, unit)
    return Wire.body(59, id + Wire.bytes(2, weight) + Wire.signed(4, 0))
  }

  static let consistency: [Row] = [
    Row("B7: no weekday", weekly(0), "weekdays"),
    Row("B7: an eighth weekday", weekly(128), "weekdays"),
    Row("B14: 24:00", weekly(1, 86_400_000), "time_of_day_ms"),
    Row("B15: a first day before 1970", weekly(1, 0, -1), "first_day"),
    Row("B15: a first day after 2199", weekly(1, 0, 84_006), "first_day"),
    Row("B17: a weekly schedule without a workout", Wire.body(57, id), "workout"),
    Row("B7: an edit to no weekday", Wire.body(58, id + Wire.number(4, 0)), "weekdays"),
    Row("B14: an edit to 24:00", Wire.body(58, id + Wire.number(5, 86_400_000)), "time_of_day_ms"),
    Row("B14: a weight of 5 decimals", weight(8_050_000, 5), "weight"),
    Row("B14: a weight of more than 10,000", weight(10_001, 0), "weight"),
    Row("B7: a weight in stones", weight(12, 0, unit: 3), "weight"),
    Row("B17: no weight", Wire.body(59, id + Wire.signed(4, 0)), "weight"),
    Row(
      "B17: a weight of no moment",
      Wire.body(
        59, id + Wire.bytes(2, Wire.signed(1, 80) + Wire.number(2, 0) + Wire.number(3, 1))),
      "moment"),
    Row("B9: NUL in notes", Wire.body(61, id + Wire.text(4, "a\0b")), "notes"),
    Row(
      "B9: an override of direction in notes", Wire.body(61, id + Wire.text(4, "\u{202E}")), "notes"
    ),
    Row(
      "B10: notes of 2,049 bytes",
      Wire.body(61, id + Wire.text(4, String(repeating: "x", count: 2_049))), "notes"),
    Row("B10: an empty tag", Wire.body(61, id + Wire.bytes(5, Wire.text(1, ""))), "tags"),
    Row(
      "B10: a tag of 65 bytes",
      Wire.body(61, id + Wire.bytes(5, Wire.text(1, String(repeating: "x", count: 65)))), "tags"),
    Row("B19: 17 tags", Wire.body(61, id + Wire.bytes(5, repeated(17, Wire.text(1, "x")))), "tags"),
    Row("B5: an end that says nothing", Wire.body(61, id + Wire.bytes(7, [])), "end"),
    Row(
      "B14: an end at 24:00", Wire.body(61, id + Wire.bytes(7, Wire.number(2, 86_400_000))), "end"),
    Row(
      "B14: active for more than 7 days",
      Wire.body(61, id + Wire.bytes(8, Wire.number(1, 604_800_001))), "active"),
    Row(
      "B13: energy below zero", Wire.body(61, id + Wire.bytes(9, Wire.double(1, -1))), "energy_kcal"
    ),
    Row(
      "B13: a distance of NaN", Wire.body(61, id + Wire.bytes(10, Wire.double(1, .nan))),
      "distance_m"),
    Row("B17: a log without its id", Wire.body(62, []), "log_id"),
    Row("B17: a pause without a day", Wire.body(64, id), "from_day"),
    Row("B15: a pause before 1970", Wire.body(64, id + Wire.signed(2, -1)), "from_day"),
    Row("B15: days again before 1970", Wire.body(65, Wire.signed(1, -1)), "from_day"),
    Row("weekly without a number", Wire.body(26, Wire.number(4, 2)), "streak_days"),
    Row("weekly, no day", Wire.body(26, Wire.number(4, 2) + Wire.number(5, 0)), "streak_days"),
    Row("weekly, eight days", Wire.body(26, Wire.number(4, 2) + Wire.number(5, 8)), "streak_days"),
    Row("daily with a number", Wire.body(26, Wire.number(4, 1) + Wire.number(5, 3)), "streak_days"),
    Row("a number alone", Wire.body(26, Wire.number(5, 3)), "streak_days"),
    Row("B7: another policy", Wire.body(26, Wire.number(4, 4)), "streak_policy"),
  ]

  static let texts: [Row] = [
    Row("B8: bytes that are not UTF-8", title([0x80]), "title"),
    Row("B8: half a character", title([0x41, 0xE6, 0xBC]), "title"),
    Row("B8: an overlong slash", title([0xC0, 0xAF]), "title"),
    Row("B8: a surrogate", title([0xED, 0xA0, 0x80]), "title"),
    Row("B8: past U+10FFFF", title([0xF4, 0x90, 0x80, 0x80]), "title"),
    Row("B8: a byte order mark alone", title("\u{FEFF}"), "title"),
    Row("B8: a byte order mark in front", title("\u{FEFF}Run"), "title"),
    Row("B9: NUL", title("admin\0x"), "title"),
    Row("B9: a line feed", title("a\nb"), "title"),
    Row("B9: a tab", title("a\tb"), "title"),
    Row("B9: delete", title("a\u{7F}"), "title"),
    Row("B9: a C1 control", title("a\u{85}"), "title"),
    Row("B9: a line separator", title("a\u{2028}b"), "title"),
    Row("B9: an override of direction", title("a\u{202E}b"), "title"),
    Row("B9: an isolate", title("a\u{2066}b"), "title"),
    Row("B10: 129 bytes", title(String(repeating: "x", count: 129)), "title"),
    Row(
      "B10: a 4-byte character over the limit", title(String(repeating: "x", count: 125) + "🏃"),
      "title"),
    Row("B10: an empty title", title(""), "title"),
    Row("B12: spaces alone", title("  \u{3000}"), "title"),
    Row("B12: characters without width alone", title("\u{200B}\u{200D}"), "title"),
    Row("B17: no title", Wire.body(16, id), "title"),
    Row(
      "an exercise without a name",
      Wire.body(16, id + Wire.text(2, "a") + Wire.bytes(3, Wire.text(1, ""))), "exercises"),
    Row(
      "B19: 65 exercises",
      Wire.body(16, id + Wire.text(2, "a") + Wire.bytes(3, repeated(65, Wire.text(1, "x")))),
      "exercises"),
    Row("B12: a zone with ..", zone("../../etc/passwd"), "zone_id"),
    Row("B12: a zone that is a path from the root", zone("/etc/passwd"), "zone_id"),
    Row("B12: a zone with an empty part", zone("Europe//Berlin"), "zone_id"),
    Row("B12: a zone that ends in a slash", zone("Europe/"), "zone_id"),
    Row("B12: a zone with a space", zone("Europe/ Berlin"), "zone_id"),
    Row("B12: a zone with a letter that is not ASCII", zone("Europe/Z\u{FC}rich"), "zone_id"),
    Row("B12: a zone with #", zone("Europe#"), "zone_id"),
    Row("B12: an empty zone", zone(""), "zone_id"),
    Row("B10: a zone of 65 bytes", zone(String(repeating: "x", count: 65)), "zone_id"),
  ]

  static let values: [Row] = [
    Row("B12: an id of 15 bytes", Wire.body(18, Wire.bytes(1, Array(Wire.id.dropLast()))), "id"),
    Row("B12: an id of 17 bytes", Wire.body(18, Wire.bytes(1, Wire.id + [1])), "id"),
    Row("B12: an empty id", Wire.body(18, Wire.bytes(1, [])), "id"),
    Row("B12: an id of zeros", Wire.body(18, Wire.bytes(1, repeated(16, [0]))), "id"),
    Row("B17: no id", Wire.body(18, []), "id"),
    Row("B7: a mode of 0", Wire.body(24, Wire.number(1, 0)), "mode"),
    Row("B7: a mode of 99", Wire.body(24, Wire.number(1, 99)), "mode"),
    Row("B7: a mode of 257", Wire.body(24, Wire.number(1, 257)), "mode"),
    Row("B7: a mode of -1", Wire.body(24, Wire.number(1, UInt64.max)), "mode"),
    Row("B7: a mode of 2^31", Wire.body(24, Wire.number(1, 1 << 31)), "body"),
    Row("B17: no mode", Wire.body(24, []), "mode"),
    Row("B13: a goal of NaN", goal(.nan), "value"),
    Row(
      "B13: a goal of infinity", goal(.infinity),
      "value"),
    Row(
      "B13: a goal of -infinity", goal(-.infinity),
      "value"),
    Row(
      "B13: a negative goal", goal(-.leastNonzeroMagnitude),
      "value"),
    Row("B13: a goal of 10^9", goal(1e9), "value"),
    Row("B14: a half of 0", match(half: 0), "half_length_ms"),
    Row("B14: a half of 59.999 s", match(half: 59_999), "half_length_ms"),
    Row("B14: a half of more than 3 hours", match(half: 10_800_001), "half_length_ms"),
    Row("B14: a half of 2^63", match(half: 1 << 63), "half_length_ms"),
    Row("B14: 7 days and 1 ms of activity", log(Wire.number(7, 604_800_001)), "active_ms"),
    Row("B14: 2^64 - 1 ms of activity", log(Wire.number(7, .max)), "active_ms"),
    Row("B14: a workout of 7 days and 1 ms", log(end: 604_800_001), "end_ms"),
    Row("B15: before 1970", log(start: -1), "start_ms"),
    Row("B15: the year 2200", log(start: 7_258_118_400_001, end: 7_258_118_400_001), "start_ms"),
    Row("B15: microseconds for milliseconds", log(start: 1_700_000_000_000_000), "start_ms"),
    Row("B15: Int64.max", log(end: .max), "end_ms"),
    Row("B15: Int64.min", log(start: .min), "start_ms"),
    Row("B17: a schedule without a moment", Wire.body(19, id + Wire.bytes(2, id)), "at_ms"),
    Row("B17: a schedule without a workout", Wire.body(19, id + Wire.signed(3, 5)), "workout"),
    Row("B17: a workout by nothing", Wire.body(22, Wire.bytes(1, [])), "workout"),
    Row(
      "a workout by an empty title", Wire.body(22, Wire.bytes(1, Wire.text(2, ""))), "workout.title"
    ),
    Row("a workout by a short id", Wire.body(22, Wire.bytes(1, Wire.bytes(1, [1]))), "workout.id"),
    Row("weekday 0", Wire.body(26, Wire.number(2, 0)), "first_weekday"),
    Row("weekday 8", Wire.body(26, Wire.number(2, 8)), "first_weekday"),
    Row("step 101", Wire.body(26, Wire.number(3, 101)), "onboarding_step"),
    Row("units of 3", Wire.body(26, Wire.number(1, 3)), "units"),
    Row("B7: a third team", Wire.body(30, id + Wire.bytes(2, Wire.id) + Wire.number(3, 3)), "team"),
    Row("B7: a sixth control", Wire.body(32, id + Wire.number(2, 6)), "control"),
  ]

  static func goal(_ value: Double) -> [UInt8] {
    Wire.body(25, Wire.text(1, "steps") + Wire.double(2, value))
  }

  static func match(half: UInt64) -> [UInt8] {
    Wire.body(28, id + Wire.text(2, "Home") + Wire.text(3, "Away") + Wire.number(4, half))
  }

  @Test(arguments: encodings + texts + values + consistency)
  func `A body that fails a check names the field`(row: Row) {
    #expect(body(row.bytes) == .failure(row.error))
  }

  @Test(
    arguments: [
      ("B10: 128 bytes", title(String(repeating: "x", count: 128))),
      ("B10: a 4-byte character at the limit", title(String(repeating: "x", count: 124) + "🏃")),
      ("one byte", title("x")),
      ("an emoji of several characters", title("🏃‍♀️")),
      ("a definition without a list", title("Legs")),
      ("a list without exercises", Wire.body(16, id + Wire.text(2, "a") + Wire.bytes(3, []))),
      (
        "64 exercises",
        Wire.body(16, id + Wire.text(2, "a") + Wire.bytes(3, repeated(64, Wire.text(1, "x"))))
      ),
      ("a zone of 64 bytes", zone(String(repeating: "x", count: 64))),
      ("a zone with a sign", zone("Etc/GMT+12")),
      ("a half of 1 minute", match(half: 60_000)),
      ("a half of 3 hours", match(half: 10_800_000)),
      ("a start and an end at 0", log(end: 0)),
      ("an end before its start: the rules judge it", log(start: 1_000, end: 0)),
      ("the last instant", log(start: 7_258_118_399_999, end: 7_258_118_399_999)),
      ("7 days", log(end: 604_800_000, Wire.number(7, 604_800_000))),
      ("an activity of 0", log(Wire.number(7, 0))),
      ("a goal of 0", goal(0)),
      ("a denormal goal", goal(.leastNonzeroMagnitude)),
      ("no goal", Wire.body(25, Wire.text(1, "steps"))),
      ("a change of nothing", Wire.body(26, [])),
      ("a body of 32 KiB", paddedToLimit),
    ] as [(String, [UInt8])])
  func `A body at its limits is read`(name: String, bytes: [UInt8]) {
    #expect(throws: Never.self, "\(name)") { try body(bytes).get() }
  }

  static let paddedToLimit: [UInt8] = {
    let start = title("Run")
    return start + Wire.bytes(99, repeated(32_768 - start.count - 5, [1]))
  }()

  @Test func `The padded body is as long as a body may be`() {
    #expect(Self.paddedToLimit.count == FrameLimits.actionBodyBytesMax)
  }

  @Test func `B13: -0 becomes 0`() throws {
    let goal = try body(Self.goal(-0.0)).get()
    guard case .setGoal(_, let value?) = goal.action else {
      Issue.record("not a goal")
      return
    }
    #expect(value == 0 && value.sign == .plus)
  }

  @Test(arguments: [Int64.min, -62_135_596_800_001, -1, 0, 1 << 31, 253_402_300_800_000, .max])
  func `B15: a device's own clock may show anything`(wall: Int64) throws {
    let bytes = Wire.bytes(1, Wire.signed(1, wall)) + Wire.bytes(18, Self.id)
    #expect(try body(bytes).get().occurred.wall == Instant(milliseconds: wall))
  }

  @Test func `B11: titles that look alike and differ in bytes stay different`() throws {
    let composed = try body(Self.title("caf\u{E9}")).get()
    let decomposed = try body(Self.title("cafe\u{301}")).get()
    let encoder = MessageEncoder()
    #expect(encoder.encode(composed) != encoder.encode(decomposed))
  }

  @Test
  func `A match without a length has halves of 45 minutes, a point without a word does not insist`()
    throws
  {
    let match = Wire.body(28, Self.id + Wire.text(2, "Home") + Wire.text(3, "Away"))
    guard case .newMatch(_, _, _, let half, _) = try body(match).get().action else {
      Issue.record("not a match")
      return
    }
    #expect(half == 2_700_000)
    let point = Wire.body(30, Self.id + Wire.bytes(2, Wire.id) + Wire.number(3, 1))
    guard case .addPoint(_, _, .home, false) = try body(point).get().action else {
      Issue.record("not a point")
      return
    }
  }
}
