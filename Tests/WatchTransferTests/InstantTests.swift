import Testing
import WatchTransfer

struct InstantTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", Int64(0)), ("2026-11-30T18:05:00+01:00", 1_796_058_300_000),
    ("2026-11-30T17:05:00Z", 1_796_058_300_000), ("2026-11-30t17:05:00z", 1_796_058_300_000),
    ("2026-11-30 17:05:00Z", 1_796_058_300_000), ("1969-12-31T23:59:59.999Z", -1),
    ("2026-11-30T17:05:00.5Z", 1_796_058_300_500),
    ("2026-11-30T17:05:00.123456789Z", 1_796_058_300_123),
    ("2016-07-11T00:00:30-06:00", 1_468_216_830_000),
  ])
  func `RFC 3339 with an offset is read`(text: String, milliseconds: Int64) {
    #expect(Instant(rfc3339: text)?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "now", "2026-11-30", "2026-11-30T17:05:00", "2026-11-30T17:05Z", "2026-11-30T24:00:00Z",
    "2026-11-30T17:60:00Z", "2026-11-30T17:05:60Z", "2026-02-29T00:00:00Z",
    "2026-11-30T17:05:00.Z", "2026-11-30T17:05:00.1234567890Z", "2026-11-30T17:05:00+1:00",
    "2026-11-30T17:05:00+24:00", "2026-11-30T17:05:00+01:60", "2026-11-30T17:05:00Z ",
    "20261130T170500Z", "２０２６-11-30T17:05:00Z", "-026-11-30T17:05:00Z",
  ])
  func `anything else is not`(text: String) {
    #expect(Instant(rfc3339: text) == nil)
  }

  @Test(arguments: [
    (Int64(0), Int32(0), "1970-01-01T00:00:00Z"),
    (1_796_058_300_000, 3_600, "2026-11-30T18:05:00+01:00"),
    (1_796_058_300_120, 19_800, "2026-11-30T22:35:00.120+05:30"),
    (1_796_058_300_000, -12_600, "2026-11-30T13:35:00-03:30"), (-1, 0, "1969-12-31T23:59:59.999Z"),
  ])
  func `an instant is written at an offset, and read back`(
    milliseconds: Int64, offset: Int32, text: String
  ) {
    let instant = Instant(milliseconds: milliseconds)
    #expect(instant.rfc3339(offsetSeconds: offset) == text)
    #expect(Instant(rfc3339: text) == instant)
  }

  @Test func `no sum overflows`() {
    let latest = Instant(milliseconds: .max)
    let earliest = Instant(milliseconds: .min)
    #expect(latest.advanced(milliseconds: .max) == latest)
    #expect(earliest.advanced(milliseconds: .min) == earliest)
    #expect(latest.rfc3339 == "9999-12-31T23:59:59.999Z")
    #expect(earliest.rfc3339 == "0001-01-01T00:00:00Z")
    #expect(latest.milliseconds(since: earliest) > 0)
  }

  @Test(arguments: [(Int64(7), Int64(2), Int64(3)), (-7, 2, -4), (-8, 2, -4), (0, 5, 0)])
  func `division rounds down`(value: Int64, divisor: Int64, quotient: Int64) {
    #expect(floorDivide(value, divisor) == quotient)
  }
}
