import Authority
import Testing
import WatchTransfer

@testable import Authority

/// Definitions, schedules, marks and logs.
@Suite struct WorkoutRulesTests {
  private let now = local("2026-06-10 12:00", "Europe/Berlin")

  private func at(_ text: String) -> Instant { local("2026-06-10 \(text)", "Europe/Berlin") }

  private func account(defining titles: String...) -> TestAccount {
    var account = TestAccount(at: at("08:00"))
    for (index, title) in titles.enumerated() {
      account.act(
        .defineWorkout(id: .test(UInt64(100 + index)), title: title, exercises: []),
        at: at("08:01"))
    }
    return account
  }

  @Test("One id names one thing")
  func identity() {
    var account = account(defining: "Legs")
    #expect(
      account.act(.defineWorkout(id: .test(100), title: "Arms", exercises: []), at: now)
        == .refused(.taken))
    #expect(account.mark(log: 100, at: now) == .refused(.taken))
    #expect(
      account.act(
        .scheduleWorkout(id: .test(100), workout: .title("Legs"), at: now), at: now)
        == .refused(.taken))
    #expect(
      account.act(
        .newMatch(id: .test(100), home: "A", away: "B", halfLengthMilliseconds: 60_000), at: now)
        == .refused(.taken))
    #expect(account.point(.test(500), .home, entry: 100, at: now) == .refused(.taken))
    #expect(account.point(.test(100), .home, entry: 1, at: now) == .refused(.notFound))
  }

  @Test("A deleted workout is gone: for edits, marks, schedules and a new definition")
  func deleted() {
    var account = account(defining: "Legs")
    account.act(.deleteWorkout(id: .test(100)), at: now)
    let actions: [Action] = [
      .defineWorkout(id: .test(100), title: "Legs", exercises: []),
      .editWorkout(id: .test(100), title: "Arms", exercises: nil),
      .deleteWorkout(id: .test(100)),
      .markWorkout(log: .test(1), workout: .id(.test(100))),
      .scheduleWorkout(id: .test(2), workout: .id(.test(100)), at: now),
      .unmarkWorkout(workout: .id(.test(100))),
    ]
    for action in actions { #expect(account.act(action, at: now) == .refused(.gone)) }
    #expect(
      account.act(.deleteWorkout(id: .test(101)), at: now) == .refused(.notFound))
    #expect(
      account.act(.editWorkout(id: .test(101), title: "x", exercises: nil), at: now)
        == .refused(.notFound))
  }

  @Test("Deleting a workout takes its open plans from then on, and leaves what was done")
  func deletedPlans() {
    var account = account(defining: "Legs")
    account.schedule(1, "Legs", at: at("09:00"))
    account.schedule(2, "Legs", at: at("20:00"))
    account.mark(log: 3, at: at("09:30"))
    account.act(.deleteWorkout(id: .test(100)), at: now)
    #expect(account.today.days[0].items.map(\.text) == ["done at 09:30"])
    #expect(account.act(.unscheduleWorkout(id: .test(2)), at: now) == .refused(.gone))
  }

  @Test("Field by field the later edit wins; ties go to the higher device")
  func edits() {
    var account = account(defining: "Legs")
    func edit(_ title: String?, _ exercises: [String]?) -> Action {
      .editWorkout(id: .test(100), title: title, exercises: exercises)
    }
    #expect(account.act(edit("B", nil), at: at("11:00")) == .applied)
    #expect(account.act(edit("A", nil), at: at("10:00"), now: now) == .refused(.superseded))
    #expect(account.act(edit("A", ["Squat"]), at: at("10:00"), now: now) == .applied)
    #expect(account.state.workouts[0].title == "B")
    #expect(account.state.workouts[0].exercises == ["Squat"])
    #expect(account.act(edit("C", nil), by: Devices.watch, at: at("11:00"), now: now) == .applied)
    #expect(
      account.act(edit("D", nil), by: Devices.phone, at: at("11:00"), now: now)
        == .refused(.superseded))
    #expect(account.state.workouts[0].title == "C")
  }

  @Test("A mark does the nearest plan of its title and day, each plan once")
  func marksServe() {
    var account = account(defining: "Legs", "Arms")
    account.schedule(1, "Legs", at: at("07:00"))
    account.schedule(2, "Legs", at: at("18:00"))
    account.schedule(3, "Arms", at: at("17:30"))
    account.schedule(4, "Legs", at: local("2026-06-11 00:30", "Europe/Berlin"))
    account.mark(log: 10, at: at("17:45"))
    let items = account.today.days[0].items
    #expect(items.map(\.done) == [false, false, true])
    #expect(items.map(\.text) == ["at 07:00", "at 17:30", "done at 17:45"])
    #expect(items.map(\.kind) == [.scheduled, .scheduled, .scheduled])
    #expect(account.today.days[1].items.map(\.done) == [false])
    account.act(.unmarkWorkout(workout: .title("Legs")), at: at("18:00"))
    #expect(account.today.days[0].items.allSatisfy { !$0.done })
  }

  @Test("Marking one title twice on a day is one log; the second log id stays free")
  func markTwice() {
    var account = account(defining: "Legs")
    account.mark(log: 10, at: at("17:45"))
    #expect(account.mark(log: 11, by: Devices.phone, at: at("18:00")) == .applied)
    #expect(account.events.isEmpty)
    #expect(
      account.act(.markWorkout(log: .test(12), workout: .id(.test(100))), at: at("18:00"))
        == .applied)
    #expect(account.today.days[0].items.map(\.text) == ["done at 17:45"])
    #expect(account.mark("Arms", log: 11, at: at("19:00")) == .applied)
    #expect(
      account.mark(log: 13, at: local("2026-06-11 10:00", "Europe/Berlin")) == .applied)
    #expect(account.today.days[1].items.count == 1)
    // Same text to a reader, other bytes: another title.
    account.mark("Caf\u{E9}", log: 20, at: at("20:00"))
    account.mark("Cafe\u{301}", log: 21, at: at("20:00"))
    #expect(account.today.days[0].items.count == 4)
  }

  @Test("A mark of a workout that has not arrived is a log; its title comes with the definition")
  func pendingMark() {
    var account = account(defining: "Arms")
    account.act(
      .scheduleWorkout(id: .test(1), workout: .title("Arms"), at: at("18:00")), at: now)
    #expect(
      account.act(.markWorkout(log: .test(10), workout: .id(.test(200))), at: at("17:00"))
        == .applied)
    #expect(account.streak(at: now).days == 1)
    #expect(account.today.days[0].items.map(\.title) == ["Workout", "Arms"])
    account.act(.defineWorkout(id: .test(200), title: "Legs", exercises: []), at: at("17:30"))
    #expect(account.today.days[0].items.map(\.title) == ["Legs", "Arms"])
    #expect(account.mark("Legs", log: 11, at: at("19:00")) == .applied)
    #expect(account.events.isEmpty)
  }

  @Test("A mark that waited turns out to be one already made, or to do a plan")
  func pendingMarkMerges() {
    var account = account(defining: "Legs")
    account.schedule(1, "Legs", at: at("18:00"))
    account.act(.markWorkout(log: .test(10), workout: .id(.test(200))), at: at("17:00"))
    var merged = account
    merged.mark(log: 11, at: at("17:30"))
    merged.act(.defineWorkout(id: .test(200), title: "Legs", exercises: []), at: at("19:00"))
    #expect(merged.today.days[0].items.map(\.text) == ["done at 17:30"])
    #expect(merged.mark("Arms", log: 10, at: now) == .refused(.gone))
    account.act(.defineWorkout(id: .test(200), title: "Legs", exercises: []), at: at("19:00"))
    #expect(account.today.days[0].items.map(\.text) == ["done at 17:00"])
  }

  @Test("A plan is taken back on its day and before; when the day is over it is a fact")
  func pastPlan() {
    for (pressed, outcome) in [
      (at("23:59"), DecidedOutcome.applied),
      (at("23:59").advanced(milliseconds: 60_000), .refused(.ended)),
    ] {
      var account = account(defining: "Legs")
      account.schedule(1, "Legs", at: at("18:00"))
      #expect(
        account.act(
          .unscheduleWorkout(id: .test(1)), at: pressed,
          now: at("23:59")
            .advanced(milliseconds: 86_400_000)) == outcome)
      // Pressed in time, however late it comes; offered again, it was so before.
      #expect(
        account.act(.unscheduleWorkout(id: .test(1)), at: pressed, reoffered: true) == .applied)
    }
  }

  @Test("A mark that waited stays if a person wrote about it: nothing of theirs goes unasked")
  func annotatedMarkStays() {
    var written = LogChange()
    written.notes = "Knee felt fine"
    var tagged = LogChange()
    tagged.tags = ["hill"]
    let hash = AttachmentHash(bytes: [UInt8](repeating: 7, count: 32))!
    for action in [
      Action.editLog(log: .test(10), written), .editLog(log: .test(10), tagged),
      .attachPhoto(log: .test(10), hash),
    ] {
      var account = account(defining: "Arms")
      account.act(.markWorkout(log: .test(10), workout: .id(.test(200))), at: at("17:00"))
      #expect(account.act(action, at: at("17:10"), reoffered: true) == .applied)
      account.mark("Legs", log: 11, at: at("17:30"))
      account.act(.defineWorkout(id: .test(200), title: "Legs", exercises: []), at: at("19:00"))
      #expect(account.state.log(.test(10))?.title == "Legs")
      #expect(account.state.log(.test(11)) != nil)
    }
  }

  @Test("A log does a plan by its exact title or by its activity as a whole word")
  func logsServe() {
    for (activity, title, planned, serves) in [
      ("running", nil, "Morning Run", true), ("running", nil, "Trunk", false),
      ("rowing", nil, "ROW 5k", true), ("rowing", nil, "Crown", false),
      ("yoga", nil, "Evening yoga", true), ("yoga", "Legs", "Legs", true),
      ("yoga", "legs", "Legs", false), ("crossTraining", nil, "Cross training A", true),
    ] as [(String, String?, String, Bool)] {
      var account = account(defining: planned)
      account.schedule(1, planned, at: at("18:00"))
      var workout = logged(2, endingAt: at("17:00"))
      workout.activityType = activity
      workout.title = title
      workout.sourceName = "Ring"
      #expect(account.act(.logWorkout(workout), by: Devices.health, at: now) == .applied)
      let done = account.today.days[0].items.contains { $0.kind == .scheduled && $0.done }
      #expect(done == serves, "\(activity) \(title ?? "") for \(planned)")
    }
  }

  @Test("A plan that arrives after its log is done; taking it back frees the log for another")
  func latePlan() {
    var account = account(defining: "Legs")
    account.mark(log: 10, at: at("17:45"))
    account.schedule(1, "Legs", at: at("18:00"))
    #expect(account.today.days[0].items.map(\.done) == [true])
    account.schedule(2, "Legs", at: at("20:00"))
    #expect(account.today.days[0].items.map(\.done) == [true, false])
    account.act(.unscheduleWorkout(id: .test(1)), at: at("18:30"))
    #expect(account.today.days[0].items.map(\.done) == [true])
    #expect(account.today.days[0].items[0].id == Identifier.test(2))
    #expect(account.act(.unscheduleWorkout(id: .test(1)), at: now) == .refused(.gone))
    #expect(account.act(.unscheduleWorkout(id: .test(9)), at: now) == .refused(.notFound))
    #expect(
      account.act(.scheduleWorkout(id: .test(3), workout: .title("legs"), at: now), at: now)
        == .refused(.notFound))
    #expect(
      account.act(.scheduleWorkout(id: .test(3), workout: .id(.test(9)), at: now), at: now)
        == .refused(.notFound))
  }

  @Test("An edited title shows in plans from then on, not in what was done")
  func retitled() {
    var account = account(defining: "Legs")
    account.schedule(1, "Legs", at: at("09:00"))
    account.schedule(2, "Legs", at: at("18:00"))
    account.mark(log: 3, at: at("09:30"))
    account.act(.editWorkout(id: .test(100), title: "Lower", exercises: nil), at: now)
    #expect(account.today.days[0].items.map(\.title) == ["Legs", "Lower"])
  }

  @Test("An import that is there already is known; another use of its id is taken")
  func known() {
    var account = account(defining: "Legs")
    var workout = logged(5, endingAt: now)
    workout.sourceName = "Ring"
    #expect(account.act(.logWorkout(workout), by: Devices.health, at: now) == .applied)
    #expect(account.act(.logWorkout(workout), by: Devices.health, at: now) == .refused(.known))
    workout.sourceName = nil
    #expect(account.act(.logWorkout(workout), at: now) == .refused(.taken))
    #expect(account.act(.logWorkout(workout), by: Devices.health, at: now) == .refused(.forbidden))
  }

  @Test("A log's instants and figures are checked")
  func invalidLogs() {
    var account = account()
    func refusal(_ change: (inout LoggedWorkout) -> Void) -> DecidedOutcome {
      var workout = logged(5, endingAt: now)
      change(&workout)
      return account.decision(.logWorkout(workout), at: now).outcome
    }
    #expect(
      refusal { $0.end = $0.start.advanced(milliseconds: -1) }
        == .refused(.invalid(field: "end_ms")))
    #expect(refusal { $0.end = $0.start } == .applied)
    #expect(
      refusal { $0.start = $0.end.advanced(milliseconds: -7 * 86_400_000 - 1) }
        == .refused(.invalid(field: "end_ms")))
    #expect(refusal { $0.activeMilliseconds = 3_600_001 } == .applied, "exports state such")
    #expect(refusal { $0.activeMilliseconds = -1 } == .refused(.invalid(field: "active_ms")))
    #expect(
      refusal { $0.activeMilliseconds = 7 * 86_400_000 + 1 }
        == .refused(.invalid(field: "active_ms")))
    #expect(refusal { $0.energyKilocalories = .nan } == .refused(.invalid(field: "energy_kcal")))
    #expect(refusal { $0.distanceMeters = -1 } == .refused(.invalid(field: "distance_m")))
    #expect(refusal { $0.activityType = "" } == .refused(.invalid(field: "activity_type")))
    account.turn(at: now)
  }

  @Test("A day takes 12 plans and 64 logs")
  func dayCaps() {
    var account = account(defining: "Legs")
    for index in 0..<12 {
      #expect(account.schedule(UInt64(index), "Legs", at: at("1\(index % 10):00")) == .applied)
    }
    #expect(
      account.schedule(20, "Legs", at: at("23:59")) == .refused(.limit(of: "schedules")))
    let tomorrow = local("2026-06-11 00:00", "Europe/Berlin")
    #expect(account.schedule(21, "Legs", at: tomorrow) == .applied)
    for index in 0..<64 {
      #expect(account.mark("T\(index)", log: UInt64(1_000 + index), at: now) == .applied)
    }
    #expect(account.mark("T64", log: 1_100, at: now) == .refused(.limit(of: "logs")))
    #expect(account.mark("T64", log: 1_100, at: tomorrow) == .applied)
    #expect(account.today.days[0].items.count == 24)
  }
}

extension TestAccount {
  /// Plans a defined title.
  @discardableResult
  mutating func schedule(_ id: UInt64, _ title: String, at moment: Instant) -> DecidedOutcome {
    act(
      .scheduleWorkout(id: .test(id), workout: .title(title), at: moment),
      at: moment.advanced(milliseconds: -43_200_000))
  }
}
