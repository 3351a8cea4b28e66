import CommandLineTool
import Testing
import WatchTransfer

private let noon = InstantArgument.at(Samples.noon)

/// The id that a script has for a player.
private func player(_ name: String) -> PlayerID { PlayerID(hashing: name.utf8) }

@Suite struct ScriptTests {
  @Test(
    arguments: [
      ("define Morning run", .define(title: "Morning run")),
      ("define \"Morning  run\"", .define(title: "Morning  run")),
      ("  mark   Morning run ", .mark(title: "Morning run")),
      ("mark \"\"", .mark(title: "")),
      ("mark at", .mark(title: "at")),
      ("unmark Row", .unmark(title: "Row")),
      ("schedule Morning run at 2026-11-30T12:00:00Z", .schedule(title: "Morning run", at: noon)),
      (
        "schedule Look at me at 2026-11-30T13:00:00+01:00",
        .schedule(title: "Look at me", at: noon)
      ),
      ("schedule Run at now", .schedule(title: "Run", at: .now)),
      (
        "schedule Run at \"2026-11-30 12:00:00Z\"", .schedule(title: "Run", at: noon)
      ),
      (
        "log cross training 2026-11-30T12:00:00Z now",
        .log(type: "cross training", start: noon, end: .now)
      ),
      (
        "match \"Red Lions\" \"Blue Stars\" half-length 30",
        .match(home: "Red Lions", away: "Blue Stars", halfLengthMinutes: 30)
      ),
      ("match Reds Blues", .match(home: "Reds", away: "Blues", halfLengthMinutes: nil)),
      (
        #"match "The \"A\" team" "Back\\slash""#,
        .match(home: "The \"A\" team", away: "Back\\slash", halfLengthMinutes: nil)
      ),
      ("point home", .point(.home)), ("point away", .point(.away)),
      ("point away insist", .point(.away, insist: true)),
      ("name-team home Red Lions", .nameTeam(.home, name: "Red Lions")),
      ("press 1", .press(button: 1, .press)), ("hold 0", .press(button: 0, .hold)),
      ("double 255", .press(button: 255, .double)),
      (
        "edit-workout \"Leg day\" title Long leg day",
        .workout(.retitle(workout: "Leg day", as: "Long leg day"))
      ),
      (
        "edit-workout Legs exercises Squat \"Calf raise\"",
        .workout(.exercises(of: "Legs", ["Squat", "Calf raise"]))
      ),
      ("edit-workout Legs exercises", .workout(.exercises(of: "Legs", []))),
      ("delete-workout Leg day", .workout(.delete(workout: "Leg day"))),
      (
        "match A B half-length 30 extra-half 10",
        .match(home: "A", away: "B", halfLengthMinutes: 30, extraHalfMinutes: 10)
      ),
      (
        "squad home \"Ada L\"#7 Ben bench Cem#12",
        .squad(
          .home,
          players: [
            SquadPlayer(id: player("Ada L"), name: "Ada L", number: 7, starts: true),
            SquadPlayer(id: player("Ben"), name: "Ben", starts: true),
            SquadPlayer(id: player("Cem"), name: "Cem", number: 12, starts: false),
          ])
      ),
      ("squad away", .squad(.away, players: [])),
      ("sub away Ben Cem", .sub(.away, off: "Ben", on: "Cem")),
      ("undo-sub 00000000000000030000000000000004", .undoSub(Samples.entry.retagged())),
      ("take-over", .takeOver), ("keymap none", .keymap([])),
      (
        "keymap 1:press=point-home 2:hold=clock-next-half 3:double=mark:\"Morning run\"",
        .keymap([
          KeyBinding(button: 1, gesture: .press, command: .point(.home)),
          KeyBinding(button: 2, gesture: .hold, command: .clock(.nextHalf)),
          KeyBinding(button: 3, gesture: .double, command: .markWorkout(title: "Morning run")),
        ])
      ),
      ("undo 00000000000000030000000000000004", .undo(Samples.entry)),
      ("clock start", .clock(.start)), ("clock next-half", .clock(.nextHalf)),
      ("clock end", .clock(.end)), ("clock reset", .clock(.reset)), ("clock pause", .clock(.pause)),
      ("theme night", .theme(.night)), ("theme auto", .theme(.auto)),
      ("goal minutes 150", .goal(name: "minutes", value: 150)),
      ("goal long walks 2.5", .goal(name: "long walks", value: 2.5)),
      ("goal minutes none", .goal(name: "minutes", value: nil)),
      ("goal minutes -1", .goal(name: "minutes", value: -1)),
      ("zone Europe/Berlin", .zone("Europe/Berlin")), ("state", .state),
      ("history", .ask(.history(10))), ("history 3", .ask(.history(3))),
      ("trace last 7", .ask(.trace(StreakTraceQuestion(.last(days: 7))))),
      (
        "trace from 2026-12-01 64 by weekly:3",
        .ask(
          .trace(
            StreakTraceQuestion(
              .from(CivilDay(number: 20_788), days: 64), policy: .weekly(days: 3))))
      ),
      (
        "trace month 2026-12-01 by scheduled",
        .ask(
          .trace(StreakTraceQuestion(.month(of: CivilDay(number: 20_788)), policy: .scheduled)))
      ),
      ("workouts", .ask(.workouts(text: ""))),
      ("workouts leg day", .ask(.workouts(text: "leg day"))),
      ("library", .ask(.library(equipment: nil, text: ""))),
      ("library in cable named low row", .ask(.library(equipment: .cable, text: "low row"))),
      ("records", .ask(.records(exercise: nil))),
      ("preview Leg day", .ask(.preview(workout: "Leg day"))),
      ("outbox", .outbox(.show)), ("release 7", .outbox(.release(7))),
      ("forget 9007199254740991", .outbox(.forget(9_007_199_254_740_991))),
      ("records Bench press", .ask(.records(exercise: "Bench press"))),
      (
        "weekly Leg day on mon,fri at 18:05",
        .consistency(
          .weekly(
            title: "Leg day", weekdays: Weekdays([1, 5])!, timeOfDay: 65_100_000, firstDay: nil))
      ),
      (
        "weekly Run on daily at 00:00 from 2026-12-01",
        .consistency(
          .weekly(title: "Run", weekdays: .all, timeOfDay: 0, firstDay: CivilDay(number: 20_788)))
      ),
      (
        "edit-schedule 00000000000000030000000000000004 time 07:30",
        .consistency(.editSchedule(ScheduleID(high: 3, low: 4), .timeOfDay(27_000_000)))
      ),
      (
        "edit-schedule 00000000000000030000000000000004 title Leg day",
        .consistency(.editSchedule(ScheduleID(high: 3, low: 4), .title("Leg day")))
      ),
      (
        "edit-schedule 00000000000000030000000000000004 at 2026-11-30T12:00:00Z",
        .consistency(.editSchedule(ScheduleID(high: 3, low: 4), .at(noon)))
      ),
      (
        "unschedule 00000000000000030000000000000004",
        .consistency(.unschedule(ScheduleID(high: 3, low: 4)))
      ),
      (
        "delete-log 00000000000000030000000000000004",
        .onLog(.delete(.log(LogID(high: 3, low: 4))))
      ),
      (
        "weigh 80.50 kg",
        .consistency(.weigh(Weight("80.50", unit: .kilograms)!, .instant(.now)))
      ),
      (
        "weigh 241 lb on 2026-12-01",
        .consistency(.weigh(Weight("241", unit: .pounds)!, .day(CivilDay(number: 20_788))))
      ),
      (
        "unweigh 00000000000000030000000000000004",
        .consistency(.unweigh(WeightID(high: 3, low: 4)))
      ),
      ("freeze", .consistency(.freeze)), ("resume-streak", .consistency(.resume(from: nil))),
      ("pause-streak 2026-12-01", .consistency(.pause(from: CivilDay(number: 20_788)))),
    ] as [(String, ScriptedAction)])
  func `an action is read`(text: String, action: ScriptedAction) throws {
    #expect(try ScriptedAction(parsing: text) == action)
  }

  @Test func `preferences are words, too`() throws {
    for (text, policy) in [
      ("policy daily", StreakPolicy.daily), ("policy weekly 3", .weekly(days: 3)),
      ("policy scheduled", .scheduled),
    ] {
      var change = PreferenceChange()
      change.streakPolicy = policy
      #expect(try ScriptedAction(parsing: text) == .consistency(.prefer(change)))
    }
    var change = PreferenceChange()
    change.units = .imperial
    #expect(try ScriptedAction(parsing: "units imperial") == .consistency(.prefer(change)))
    change = PreferenceChange()
    change.firstWeekday = 7
    #expect(try ScriptedAction(parsing: "first-weekday sun") == .consistency(.prefer(change)))
  }

  private func named(_ title: String) -> LogChange {
    var change = LogChange()
    change.title = title
    return change
  }

  @Test func `a field of a log is edited, or taken away`() throws {
    let id = "00000000000000030000000000000004"
    func change(_ text: String) throws -> LogChange? {
      let read = try ScriptedAction(parsing: "edit-log \(id) \(text)")
      guard case .onLog(.edit(.log(LogID(high: 3, low: 4)), let change)) = read else {
        return nil
      }
      return change
    }
    #expect(try change("title Long run")?.title == "Long run")
    #expect(try change("notes felt good")?.notes == "felt good")
    #expect(try change("notes")?.notes == "")
    #expect(try change("tags hill rain")?.tags == ["hill", "rain"])
    #expect(try change("end 00:20")?.end == .timeOfDay(1_200_000))
    #expect(try change("start 2026-11-30T12:00:00Z")?.start == .instant(Samples.noon))
    #expect(try change("active 40")?.activeMilliseconds == .set(2_400_000))
    #expect(try change("energy none")?.energyKilocalories == .cleared)
    #expect(
      try ScriptedAction(parsing: "edit-log newest title Run")
        == .onLog(.edit(.newest, named("Run"))))
    #expect(try ScriptedAction(parsing: "delete-log newest") == .onLog(.delete(.newest)))
    #expect(try change("distance 5000")?.distanceMeters == .set(5_000))
  }

  @Test(arguments: [
    "weekly Legs on mon at 25:00", "weekly Legs on mon,xyz at 18:00", "weekly Legs at 18:00",
    "weekly Legs on mon at 18:00 from tomorrow", "weekly on mon at 18:00",
    "edit-schedule x time 07:00",
    "edit-schedule 00000000000000030000000000000004 colour red", "unschedule", "unschedule 7",
    "edit-log 00000000000000030000000000000004", "edit-log 00000000000000030000000000000004 title",
    "edit-log 00000000000000030000000000000004 energy -1", "weigh", "weigh 80,5 kg",
    "weigh 80 stone",
    "weigh 80 kg on monday", "freeze now", "pause-streak", "pause-streak 2026-02-30",
    "resume-streak a b",
    "trace", "trace last", "trace last 65", "trace last 0", "trace last 7 by hand",
    "trace last 7 by weekly:8", "trace from 2026-12-01", "trace month", "trace month x",
    "preview", "outbox 1", "release", "release 0", "release x", "forget 9007199254740992",
    "forget 1 2",
    "library in wood", "library row", "library named", "history 0",
    "policy weekly 8", "policy monthly", "units stones", "first-weekday 1",
  ])
  func `words about days, logs, weights, streaks and pages that make no sense are told`(
    text: String
  ) {
    #expect(throws: ScriptError.self) { try ScriptedAction(parsing: text) }
  }

  @Test(
    arguments: [
      ("", .empty), ("   ", .empty), ("\"mark\" x", .empty), ("mark \"x", .unclosedQuote),
      ("mark \"x\\", .unclosedQuote), ("jump", .unknownAction("jump")),
      ("Mark x", .unknownAction("Mark")), ("define", .badForm("define TITLE")),
      ("schedule Run", .badForm("schedule TITLE at INSTANT")),
      ("schedule at now", .badForm("schedule TITLE at INSTANT")),
      ("schedule Run \"at\" now", .badForm("schedule TITLE at INSTANT")),
      ("schedule Run at now then", .badForm("schedule TITLE at INSTANT")),
      ("schedule Run at noon", .badInstant("noon")),
      ("schedule Run at 2026-11-30T12:00:00", .badInstant("2026-11-30T12:00:00")),
      ("log run now", .badForm("log TYPE START END")), ("log run x now", .badInstant("x")),
      ("match Reds", .badForm("match HOME AWAY [half-length MINUTES] [extra-half MINUTES]")),
      (
        "match Red Lions Blues",
        .badForm("match HOME AWAY [half-length MINUTES] [extra-half MINUTES]")
      ),
      ("match A B half-length x", .badNumber("x", expected: "a whole number of minutes")),
      ("match A B extra-half x", .badNumber("x", expected: "a whole number of minutes")),
      (
        "match A B extra-half 1 half-length 2",
        .badForm("match HOME AWAY [half-length MINUTES] [extra-half MINUTES]")
      ),
      ("squad", .badForm("squad home|away PLAYER [bench PLAYER]")),
      ("squad home Ada#x", .badPlayer("Ada#x")), ("squad home Ada#1000", .badPlayer("Ada#1000")),
      ("squad home #7", .badPlayer("#7")), ("sub home Ada", .badForm("sub home|away OFF ON")),
      ("undo-sub x", .badEntry("x")), ("take-over now", .badForm("take-over")),
      ("keymap", .badForm("keymap none|BINDING")), ("keymap 1", .badBinding("1")),
      ("keymap 256:press=point-home", .badBinding("256:press=point-home")),
      ("keymap 1:tap=point-home", .badBinding("1:tap=point-home")),
      ("keymap 1:press=point", .badBinding("1:press=point")),
      ("point", .badForm("point home|away [insist]")),
      ("point both", .badForm("point home|away [insist]")),
      ("point home now", .badForm("point home|away [insist]")),
      ("name-team home", .badForm("name-team home|away NAME")),
      ("name-team both Reds", .badForm("name-team home|away NAME")),
      ("press", .badForm("press BUTTON")), ("hold 1 2", .badForm("hold BUTTON")),
      ("double 256", .badNumber("256", expected: "a button from 0 to 255")),
      ("edit-workout x", .badForm("edit-workout WORKOUT title TITLE|exercises NAME")),
      ("edit-workout x title", .badForm("edit-workout WORKOUT title TITLE|exercises NAME")),
      ("edit-workout x colour red", .badForm("edit-workout WORKOUT title TITLE|exercises NAME")),
      ("delete-workout", .badForm("delete-workout WORKOUT")),
      ("undo x", .badEntry("x")), ("undo", .badForm("undo ENTRY")),
      ("clock stop", .badForm("clock start|pause|reset|next-half|end")),
      ("theme dark", .badForm("theme auto|day|night")),
      ("goal x", .badForm("goal NAME VALUE|none")),
      ("goal x nan", .badNumber("nan", expected: "a number, or \"none\" to remove the goal")),
      ("goal x 0x10", .badNumber("0x10", expected: "a number, or \"none\" to remove the goal")),
      ("zone", .badForm("zone ZONE")), ("zone A B", .badForm("zone ZONE")),
      ("state now", .badForm("state")),
    ] as [(String, ScriptError)])
  func `what is not an action is refused with what to write`(text: String, error: ScriptError) {
    #expect(throws: error) { try ScriptedAction(parsing: text) }
    #expect(!error.description.contains("\n"))
  }

  @Test func `no word belongs to two kinds of actions`() {
    let kinds = [StrengthWord.forms, ScriptedConsistency.forms, LogWord.forms]
    let others = ScriptedAction.forms.dropLast(kinds.joined().count)
    let words = (kinds + [Array(others)]).map { forms in
      Set(forms.compactMap { $0.split(separator: " ").first })
    }
    #expect(words.allSatisfy { !$0.isEmpty })
    #expect(Set(words.joined()).count == words.map(\.count).reduce(0, +), "\(words)")
  }

  @Test func `photos are named by their log, or are those of the newest one`() throws {
    let log = LogID(high: 1, low: 2)
    #expect(
      try ScriptedAction(parsing: "attach-photo \(log) \"my run.jpg\"")
        == .onLog(.attach(.log(log), file: "my run.jpg")))
    #expect(try ScriptedAction(parsing: "remove-photo newest") == .onLog(.remove(.newest)))
    #expect(
      try ScriptedAction(parsing: "photo newest > out.jpg")
        == .onLog(.fetch(.newest, file: "out.jpg")))
    #expect(try ScriptedAction(parsing: "preview-log \(log)") == .onLog(.preview(.log(log))))
    for text in ["attach-photo newest", "photo newest out.jpg", "remove-photo", "preview-log a b"] {
      #expect(throws: ScriptError.self) { try ScriptedAction(parsing: text) }
    }
    #expect(throws: ScriptError.badLog("oldest")) {
      try ScriptedAction(parsing: "remove-photo oldest")
    }
  }

  @Test func `a pulse has beats a minute, and perhaps energy and distance`() throws {
    #expect(
      try ScriptedAction(parsing: "pulse 142") == .pulse(ScriptedPulse(heartRate: 142)))
    #expect(
      try ScriptedAction(parsing: "pulse 0 210 1500")
        == .pulse(ScriptedPulse(heartRate: 0, energyKilocalories: 210, distanceMeters: 1_500)))
    for text in ["pulse", "pulse 401", "pulse -1", "pulse fast", "pulse 90 x", "pulse 1 2 3 4"] {
      #expect(throws: ScriptError.self, "\(text)") { try ScriptedAction(parsing: text) }
    }
  }

  @Test func `what has no facet is known by the name it was given last`() throws {
    let (first, second) = (WorkoutID(high: 1, low: 1), WorkoutID(high: 1, low: 2))
    var asked: [Action] = [
      .defineWorkout(id: first, title: "Legs", exercises: []),
      .defineWorkout(id: second, title: "Legs", exercises: []),
    ]
    #expect(asked.workout(titled: "Legs") == second)
    asked.append(.editWorkout(id: second, title: nil, exercises: ["Squat"]))
    #expect(asked.workout(titled: "Legs") == second)
    asked.append(.editWorkout(id: second, title: "Long legs", exercises: nil))
    #expect(asked.workout(titled: "Legs") == first && asked.workout(titled: "Long legs") == second)
    asked.append(.deleteWorkout(id: first))
    #expect(asked.workout(titled: "Legs") == nil && [Action]().workout(titled: "Legs") == nil)
    let (exercise, routine) = (ExerciseID(high: 1, low: 1), RoutineID(high: 1, low: 1))
    asked = [
      .defineExercise(Exercise(id: exercise, name: "Sandbag", equipment: .other)),
      .editExercise(id: exercise, name: "Bag", equipment: nil),
      .defineRoutine(id: routine, title: "A", entries: []),
      .editRoutine(id: routine, title: "B", entries: nil),
    ]
    #expect(asked.exercise(named: "Bag") == exercise && asked.exercise(named: "Sandbag") == nil)
    #expect(asked.routine(titled: "B") == routine && asked.routine(titled: "A") == nil)
  }

  @Test func `every form in the help is one that is read`() throws {
    let values = [
      "TITLE": "Run", "INSTANT": "now", "TYPE": "run", "START": "now", "END": "now", "HOME": "A",
      "AWAY": "B", "MINUTES": "45", "ENTRY": Samples.entry.description, "NAME": "minutes",
      "VALUE": "3", "ZONE": "UTC", "EQUIPMENT": "other", "EXERCISE": "Plank", "PLAN": "3x5@60kg",
      "REPS": "5", "WEIGHT": "60kg", "SET": Samples.setID.description, "POSITION": "1",
      "SECONDS": "60", "NUMBER": "1", "BPM": "120", "KCAL": "5",
      "ID": Samples.entry.description, "DAYS": "mon",
      "DAY": "2026-12-01",
      "HH:MM": "07:30", "N": "3",
      "COUNT": "3", "LOG": "newest", "FILE": "run.jpg", "METERS": "1500",
      "PLAYER": "Ada#7", "OFF": "Ada", "ON": "Ben", "BINDING": "1:press=point-home",
      "WORKOUT": "Run", "ROUTINE": "Legs", "BUTTON": "1",
    ]
    for form in ScriptedAction.forms {
      let words = form.split(separator: " ").map { word in
        let first = word.split(separator: "|")[0].filter { $0 != "[" && $0 != "]" }
        return values[first] ?? first
      }
      _ = try ScriptedAction(parsing: words.joined(separator: " "))
    }
  }

  @Test func `actions carry ids of their own and the newest match`() throws {
    var action: Action?
    for (script, needsMatch) in [
      ("point home", true), ("undo \(Samples.entry)", true), ("clock start", true),
      ("take-over", true), ("squad home Ada", true), ("sub home A B", true),
      ("undo-sub \(Samples.entry)", true), ("keymap none", false),
      ("name-team home Reds", true), ("press 1", false), ("delete-workout x", false),
      ("match A B half-length 30", false), ("mark x", false), ("state", false),
    ] {
      let scripted = try ScriptedAction(parsing: script)
      #expect(scripted.needsMatch == needsMatch)
      action = scripted.action(now: Samples.noon, match: nil)
      if needsMatch { #expect(action == nil) }
    }
    let point = try ScriptedAction(parsing: "point home")
    action = point.action(now: Samples.noon, match: Samples.match)
    guard case .addPoint(let first, Samples.match, .home, false) = action else {
      throw ToolFailure("not a point")
    }
    action = point.action(now: Samples.noon, match: Samples.match)
    guard case .addPoint(let second, _, _, _) = action else { throw ToolFailure("not a point") }
    #expect(first != second)
    action = try ScriptedAction(parsing: "point home insist")
      .action(now: Samples.noon, match: Samples.match)
    guard case .addPoint(_, Samples.match, .home, true) = action else {
      throw ToolFailure("not an insistent point")
    }
    let scheduled = try ScriptedAction(parsing: "schedule Run at now")
    action = scheduled.action(now: Samples.noon, match: nil)
    guard case .scheduleWorkout(_, .title("Run"), Samples.noon) = action else {
      throw ToolFailure("not a schedule")
    }
    let match = try ScriptedAction(parsing: "match A B")
      .action(now: Samples.noon, match: nil)
    guard case .newMatch(let id, "A", "B", 2_700_000, nil) = match else {
      throw ToolFailure("not a match")
    }
    #expect(match?.madeMatch == id)
  }
}
