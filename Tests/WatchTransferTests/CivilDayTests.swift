import Testing
import WatchTransfer

struct CivilDayTests {
  @Test(arguments: [
    (1970, 1, 1, 0, 4), (1969, 12, 31, -1, 3), (2000, 2, 29, 11_016, 2), (2016, 2, 29, 16_860, 1),
    (2026, 11, 30, 20_787, 1), (2026, 12, 31, 20_818, 4), (2027, 1, 3, 20_821, 7),
    (1900, 3, 1, -25_508, 4), (2100, 2, 28, 47_540, 7), (9999, 12, 31, 2_932_896, 5),
  ])
  func `a date has its number and its weekday`(
    year: Int, month: Int, day: Int, number: Int32, weekday: Int
  ) throws {
    let civil = try #require(CivilDay(year: year, month: month, day: day))
    #expect(civil.number == number)
    #expect(civil.weekday == weekday)
    #expect(civil.date == (year, month, day))
  }

  @Test(arguments: [
    (2026, 2, 29), (2100, 2, 29), (2026, 4, 31), (2026, 13, 1), (2026, 0, 1), (2026, 1, 0),
    (0, 1, 1), (10_000, 1, 1), (2026, 1, 32),
  ])
  func `there is no such date`(year: Int, month: Int, day: Int) {
    #expect(CivilDay(year: year, month: month, day: day) == nil)
  }

  @Test func `every day of two centuries follows the one before`() throws {
    var day = try #require(CivilDay(year: 1899, month: 12, day: 31))
    for _ in 0..<73_500 {
      let next = day.advanced(days: 1)
      let (year, month, dayOfMonth) = next.date
      #expect(CivilDay(year: year, month: month, day: dayOfMonth) == next)
      #expect(next.weekday == day.weekday % 7 + 1)
      #expect(next.days(since: day) == 1)
      day = next
    }
  }

  @Test func `a day is written as ISO 8601`() {
    #expect(CivilDay(number: 20_787).description == "2026-11-30")
    #expect(CivilDay(year: 800, month: 1, day: 2)?.description == "0800-01-02")
  }

  @Test(arguments: [(Int64(0), Int32(0)), (-1, -1), (86_399_999, 0), (86_400_000, 1)])
  func `local time belongs to its day`(milliseconds: Int64, number: Int32) {
    #expect(CivilDay(localMilliseconds: milliseconds).number == number)
  }
}
