import Foundation
import Testing
import WatchTransfer

@testable import AuthorityServer

@Suite struct MachineZonesTests {
  /// Zones and links of the machine's database (`Z` and `L` lines of tzdata.zi, zic(8)).
  private static func databaseIDs() throws -> [String] {
    let text = try String(contentsOfFile: "/usr/share/zoneinfo/tzdata.zi", encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      switch words.first {
      case "Z": return String(words[1])
      case "L": return String(words[2])
      default: return nil
      }
    }
  }

  @Test func `every zone of the database is known, by every name`() throws {
    let zones = try MachineZones()
    let now = Instant(milliseconds: 1_780_000_000_000)
    let ids = try Self.databaseIDs()
    #expect(ids.count > 400)
    for id in ids { #expect(zones.rules(for: id, from: now, to: now) != nil, "\(id)") }
    let kolkata = try #require(zones.rules(for: "Asia/Kolkata", from: now, to: now))
    #expect(kolkata.offsetSeconds(at: now) == 19_800)
    #expect(zones.rules(for: "Etc/GMT+5", from: now, to: now)?.offsetSeconds(at: now) == -18_000)
  }

  @Test(arguments: [
    "", "Mars/Base", "europe/berlin", "UTC+5", "GMT+1", "PDT", "../../etc/passwd", "right/UTC",
    "posix/UTC", "localtime", "posixrules", "Europe", "Europe/", "zone.tab", "tzdata.zi",
    "+VERSION",
  ])
  func `nothing else is`(id: String) throws {
    let now = Instant(milliseconds: 1_780_000_000_000)
    #expect(try MachineZones().rules(for: id, from: now, to: now) == nil)
  }
}
