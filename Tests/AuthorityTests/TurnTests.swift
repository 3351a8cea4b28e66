import Authority
import Testing
import WatchTransfer

/// Turns (DESIGN section 3).
@Suite struct TurnTests {
  private let start = instant("2026-06-10T10:00:00Z")

  @Test(
    "A turn is due with fewer than 7 days of horizon, or over a minute behind the newest turn",
    arguments: [
      (0, false), (86_400_000, false), (86_400_001, true), (-60_000, false), (-60_001, true),
      (30 * 86_400_000, true),
    ] as [(Int64, Bool)])
  func due(after milliseconds: Int64, expected: Bool) {
    var account = TestAccount(at: start)
    account.turn(at: start)
    #expect(
      turnIsDue(
        account.state, now: start.advanced(milliseconds: milliseconds), zoneDataVersion: "test-1")
        == expected)
  }

  @Test("Another release of the zone database makes a turn due")
  func otherZoneData() {
    var account = TestAccount(at: start)
    #expect(turnIsDue(AccountState(), now: start, zoneDataVersion: "x"))
    #expect(!turnIsDue(account.state, now: start, zoneDataVersion: "x"), "not known at creation")
    account.turn(at: start)
    #expect(turnIsDue(account.state, now: start, zoneDataVersion: "x"))
    account.zones.version = "x"
    account.turn(at: start)
    #expect(!turnIsDue(account.state, now: start, zoneDataVersion: "x"))
  }

  @Test("A turn carries the zone's rules up to the horizon")
  func horizon() {
    var account = TestAccount(at: start)
    // Ten weeks on, the change of October comes into sight.
    let later = instant("2026-10-20T10:00:00Z")
    account.turn(at: later)
    #expect(account.state.newestTurn == later)
    #expect(account.today.days.map(\.from).contains(instant("2026-10-25T23:00:00Z")))
    #expect(
      account.today.days.last.map { $0.from <= later.advanced(milliseconds: horizonMilliseconds) }
        == true)
    #expect(account.today.days.count == 9)
    #expect(touchedFacets(by: account.events) == [.today, .streak, .goals, .theme])
  }

  @Test("A clock that went back gets a turn that goes back")
  func back() {
    var account = TestAccount(at: start)
    let earlier = start.advanced(milliseconds: -86_400_000)
    account.turn(at: earlier)
    #expect(account.state.newestTurn == earlier)
    #expect(account.theme.flips[0].from == earlier)
  }

  @Test("A zone the database no longer has keeps its rules")
  func lostZone() {
    var account = TestAccount(at: start)
    struct NoZones: ZoneRulesSource {
      let version = "none"
      func rules(for id: String, from start: Instant, to end: Instant) -> ZoneRules? { nil }
    }
    let events = turnEvents(account.state, now: start, zones: NoZones())
    account.commit(events)
    #expect(account.state.zoneID == "Europe/Berlin")
    #expect(account.today.days[1].from == local("2026-06-11 00:00", "Europe/Berlin"))
  }
}
