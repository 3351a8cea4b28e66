import Testing
import WatchTransfer

@testable import Authority

/// Actions offered again after a restore: applied is applied (DESIGN section 4).
@Suite struct ReofferedTests {
  private let start = instant("2026-06-10T10:00:00Z")
  private let match = MatchID.test(100)

  private func at(_ seconds: Int64) -> Instant { start.advanced(milliseconds: seconds * 1_000) }

  private func made() -> TestAccount {
    var account = TestAccount(at: at(-100))
    account.act(
      .newMatch(id: match, home: "A", away: "B", halfLengthMilliseconds: 2_700_000), at: at(-50))
    return account
  }

  @Test("What other devices did first, or lateness, does not undo it")
  func applied() {
    var account = made()
    account.control(match, .start, by: Devices.phone, at: at(0))
    account.control(match, .pause, by: Devices.phone, at: at(50))
    #expect(account.control(match, .reset, at: at(40), now: at(9_999), reoffered: true) == .applied)
    #expect(account.clock?.elapsedMilliseconds == 0, "put in at its time")
    account.point(match, .home, entry: 1, by: Devices.phone, at: at(60))
    #expect(account.point(match, .home, entry: 2, at: at(61), reoffered: true) == .applied)
    #expect(account.score?.home == 2)
    account.control(match, .end, by: Devices.phone, at: at(100))
    #expect(account.control(match, .start, at: at(101), reoffered: true) == .applied)
    #expect(account.clock?.phase == .ended)
    account.act(.setTheme(mode: .night), at: at(50))
    #expect(
      account.act(.setTheme(mode: .day), at: at(40), now: at(200), reoffered: true) == .applied)
    #expect(account.theme.mode == .night, "the later edit stays")
    account.act(.setZone(id: "Asia/Kolkata"), at: at(50))
    #expect(
      account.act(.setZone(id: "Europe/London"), at: at(40), now: at(200), reoffered: true)
        == .applied)
    #expect(account.state.zoneID == "Asia/Kolkata")
    for index in 0..<33 {
      #expect(
        account.act(.setGoal(name: "g\(index)", value: 1), at: at(200), reoffered: true)
          == .applied)
    }
    #expect(account.goals.goals.count == 33)
  }

  @Test("What is wrong with the action itself stays refused")
  func stillRefused() {
    var account = made()
    #expect(
      account.act(.setZone(id: "Mars/Phobos"), at: at(0), reoffered: true)
        == .refused(.invalid(field: "zone_id")))
    let widget = ActingDevice(id: .test(7), name: "W", kind: .widget)
    #expect(
      account.act(.setTheme(mode: .day), by: widget, at: at(0), reoffered: true)
        == .refused(.forbidden))
  }

  @Test("An object that has not come back is a stub, filled when its maker arrives")
  func stubs() {
    var account = TestAccount(at: at(-100))
    let workout = WorkoutID.test(1)
    account.act(
      .editWorkout(id: workout, title: "New", exercises: nil), at: at(10), reoffered: true)
    account.act(
      .defineWorkout(id: workout, title: "Old", exercises: ["Squat"]), at: at(0), now: at(20),
      reoffered: true)
    #expect(account.state.workouts.map(\.title) == ["New"])
    #expect(account.state.workouts.map(\.exercises) == [["Squat"]])
    #expect(account.state.workouts.map(\.isStub) == [false])

    account.act(
      .scheduleWorkout(id: .test(3), workout: .id(.test(2)), at: at(3_600)), at: at(30),
      reoffered: true)
    #expect(account.today.days[0].items.map(\.title) == ["Workout"])
    account.act(
      .defineWorkout(id: .test(2), title: "Legs", exercises: []), at: at(0), now: at(40),
      reoffered: true)
    #expect(account.today.days[0].items.map(\.title) == ["Legs"])

    account.act(
      .nameTeam(match: match, team: .home, name: "Reds"), at: at(50), reoffered: true)
    account.act(
      .newMatch(id: match, home: "A", away: "B", halfLengthMilliseconds: 2_700_000), at: at(0),
      now: at(60), reoffered: true)
    #expect(account.teams == TeamsFacet(match: match, home: "Reds", away: "B"))
  }

  @Test("An undo that comes back before its point undoes it when it comes")
  func undoAhead() {
    var account = made()
    let undo = Action.undoPoint(match: match, entry: .test(1))
    #expect(account.act(undo, at: at(5), reoffered: true) == .applied)
    #expect(account.act(undo, at: at(5)) == .refused(.gone))
    #expect(account.point(match, .home, entry: 1, at: at(4)) == .refused(.gone))
    #expect(account.point(match, .home, entry: 1, at: at(4), reoffered: true) == .applied)
    #expect(account.score?.home == 0)
    #expect(account.score?.entries == [])
    #expect(account.act(undo, at: at(6)) == .refused(.gone))
  }

  @Test("What claims to undo things that never were takes no more room than a match has")
  func undoAheadBounded() {
    var account = made()
    for index: UInt64 in 0..<1_000 {
      for undo: Action in [
        .undoPoint(match: match, entry: .test(1_000 + index)),
        .undoSubstitution(match: match, id: .test(5_000 + index)),
      ] {
        #expect(account.act(undo, at: at(5), reoffered: true) == .applied)
      }
    }
    let found = account.state.matches[match]
    #expect(found?.undoneAhead.count == 2 * AuthorityLimits.entriesMax)
    #expect(found?.lineUp.undoneAhead.count == 2 * AuthorityLimits.substitutionsMax)
    #expect(account.state.things.count == 1 + 400 + 256)
  }

  @Test("A deletion that comes back before its workout leaves nothing to define")
  func deleteAhead() {
    var account = TestAccount(at: at(-100))
    #expect(account.act(.deleteWorkout(id: .test(1)), at: at(5), reoffered: true) == .applied)
    #expect(
      account.act(
        .defineWorkout(id: .test(1), title: "Legs", exercises: []), at: at(0), now: at(6),
        reoffered: true) == .applied)
    #expect(account.state.workouts.isEmpty)
  }
}
