import Testing
import WatchTransfer

@testable import Authority

/// A session from its start to its summary (DESIGN section 6, rule 8).
@Suite struct SessionRulesTests {
  private func at(_ minutes: Int64, _ seconds: Int64 = 0) -> Instant { Gym.at(minutes, seconds) }

  @Test("A session by routine shows what to do, set by set")
  func setBySet() throws {
    var account = Gym.running()
    var facet = try #require(account.session)
    #expect(facet.title == "Leg day")
    #expect(facet.phase == .running)
    #expect(facet.recorder == Devices.watch.id)
    #expect(facet.exercises.map(\.name) == ["Back squat", "Bench press"])
    #expect(facet.progress == "Back squat · set 1 of 3 · 5 × 100 kg")
    #expect(facet.spoken == "Back squat, set 1 of 3, 5 reps at 100 kg")
    account.set(1, at: at(1), weight: kilograms(100))
    facet = try #require(account.session)
    #expect(facet.progress == "Back squat · set 2 of 3 · 5 × 100 kg")
    #expect(facet.rest == SessionFacet.Rest(since: at(1), overAt: at(2, 30)))
    account.act(
      .adjustSet(session: Gym.session, position: 0, reps: 4, weight: kilograms(105)),
      by: Devices.watch, at: at(2))
    #expect(account.session?.progress == "Back squat · set 2 of 3 · 4 × 105 kg")
    account.set(2, at: at(3), reps: 4, weight: kilograms(105))
    #expect(account.session?.progress == "Back squat · set 3 of 3 · 5 × 100 kg")
    account.set(3, at: at(5), weight: kilograms(100))
    #expect(account.session?.progress == "Back squat · 3 of 3 done")
    account.act(
      .selectExercise(session: Gym.session, position: 1), by: Devices.watch, at: at(6))
    #expect(account.session?.progress == "Bench press · set 1 of 2 · 8 reps")
  }

  @Test("STR-13: sets that were unticked and are ticked again are still there", arguments: 1...6)
  func untickedAndTicked(count: Int) throws {
    var account = Gym.running()
    for id in 1...UInt64(count) { account.set(id, at: at(Int64(id)), weight: kilograms(100)) }
    let before = try #require(account.session?.sets)
    for id in 1...UInt64(count) {
      let untick = Action.uncompleteSet(session: Gym.session, set: .test(id))
      #expect(account.act(untick, by: Devices.watch, at: at(20)) == .applied)
      #expect(account.act(untick, by: Devices.watch, at: at(20, 1)) == .applied, "it is set")
    }
    #expect(account.session?.sets.isEmpty == true)
    #expect(account.session?.exercises[0].doneSets == 0)
    for id in 1...UInt64(count) { account.set(id, at: at(21), weight: kilograms(100)) }
    #expect(account.session?.sets == before)
    #expect(account.state.sessions[Gym.session]?.sets.count == count)
  }

  @Test(
    "STR-14: warm-ups do not count towards target sets, volume or records",
    arguments: [0, 1, 2, 5], [0, 1, 3])
  func warmUps(warmUps: Int, working: Int) throws {
    var account = Gym.running()
    for id in 0..<UInt64(warmUps) {
      account.set(100 + id, at: at(1), reps: 3, weight: kilograms(200), warmUp: true)
    }
    for id in 0..<UInt64(working) { account.set(200 + id, at: at(2), weight: kilograms(100)) }
    #expect(account.session?.exercises[0].doneSets == working)
    #expect(account.session?.sets.count == warmUps + working)
    account.session(.finish, at: at(30))
    let summary = try #require(account.lastSession)
    #expect(summary.exercises[0].text.hasPrefix("\(working)/3"))
    #expect(summary.setCount == working)
    #expect(summary.volumeKilograms == Double(500 * working))
    let best = account.state.strengthBests(of: [Gym.squat]) { _ in true }[Gym.squat]
    #expect(best?.weight == (working > 0 ? kilograms(100) : nil))
  }

  @Test(
    "STR-06: assistance is a load below zero, no weight is none, and neither is refused",
    arguments: [("-21", WeightUnit.kilograms), ("-0.5", .pounds), ("-1234.5678", .pounds)])
  func assistance(text: String, unit: WeightUnit) throws {
    var account = Gym.running()
    let assisted = try #require(Weight(text, unit: unit))
    account.set(1, at: at(1), reps: 12, weight: assisted)
    account.set(2, at: at(2), reps: 6, weight: nil)
    let sets = try #require(account.session?.sets)
    #expect(sets.map(\.weight) == [assisted, nil])
    account.session(.finish, at: at(30))
    #expect(account.lastSession?.setCount == 2)
    #expect(account.lastSession?.volumeKilograms ?? 0 == 0, "assistance is no volume")
  }

  @Test("STR-08: resting between sets makes no set", arguments: [1, 2, 5])
  func rests(count: Int) throws {
    var account = Gym.running()
    for id in 1...UInt64(count) {
      account.set(id, at: at(Int64(id)), weight: kilograms(100))
      let rest = Action.restSession(session: Gym.session, seconds: 90)
      #expect(account.act(rest, by: Devices.watch, at: at(Int64(id), 1)) == .applied)
    }
    #expect(account.session?.sets.count == count)
    account.session(.finish, at: at(30))
    #expect(account.lastSession?.setCount == count)
  }

  @Test(
    "STR-10: what was recorded once is recorded once, however often it is offered, and more is added",
    arguments: UInt64(1)...6)
  func offeredAgain(seed: UInt64) throws {
    var account = Gym.running()
    for id in 1...4 as ClosedRange<UInt64> {
      account.set(id, at: at(Int64(id)), weight: kilograms(100))
    }
    account.session(.finish, at: at(30))
    let once = account.state
    var random = SeededGenerator(seed: seed)
    for id in (1...4 as ClosedRange<UInt64>).shuffled(using: &random) {
      let set = PerformedSet(id: .test(id), position: 0, reps: 5, weight: kilograms(100))
      account.act(
        .completeSet(session: Gym.session, set: set), by: Devices.watch, at: at(Int64(id)),
        now: at(40), reoffered: true)
    }
    account.act(
      .controlSession(session: Gym.session, control: .finish), by: Devices.watch, at: at(30),
      now: at(40), reoffered: true)
    #expect(account.state.sessions == once.sessions && account.state.logs == once.logs)
    let more = PerformedSet(id: .test(5), position: 0, reps: 5, weight: kilograms(100))
    account.act(
      .completeSet(session: Gym.session, set: more), by: Devices.watch, at: at(6), now: at(41))
    #expect(account.state.sessions[Gym.session]?.sets.count == 5)
    #expect(account.state.logs.count == once.logs.count)
  }

  @Test("MID-01: a session across midnight is one workout on its end's day")
  func acrossMidnight() throws {
    let start = local("2025-05-12 23:50", "Europe/Berlin")
    var account = TestAccount(at: start.advanced(milliseconds: -86_400_000))
    account.train(Gym.session, Gym.squat, from: start, sets: [(5, nil), (5, nil)], firstSet: 1)
    let log = try #require(account.log)
    #expect(log.day == CivilDay(year: 2025, month: 5, day: 13))
    #expect(log.start == start && log.activeMilliseconds == 3_600_000)
    #expect(account.state.logs.count == 1)
    #expect(account.state.sessions[Gym.session]?.sets.count == 2)
  }

  @Test("A finish counts for the day where it was pressed, whoever amends it later")
  func dayOfTheFinish() throws {
    var account = Gym.running()
    account.session(.finish, at: at(60), zone: "Pacific/Apia")
    let day = try #require(account.log?.day)
    #expect(day == CivilDay(year: 2026, month: 6, day: 11))
    account.set(1, at: at(30), weight: kilograms(50), now: at(600))
    #expect(account.log?.day == day)
    #expect(account.log?.zoneID == "Pacific/Apia")
  }

  @Test("WCH-05: a set completed by a slow watch counts", arguments: [-300, -60, -1, 0])
  func slowWatch(seconds: Int64) {
    var account = Gym.running()
    account.set(1, at: at(120))
    account.act(
      .adjustSet(session: Gym.session, position: 0, reps: 9, weight: nil), at: at(118))
    #expect(account.set(2, at: at(120, seconds), now: at(120)) == .applied)
    #expect(account.session?.exercises[0].doneSets == 2)
  }

  @Test("One session id, one workout: a second finish is a duplicate, a late start does not reopen")
  func oneWorkout() throws {
    var account = Gym.account()
    account.session(.finish, at: at(45), now: at(46))
    #expect(account.log?.activeMilliseconds == nil, "its start has not arrived: absent, not 0")
    #expect(
      account.act(
        .startSession(id: Gym.session, plan: .routine(Gym.routine)), by: Devices.watch, at: at(0),
        now: at(50)) == .applied)
    let log = try #require(account.log)
    #expect(account.session == nil)
    #expect(log.title == "Leg day" && log.activeMilliseconds == 2_700_000)
    #expect(account.session(.finish, at: at(51)) == .applied)
    #expect(account.events.isEmpty)
    #expect(account.log == log && account.state.logs.count == 1)
    #expect(account.session(.pause, at: at(52)) == .refused(.ended))
    #expect(
      account.act(
        .startSession(id: Gym.session, plan: .activity("rowing")), at: at(53)) == .refused(.taken))
  }

  @Test("Late data amends the snapshot: the earlier finish of its recorder moves the end")
  func earlierFinish() {
    var account = Gym.running()
    #expect(account.session(.finish, at: at(60), by: Devices.phone) == .applied)
    #expect(account.log?.end == at(60))
    #expect(account.session(.finish, at: at(40), now: at(90)) == .applied)
    #expect(account.log?.end == at(40))
    #expect(account.log?.activeMilliseconds == 2_400_000)
    #expect(account.state.logs.count == 1)
  }

  @Test("`running` refuses only the start that the person waits for")
  func runningRefusal() {
    let other = SessionID.test(510)
    for (age, isRefused) in [(0, true), (5, true), (6, false), (3_600, false)] as [(Int64, Bool)] {
      var account = Gym.running()
      let outcome = account.act(
        .startSession(id: other, plan: .activity("rowing")), at: at(10), now: at(10, age))
      #expect(outcome == (isRefused ? .refused(.running) : .applied), "\(age) s")
      #expect(account.session?.session == Gym.session, "the other is beside it, as a record")
      if isRefused { continue }
      account.session(.finish, at: at(100))
      #expect(account.session?.session == other)
    }
  }

  @Test("A fact opens a stub, shown only while nothing runs, closed 12 h after its last fact")
  func stubs() {
    let hours: Int64 = 60
    var account = Gym.account()
    let late = SessionID.test(520)
    account.set(1, at: at(0), of: late, now: at(60))
    #expect(account.session?.session == late)
    #expect(account.session?.phase == .unstarted)
    #expect(account.session?.runningSince == nil)
    // It blocks nothing.
    #expect(
      account.act(.startSession(id: Gym.session, plan: .activity("rowing")), at: at(61))
        == .applied)
    #expect(account.session?.session == Gym.session)
    account.session(.finish, at: at(70), by: Devices.phone)
    #expect(account.session?.session == late)
    #expect(!turnIsDue(account.state, now: at(12 * hours, -1), zoneDataVersion: "test-1"))
    #expect(turnIsDue(account.state, now: at(12 * hours), zoneDataVersion: "test-1"))
    account.turn(at: at(12 * hours))
    #expect(account.session == nil)
    #expect(account.log == account.state.log(Gym.session.retagged()))
    #expect(account.state.log(late.retagged()) == nil, "it was never finished")
    // A later fact opens it again; its finish closes it for good.
    account.session(.finish, at: at(13 * hours), of: late)
    #expect(account.session == nil)
    #expect(account.state.log(late.retagged())?.start == at(0))
  }

  @Test("What was discarded is gone: facts of it are refused, and no log is left")
  func discarded() {
    var account = Gym.running()
    account.set(1, at: at(1))
    #expect(account.session(.discard, at: at(5)) == .applied)
    #expect(account.session == nil && account.lastSession == nil && account.log == nil)
    for outcome in [
      account.set(2, at: at(4), now: at(10)), account.session(.finish, at: at(4), now: at(10)),
      account.act(.startSession(id: Gym.session, plan: .activity("rowing")), at: at(11)),
    ] { #expect(outcome == .refused(.gone)) }
    // The start that comes after the discard is refused, too.
    var early = Gym.account()
    #expect(early.session(.discard, at: at(5)) == .applied)
    #expect(
      early.act(
        .startSession(id: Gym.session, plan: .activity("rowing")), at: at(0), now: at(6))
        == .refused(.gone))
  }

  @Test("A finished session does the schedule of its title, counts for today, streak and goals")
  func counts() throws {
    var account = Gym.account()
    account.act(
      .defineWorkout(id: .test(600), title: "Leg day", exercises: []), at: at(-40))
    account.schedule(601, "Leg day", at: at(60))
    account.act(.setGoal(name: "minutes-per-day", value: 45), at: at(-30))
    account.act(
      .startSession(id: Gym.session, plan: .routine(Gym.routine)), by: Devices.watch, at: at(0))
    account.session(.pause, at: at(10))
    account.session(.resume, at: at(20))
    account.session(.finish, at: at(40))
    let item = try #require(account.today.days[0].items.first)
    #expect(account.today.days[0].items.count == 1)
    #expect(item.kind == .scheduled && item.done)
    #expect(account.streak(at: at(41)).todayDone)
    #expect(account.goals.goals[0].progress.current(at: at(41))?.value == 30)
    #expect(account.state.schedule(.test(601))?.servedBy == Gym.session.retagged())
  }

  @Test("The summary stays until it is dismissed or the next session starts")
  func summary() throws {
    var account = Gym.running()
    account.set(1, at: at(1), weight: kilograms(100))
    account.session(.finish, at: at(42))
    #expect(account.lastSession?.text == "Leg day · 42 min · 1 set · 500 kg")
    account.act(.setPreferences(imperial), at: at(43))
    #expect(account.lastSession?.text == "Leg day · 42 min · 1 set · 1102 lb")
    var dismissed = account
    #expect(dismissed.act(.dismissSummary(session: Gym.session), at: at(44)) == .applied)
    #expect(dismissed.lastSession == nil)
    #expect(dismissed.act(.dismissSummary(session: Gym.session), at: at(45)) == .applied)
    var next = account
    next.act(.startSession(id: .test(530), plan: .activity("rowing")), at: at(44))
    #expect(next.lastSession == nil)
    next.session(.discard, at: at(45), of: .test(530), by: Devices.phone)
    #expect(next.lastSession == nil, "it started, whatever became of it")
  }

  private var imperial: PreferenceChange {
    var change = PreferenceChange()
    change.units = .imperial
    return change
  }

  @Test("A set that was just done is a cue; a late one is none")
  func cue() {
    var account = Gym.running()
    account.set(1, at: at(1), now: at(1, 5))
    #expect(cues(of: account.events, at: at(1, 5)).map(\.kind) == [.setDone])
    account.set(2, at: at(2), now: at(2, 6))
    #expect(cues(of: account.events, at: at(2, 6)).isEmpty)
  }

  @Test("Stubs of sessions nobody starts keep nobody from training, and have a bound")
  func stubsBlockNothing() {
    var account = Gym.account()
    func set(_ session: UInt64, at minute: Int64) -> DecidedOutcome {
      account.act(
        .completeSet(
          session: .test(2_000 + session),
          set: PerformedSet(
            id: .test(3_000 + session), position: 0, reps: 5, weight: nil, isWarmUp: false)),
        at: at(minute))
    }
    let bound = UInt64(AuthorityLimits.openSessionStubsMax)
    for session in 0..<bound { #expect(set(session, at: 1) == .applied) }
    #expect(set(bound, at: 1) == .refused(.limit(of: "sessions")))
    #expect(
      account.act(.startSession(id: Gym.session, plan: .routine(Gym.routine)), at: at(2))
        == .applied)
    #expect(account.act(.restSession(session: Gym.session, seconds: 60), at: at(3)) == .applied)
    #expect(
      account.act(.controlSession(session: Gym.session, control: .finish), at: at(4)) == .applied)
    account.turn(at: at(5 + 12 * 60))
    #expect(set(bound, at: 6 + 12 * 60) == .applied)
  }
}
