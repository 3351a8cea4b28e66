import Testing
import WatchTransfer

@testable import Authority

/// Recorder, takeover, and wishes about now (DESIGN section 4, Perishable).
@Suite struct SessionControlTests {
  private func at(_ minutes: Int64, _ seconds: Int64 = 0) -> Instant { Gym.at(minutes, seconds) }

  @Test("WCH-03: a pause of the recorder is put in at its time, however late")
  func recorderPause() {
    var account = Gym.running()
    account.session(.pause, at: at(10))
    account.session(.resume, at: at(12), by: Devices.phone)
    #expect(account.session(.pause, at: at(5), now: at(20)) == .applied)
    #expect(account.session?.phase == .running)
    #expect(account.session?.runningSince == at(12))
    #expect(account.session?.activeMilliseconds == 300_000)
  }

  @Test("WCH-03: a wish of another device expires, or loses to what was pressed after it")
  func otherDevice() {
    for control in [SessionControl.pause, .resume, .finish, .discard] {
      var late = Gym.running()
      #expect(
        late.session(control, at: at(10), by: Devices.phone, now: at(12, 1)) == .expired)
      var overtaken = Gym.running()
      overtaken.session(.pause, at: at(11))
      #expect(
        overtaken.session(control, at: at(10), by: Devices.phone, now: at(11, 30))
          == .refused(.superseded))
      var live = Gym.running()
      #expect(live.session(control, at: at(10), by: Devices.phone, now: at(12)) == .applied)
    }
  }

  @Test("A takeover holds from its own time on: before it the former recorder's facts stand")
  func takeover() {
    var account = Gym.running()
    let takeOver = Action.takeOverSession(session: Gym.session)
    #expect(account.act(takeOver, at: at(10), now: at(12, 1)) == .expired)
    #expect(account.act(takeOver, at: at(10)) == .applied)
    #expect(account.session?.recorder == Devices.phone.id)
    #expect(account.session(.pause, at: at(8), now: at(60)) == .applied, "the watch drove it then")
    #expect(account.session(.resume, at: at(11), now: at(60)) == .expired, "now it does not")
    #expect(account.session(.resume, at: at(12), by: Devices.phone, now: at(60)) == .applied)
    #expect(account.session?.activeMilliseconds == 480_000)
    #expect(account.session?.runningSince == at(12))
    #expect(account.act(takeOver, at: at(13)) == .applied)
    #expect(account.events.isEmpty, "it drives it already")
  }

  @Test("A rest is a wish about now, also of the recorder; the newest counts")
  func rest() {
    var account = Gym.running()
    func rest(_ seconds: Int?) -> Action {
      .restSession(session: Gym.session, seconds: seconds)
    }
    #expect(
      account.act(rest(60), by: Devices.watch, at: at(1), now: at(3, 1)) == .expired)
    account.act(rest(60), by: Devices.watch, at: at(3))
    #expect(account.session?.rest == SessionFacet.Rest(since: at(3), overAt: at(4)))
    #expect(account.act(rest(30), at: at(2), now: at(3)) == .refused(.superseded))
    account.set(1, at: at(3, 30), position: 1)
    #expect(account.session?.rest == nil, "the next set has been done")
    account.act(rest(120), at: at(4))
    account.act(rest(nil), at: at(5))
    #expect(account.session?.rest == nil)
  }

  @Test("A selected exercise: a fact of the recorder, a wish of the others, set and never toggled")
  func select() {
    var account = Gym.running()
    func select(_ position: Int) -> Action {
      .selectExercise(session: Gym.session, position: position)
    }
    account.act(select(1), by: Devices.watch, at: at(1))
    account.act(select(1), by: Devices.watch, at: at(2))
    #expect(account.session?.position == 1)
    #expect(account.act(select(0), at: at(1, 30), now: at(2)) == .refused(.superseded))
    #expect(account.act(select(0), at: at(3), now: at(6)) == .expired)
    account.set(1, at: at(4), position: 0)
    #expect(account.session?.position == 0, "what is worked at is shown")
    #expect(account.act(select(1), by: Devices.watch, at: at(5), now: at(90)) == .applied)
    #expect(account.session?.position == 1)
  }

  @Test("Two devices edit a set: each field's later edit holds, in any order of arrival")
  func edits() throws {
    let early = Action.editSet(session: Gym.session, set: .test(1), reps: 6, weight: nil)
    let late = Action.editSet(
      session: Gym.session, set: .test(1), reps: 7, weight: kilograms(110))
    for order in [[early, late], [late, early]] {
      var account = Gym.running()
      account.set(1, at: at(1), weight: kilograms(100))
      for action in order {
        let isLate = action == late
        account.act(
          action, by: isLate ? Devices.phone : Devices.watch, at: isLate ? at(3) : at(2),
          now: at(4))
      }
      let set = try #require(account.session?.sets.first)
      #expect(set.reps == 7 && set.weight == kilograms(110))
    }
  }

  @Test("What is perishable is said beforehand as it is decided", arguments: UInt64(1)...12)
  func perishable(seed: UInt64) {
    let history = randomHistory(seed: seed, count: 300)
    var generator = ActionGenerator(random: SeededGenerator(seed: seed))
    let now = instant("2026-04-10T10:00:00Z")
    for _ in 0..<400 {
      let action = generator.strengthAction(around: now)
      let age = Int64.random(in: 121_000...400_000, using: &generator.random)
      let occurred = now.advanced(milliseconds: -age)
      let context = ActionContext(
        now: now, device: Devices.watch,
        occurred: CorrectedTime(instant: occurred, raw: occurred, isFlagged: false), zone: nil,
        expiresAt: nil, isReoffered: false, zones: TestZones())
      let isExpired = decide(history.state, action, context).outcome == .expired
      let mayExpire = isPerishable(history.state, action, by: Devices.watch.id, at: occurred)
      #expect(!isExpired || mayExpire, "\(action)")
    }
  }

  @Test("Offered again after a restore, applied is applied: every fact opens what it needs")
  func reoffered() {
    var account = TestAccount(at: at(-60))
    let actions: [Action] = [
      .uncompleteSet(session: Gym.session, set: .test(1)),
      .editSet(session: Gym.session, set: .test(2), reps: 4, weight: nil),
      .completeSet(
        session: Gym.session, set: PerformedSet(id: .test(2), position: 0, reps: 5)),
      .editRoutine(id: Gym.routine, title: "Leg day", entries: nil),
      .editExercise(id: Gym.custom.id, name: "Carry", equipment: nil),
      .addSessionExercise(session: Gym.session, exercise: .test(599)),
      .takeOverSession(session: Gym.session), .restSession(session: Gym.session, seconds: 60),
      .controlSession(session: Gym.session, control: .finish),
      .startSession(id: .test(540), plan: .routine(.test(598))),
    ]
    for (index, action) in actions.enumerated() {
      let outcome = account.act(
        action, by: Devices.watch, at: at(Int64(index)), now: at(500), reoffered: true)
      #expect(outcome == .applied, "\(action)")
    }
    #expect(account.state.sessions[Gym.session]?.isEnded == true)
    #expect(account.state.sessions[Gym.session]?.set(.test(1))?.counts == false)
    #expect(account.state.sessions[Gym.session]?.set(.test(2))?.reps.value == 5)
    #expect(account.routines.routines.map(\.title) == ["Leg day"])
    #expect(
      account.act(
        .defineRoutine(
          id: Gym.routine, title: "Legs",
          entries: [RoutineEntry(exercise: Gym.squat, sets: [TargetSet(reps: 5)])]),
        at: at(1), now: at(500), reoffered: true) == .applied)
    #expect(account.routines.routines[0].title == "Leg day", "the later edit stays")
    #expect(account.routines.routines[0].entries.count == 1)
  }

  @Test("The clock is set back: nothing is later than now, and the session goes on")
  func setBack() {
    var account = Gym.running()
    account.session(.pause, at: at(30))
    account.set(1, at: at(40))
    account.turn(at: at(10))
    #expect(account.session?.phase == .paused)
    #expect(account.session(.resume, at: at(11)) == .applied)
    #expect(account.session?.phase == .running)
    #expect(
      account.act(
        .editSet(session: Gym.session, set: .test(1), reps: 3, weight: nil), at: at(12))
        == .applied)
  }
}
