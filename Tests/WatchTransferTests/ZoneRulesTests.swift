import Testing
import WatchTransfer

struct ZoneRulesTests {
  /// Europe/Berlin around 2026: +1 until 29 March 01:00Z, +2 until 25 October 01:00Z, +1.
  private static let berlin = ZoneRules(
    id: "Europe/Berlin", initialOffsetSeconds: 3_600,
    transitions: [
      .init(at: Instant(milliseconds: 1_774_746_000_000), offsetSeconds: 7_200),
      .init(at: Instant(milliseconds: 1_792_890_000_000), offsetSeconds: 3_600),
    ])
  /// Pacific/Apia left out 30 December 2011: -10 until 10:00Z that day, then +14.
  private static let apia = ZoneRules(
    id: "Pacific/Apia", initialOffsetSeconds: -36_000,
    transitions: [.init(at: Instant(milliseconds: 1_325_239_200_000), offsetSeconds: 50_400)])
  /// A zone whose clocks go from 00:00 to 01:00 on 2 January 1970.
  private static let atMidnight = ZoneRules(
    id: "Test/Midnight", initialOffsetSeconds: 0,
    transitions: [.init(at: Instant(milliseconds: 86_400_000), offsetSeconds: 3_600)])

  private func instant(_ text: String) throws -> Instant {
    try #require(Instant(rfc3339: text))
  }

  @Test(arguments: [
    ("2026-03-29T00:59:59.999Z", Int32(3_600)), ("2026-03-29T01:00:00Z", 7_200),
    ("2026-10-25T00:59:59.999Z", 7_200), ("2026-10-25T01:00:00Z", 3_600),
  ])
  func `an offset holds from its first instant`(text: String, offset: Int32) throws {
    #expect(Self.berlin.offsetSeconds(at: try instant(text)) == offset)
  }

  @Test(arguments: [("2026-03-29", Int64(23)), ("2026-10-25", 25), ("2026-06-01", 24)])
  func `civil days have 23, 25 or 24 hours`(text: String, hours: Int64) throws {
    let noon = try instant("\(text)T12:00:00Z")
    let day = Self.berlin.day(at: noon)
    let start = try #require(Self.berlin.start(of: day))
    let end = try #require(Self.berlin.start(of: day.advanced(days: 1)))
    #expect(end.milliseconds(since: start) == hours * 3_600_000)
    #expect(Self.berlin.day(at: start) == day)
    #expect(Self.berlin.day(at: start.advanced(milliseconds: -1)) == day.advanced(days: -1))
  }

  @Test func `a civil day that never happened has no start`() throws {
    let skipped = try #require(CivilDay(year: 2011, month: 12, day: 30))
    #expect(Self.apia.start(of: skipped) == nil)
    let before = try #require(Self.apia.start(of: skipped.advanced(days: -1)))
    let after = try #require(Self.apia.start(of: skipped.advanced(days: 1)))
    #expect(after.milliseconds(since: before) == 86_400_000)
  }

  @Test func `a skipped midnight is the moment of the change`() throws {
    let day = try #require(CivilDay(year: 1970, month: 1, day: 2))
    #expect(Self.atMidnight.start(of: day)?.milliseconds == 86_400_000)
    #expect(Self.atMidnight.timeOfDay(at: Instant(milliseconds: 86_400_000)) == (1, 0))
  }

  @Test func `a wall time that is skipped or happens twice is the first instant at or after it`()
    throws
  {
    let spring = try #require(CivilDay(year: 2026, month: 3, day: 29))
    let skipped = Self.berlin.firstInstant(atOrAfter: spring, millisecondsOfDay: 9_000_000)
    #expect(skipped == (try instant("2026-03-29T01:00:00Z")))
    let autumn = try #require(CivilDay(year: 2026, month: 10, day: 25))
    let twice = Self.berlin.firstInstant(atOrAfter: autumn, millisecondsOfDay: 9_000_000)
    #expect(twice == (try instant("2026-10-25T00:30:00Z")))
  }

  @Test func `every instant of two changing weeks lies on the day that it says`() throws {
    for start in ["2026-03-25T00:00:00Z", "2026-10-21T00:00:00Z"] {
      var moment = try instant(start)
      for _ in 0..<(8 * 96) {
        let day = Self.berlin.day(at: moment)
        let first = try #require(Self.berlin.start(of: day))
        let next = try #require(Self.berlin.start(of: day.advanced(days: 1)))
        #expect(first <= moment && moment < next)
        moment = moment.advanced(milliseconds: 900_000)
      }
    }
  }
}
