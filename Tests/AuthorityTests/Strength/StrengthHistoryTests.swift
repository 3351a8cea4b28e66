import Testing
import WatchTransfer

@testable import Authority

/// What history keeps, and what is known of the last time (DESIGN section 6, rule 8).
@Suite struct StrengthHistoryTests {
  private func at(_ minutes: Int64) -> Instant { Gym.at(minutes) }

  @Test("STR-01: edits and deletes of routines change no session", arguments: 1...4)
  func routineDeleted(count: Int) throws {
    var account = Gym.account()
    for index in 0..<Int64(count) {
      let id = SessionID.test(800 + UInt64(index))
      account.act(.startSession(id: id, plan: .routine(Gym.routine)), at: at(index * 100))
      account.set(
        900 + UInt64(index), at: at(index * 100 + 1), weight: kilograms(100), of: id,
        by: Devices.phone)
      if index > 0 {
        account.session(.finish, at: at(index * 100 + 50), of: id, by: Devices.phone)
      } else {
        account.session(.finish, at: at(50), of: id, by: Devices.phone)
      }
    }
    let before = account.state.sessions
    let logs = account.state.logs
    let end = at(Int64(count) * 100)
    let bench = RoutineEntry(exercise: Gym.bench, sets: [TargetSet(reps: 1)])
    #expect(
      account.act(
        .editRoutine(id: Gym.routine, title: "Other", entries: [bench]), at: end) == .applied)
    #expect(account.state.sessions == before)
    account.act(.deleteRoutine(id: Gym.routine), at: end)
    #expect(account.routines.routines.isEmpty)
    #expect(account.state.sessions == before && account.state.logs == logs)
    #expect(account.lastSession?.exercises.map(\.name) == ["Back squat", "Bench press"])
    #expect(account.lastSession?.exercises[0].targetSets == 3)
  }

  @Test("STR-04: an exercise that history uses is deleted; what was done is still told")
  func exerciseDeleted() throws {
    var account = TestAccount(at: at(-60))
    account.act(.defineExercise(Gym.custom), at: at(-50))
    account.act(
      .defineRoutine(
        id: Gym.routine, title: "Carry day",
        entries: [RoutineEntry(exercise: Gym.custom.id, sets: [TargetSet(reps: 1)])]),
      at: at(-40))
    account.train(.test(810), Gym.custom.id, from: at(0), sets: [(1, kilograms(80))], firstSet: 1)
    let before = account.state.sessions
    account.act(.editExercise(id: Gym.custom.id, name: "Bag", equipment: nil), at: at(70))
    #expect(account.routines.routines[0].entries[0].name == "Bag")
    account.act(.deleteExercise(id: Gym.custom.id), at: at(80))
    #expect(account.state.sessions == before)
    #expect(account.lastSession?.exercises.map(\.name) == ["Sandbag carry"])
    #expect(account.routines.routines[0].entries[0].name == "Bag", "its place keeps the name")
    let best = account.state.strengthBests(of: [Gym.custom.id]) { _ in true }[Gym.custom.id]
    #expect(best?.weight == kilograms(80))
    #expect(
      account.act(.defineExercise(Gym.custom), at: at(90)) == .refused(.gone), "its id stays used")
    account.act(.startSession(id: .test(811), plan: .routine(Gym.routine)), at: at(100))
    #expect(account.session?.exercises.map(\.name) == ["Bag"])
    #expect(account.session?.lastTime.map(\.text) == ["1 × 80 kg"])
  }

  @Test("A starter is everybody's: it is neither edited, nor deleted, nor defined again")
  func starters() {
    var account = TestAccount(at: at(-60))
    let squat = ExerciseLibrary.starter[0]
    #expect(
      account.act(.deleteExercise(id: squat.id), at: at(0)) == .refused(.invalid(field: "id")))
    #expect(
      account.act(.editExercise(id: squat.id, name: "x", equipment: nil), at: at(0))
        == .refused(.invalid(field: "id")))
    #expect(account.act(.defineExercise(squat), at: at(0)) == .refused(.taken))
    #expect(account.mark(log: 1, at: at(0)) == .applied)
    #expect(
      account.act(
        .markWorkout(log: squat.id.retagged(), workout: .title("x")), at: at(0))
        == .refused(.taken))
  }

  @Test("The last time's sets of an exercise are shown, whichever session they were in")
  func lastTime() throws {
    var account = Gym.account()
    account.train(
      .test(820), Gym.squat, from: at(0), sets: [(5, kilograms(90)), (5, kilograms(95))],
      firstSet: 1)
    account.train(.test(821), Gym.bench, from: at(100), sets: [(8, kilograms(60))], firstSet: 10)
    account.act(.startSession(id: Gym.session, plan: .routine(Gym.routine)), at: at(200))
    #expect(account.session?.lastTime.map(\.text) == ["5 × 90 kg", "5 × 95 kg"])
    #expect(account.session?.lastTimeAt == at(60))
    account.act(.selectExercise(session: Gym.session, position: 1), at: at(201))
    #expect(account.session?.lastTime.map(\.text) == ["8 × 60 kg"])
    #expect(account.session?.weight == kilograms(60), "nothing is planned: as last time")
    // A session that arrives late was the last time, too.
    account.train(.test(822), Gym.squat, from: at(110), sets: [(3, kilograms(99))], firstSet: 20)
    account.act(.selectExercise(session: Gym.session, position: 0), at: at(202))
    #expect(account.session?.lastTime.map(\.text) == ["3 × 99 kg"])
  }

  @Test("A record is withdrawn when the history it rests on is corrected")
  func recordWithdrawn() {
    var account = Gym.account()
    account.train(.test(830), Gym.squat, from: at(0), sets: [(5, kilograms(100))], firstSet: 1)
    #expect(account.lastSession?.records == [], "the first time is no record")
    account.train(.test(831), Gym.squat, from: at(100), sets: [(5, kilograms(110))], firstSet: 10)
    #expect(
      account.lastSession?.records == [
        "Back squat: 110 kg, heaviest so far",
        "Back squat: 123.8 kg for one by estimate, best so far",
      ])
    var typo = account
    typo.act(
      .editSet(session: .test(831), set: .test(10), reps: nil, weight: kilograms(90)), at: at(200))
    #expect(typo.lastSession?.records == [])
    var before = account
    before.act(
      .editSet(session: .test(830), set: .test(1), reps: nil, weight: kilograms(120)), at: at(200))
    #expect(before.lastSession?.records == [])
    var unticked = account
    unticked.act(.uncompleteSet(session: .test(831), set: .test(10)), at: at(200))
    #expect(unticked.lastSession?.records == [])
    // It returns with the correction's own correction.
    unticked.set(10, at: at(201), reps: 5, weight: kilograms(110), of: .test(831))
    #expect(unticked.lastSession?.records == account.lastSession?.records)
  }

  @Test("When sessions are as many as there may be, the first that ended goes, its log stays")
  func bound() throws {
    var account = TestAccount(at: at(0))
    let count = AuthorityLimits.sessionsMax
    var events: [Event] = []
    for index in 0..<count {
      let (id, start) = (SessionID.test(10_000 + UInt64(index)), at(Int64(index) * 30))
      let by = Occurrence(at: start, raw: start, isFlagged: false, device: Devices.watch.id)
      let day = account.state.zone.rules.day(at: start)
      events.append(
        .sessionStarted(
          id: id, SessionStart(title: "", activityType: "rowing", exercises: []), by: by))
      events.append(.sessionMoved(id: id, move: .finish, day: day, zoneID: nil, by: by))
      events.append(
        .sessionLogged(
          WorkoutLog(
            id: id.retagged(), origin: .session, workout: nil, title: "", start: start,
            end: start, day: day), by: by))
    }
    account.commit(events)
    #expect(account.state.sessions.all.count == count)
    let end = at(Int64(count) * 30)
    account.act(.startSession(id: Gym.session, plan: .activity("rowing")), at: end)
    #expect(account.state.sessions.all.count == count)
    let first = SessionID.test(10_000)
    #expect(account.state.sessions[first] == nil)
    #expect(account.state.log(first.retagged())?.origin == .session)
    #expect(account.set(1, at: at(1), of: first, now: end) == .refused(.gone))
  }
}
