import Testing
import WatchTransfer

@testable import CommandLineTool

@Suite struct MachineTests {
  @Test(
    arguments: [
      ("Europe/Berlin", nil, nil, "Europe/Berlin"), (":Asia/Tokyo", nil, nil, "Asia/Tokyo"),
      ("/usr/share/zoneinfo/America/New_York", nil, nil, "America/New_York"),
      ("", "/usr/share/zoneinfo/Asia/Tokyo", nil, "UTC"), ("CET-1CEST,M3.5.0", nil, nil, nil),
      (nil, "/usr/share/zoneinfo/Europe/Paris", "Asia/Tokyo", "Europe/Paris"),
      (nil, "../usr/share/zoneinfo/posix/Etc/UTC", nil, "Etc/UTC"),
      (nil, nil, "Asia/Tokyo", "Asia/Tokyo"), (nil, "/etc/somewhere", nil, "UTC"),
      (nil, nil, nil, "UTC"),
    ] as [(String?, String?, String?, String?)])
  func `the zone comes from TZ, then the link, then the file`(
    variable: String?, link: String?, file: String?, id: String?
  ) {
    #expect(MachineZone.id(variable: variable, localtimeLink: link, timezoneFile: file) == id)
  }

  @Test func `a fresh emulated watch has booted just before`() {
    let clock = EmulatedClock(
      startWall: Samples.noon, startSteadyMilliseconds: 500, kept: nil,
      freshBoot: .init(high: 1, low: 1))
    let reading = clock.reading(atSteadyMilliseconds: 1_500)
    #expect(reading.wall == Samples.noon.advanced(milliseconds: 1_000))
    #expect(reading.boot == BootReading(id: .init(high: 1, low: 1), milliseconds: 11_000))
  }

  @Test(
    arguments: [
      (0, true), (3_600_000, true), (-1, false), (-86_400_000, false),
    ] as [(Int64, Bool)])
  func `a later run goes on with the boot, an earlier one is a new boot`(moved: Int64, isSame: Bool)
  {
    let old = BootID(high: 1, low: 1)
    let new = BootID(high: 2, low: 2)
    let first = EmulatedClock(
      startWall: Samples.noon, startSteadyMilliseconds: 0, kept: nil, freshBoot: old)
    let start = Samples.noon.advanced(milliseconds: moved)
    let second = EmulatedClock(
      startWall: start, startSteadyMilliseconds: 77, kept: first.kept, freshBoot: new)
    let reading = second.reading(atSteadyMilliseconds: 77)
    #expect(reading.wall == start)
    let boot = BootReading(id: isSame ? old : new, milliseconds: isSame ? 10_000 + moved : 10_000)
    #expect(reading.boot == boot)
  }

  @Test(arguments: ["", "x y z", "00000000000000010000000000000001 5", "1 2 3 4"])
  func `a broken note of the boot is a new boot`(kept: String) {
    let new = BootID(high: 2, low: 2)
    let clock = EmulatedClock(
      startWall: Samples.noon, startSteadyMilliseconds: 0, kept: kept, freshBoot: new)
    #expect(clock.boot == new)
  }

  @Test(
    arguments: [
      (0, "0:00"), (59_999, "0:59"), (2_825_000, "47:05"), (6_000_000, "100:00"), (-5, "0:00"),
    ] as [(Int64, String)])
  func `a timer shows minutes and seconds`(milliseconds: Int64, text: String) {
    #expect(timerText(milliseconds: milliseconds) == text)
  }
}
