import CommandLineTool
import Testing
import WatchTransfer

private let json = DeviceLines(isJSON: true)
private let text = DeviceLines(isJSON: false)
private let incarnation = IncarnationID(high: 9, low: 9)
private let hex = "00000000000000090000000000000009"

@Suite struct DeviceLinesTests {
  @Test(arguments: [
    (
      Outcome.applied(17), "action 3: applied at revision 17",
      #""outcome":"applied","reason":null,"field":null,"revision":17"#
    ),
    (
      .refused(.invalid(field: "title")), "action 3: refused (invalid: title)",
      #""outcome":"refused","reason":"invalid","field":"title","revision":null"#
    ),
    (
      .refused(.gone), "action 3: refused (gone)",
      #""outcome":"refused","reason":"gone","field":null,"revision":null"#
    ),
    (
      .expired, "action 3: expired",
      #""outcome":"expired","reason":null,"field":null,"revision":null"#
    ),
  ])
  func `a receipt is one line`(outcome: Outcome, line: String, members: String) {
    let receipt = Receipt(incarnation: incarnation, number: 3, outcome: outcome)
    #expect(text.receipt(receipt) == [line])
    #expect(
      json.receipt(receipt) == [
        #"{"type":"receipt","number":3,\#(members),"incarnation":"\#(hex)"}"#
      ])
  }

  @Test func `a workout and a log are shown with the ids that words take`() {
    let key = WorkoutKey(name: "Legs", id: WorkoutID(high: 9, low: 9))
    let workout = WorkoutEntry(key: key, exercises: ["Squat", "Lunge"], text: "Legs, 2 exercises")
    #expect(
      text.workout(workout) == ["Legs, 2 exercises", "  workout \(hex)", "  Squat", "  Lunge"])
    #expect(
      json.workout(workout) == [
        #"{"type":"workout","id":"\#(hex)","title":"Legs","exercises":["Squat","Lunge"],"#
          + #""text":"Legs, 2 exercises"}"#
      ])
    let exercise = ExerciseKey(name: "Yoke walk", id: ExerciseID(high: 9, low: 9))
    var found = ExerciseEntry(
      key: exercise, equipment: .other, isOwn: true, text: "Yoke walk, other")
    #expect(
      text.exercise(found) == ["Yoke walk, other (added by this account)", "  exercise \(hex)"])
    found.isOwn = false
    #expect(text.exercise(found) == ["Yoke walk, other"])
    let place = HistoryKey(
      day: CivilDay(number: 20_787), end: Samples.noon, log: LogID(high: 9, low: 9))
    let entry = HistoryEntry(
      key: place, title: "Run", start: Samples.noon, milliseconds: 0, wasPlanned: false,
      text: "30 Nov 2026", spoken: "")
    #expect(text.history(entry) == ["Run: 30 Nov 2026", "  log \(hex)"])
  }

  @Test func `an update shows what changed`() {
    let facets = [FacetKind.teams: Samples.teams]
    #expect(
      json.update(from: 0, to: 7, facets: facets, readings: [:], at: Samples.noon) == [
        #"{"type":"update","from":0,"to":7,"facets":{"teams":{"home":"Red Lions","#
          + #""away":"Blue Stars","match":"00000000000000010000000000000002"}}}"#
      ])
    #expect(
      text.update(from: 0, to: 7, facets: facets, readings: [:], at: Samples.noon)
        == ["update to revision 7", "  teams: Red Lions – Blue Stars"])
    let reading = [ReadingKind.presence: Reading.presence([])]
    #expect(
      json.update(from: 7, to: 7, facets: [:], readings: reading, at: Samples.noon)
        == [#"{"type":"update","from":7,"to":7,"facets":{},"readings":{"presence":[]}}"#])
  }

  @Test func `each reading is a line`() {
    let wrist = DevicePresence(
      device: DeviceID(high: 1, low: 1), name: "Wrist\u{1B}", kind: .watch, isPresent: true,
      pending: 2)
    let pocket = DevicePresence(
      device: DeviceID(high: 1, low: 2), name: "Pocket", kind: .phone, isPresent: false, pending: 0)
    let entry = DeliveryReading.Entry(
      deviceName: "Wrist", number: 7, outcome: "refused", reason: "gone", at: Samples.noon)
    let readings: [ReadingKind: Reading] = [
      .presence: .presence([wrist, pocket]),
      .delivery: .delivery(
        DeliveryReading(refused: 1, expired: 2, quarantined: 3, newest: [entry])),
      .continuity: .continuity(
        ContinuityReading(state: .fresh, copiedAt: Samples.noon, text: "copied at 13:00")),
      .live: .live(Samples.live),
    ]
    let lines = [
      "  devices: Wrist\u{FFFD} (watch) here, 2 pending; Pocket (phone) away",
      "  delivery: 1 refused, 2 expired, 3 set aside; last: Wrist, action 7 refused (gone)",
      "  backup: copied at 13:00",
      "  live: 142 bpm, 210 kcal (measured at 2026-11-30T12:00:00Z)",
    ]
    #expect(
      text.update(from: 7, to: 7, facets: [:], readings: readings, at: Samples.noon)
        == ["update to revision 7"] + lines)
    #expect(
      text.state(revision: 7, isStale: false, facets: [:], readings: readings, at: Samples.noon)
        == ["state at revision 7"] + lines)
    #expect(
      text.update(
        from: 7, to: 7, facets: [:],
        readings: [.presence: .presence([]), .delivery: .delivery(DeliveryReading())],
        at: Samples.noon) == [
          "update to revision 7", "  devices: none",
          "  delivery: 0 refused, 0 expired, 0 set aside",
        ])
  }

  @Test func `a live value is a line, until it is over`() {
    let reading = [ReadingKind.live: Reading.live(Samples.live)]
    for (seconds, line) in [
      (1, "  live: 142 bpm, 210 kcal (measured at 2026-11-30T12:00:00Z)"),
      (15, "  live: 142 bpm, 210 kcal (measured at 2026-11-30T12:00:00Z, stale)"),
      (30, "  live: nothing"),
    ] as [(Int64, String)] {
      let now = Samples.noon.advanced(milliseconds: seconds * 1_000)
      #expect(
        text.update(from: 7, to: 7, facets: [:], readings: reading, at: now)
          == ["update to revision 7", line])
      #expect(
        text.state(revision: 7, isStale: false, facets: [:], readings: reading, at: now)
          == ["state at revision 7", line])
    }
    #expect(
      text.update(from: 7, to: 7, facets: [:], readings: [.live: .live(nil)], at: Samples.noon)
        == ["update to revision 7", "  live: nothing"])
  }

  @Test func `the state says whether it is stale`() {
    #expect(
      json.state(
        revision: 7, isStale: true, facets: [.teams: .teams(nil)], readings: [:], at: Samples.noon)
        == [
          #"{"type":"state","revision":7,"stale":true,"facets":{"teams":{"home":null,"#
            + #""away":null,"match":null}},"readings":{}}"#
        ])
    #expect(
      text.state(revision: 7, isStale: true, facets: [:], readings: [:], at: Samples.noon)
        == ["state at revision 7, stale"])
    #expect(
      text.state(revision: 7, isStale: false, facets: [:], readings: [:], at: Samples.noon)
        == ["state at revision 7"])
  }

  @Test func `what happens in the outbox has lines of its own`() {
    let number = IncarnationNumber(incarnation: incarnation, number: 4)
    #expect(json.queued(number) == [#"{"type":"queued","number":4,"incarnation":"\#(hex)"}"#])
    #expect(text.queued(number) == ["action 4: queued"])
    #expect(
      json.quarantined(number, reason: "settled") == [
        #"{"type":"quarantined","number":4,"reason":"settled","incarnation":"\#(hex)"}"#
      ])
    #expect(
      text.quarantined(number, reason: "settled")
        == ["action 4: set aside, outcome unknown (settled)"])
    #expect(
      json.stage(number, word: "shown", revision: 9) == [
        #"{"type":"stage","number":4,"stage":"shown","revision":9,"incarnation":"\#(hex)"}"#
      ])
    #expect(text.stage(number, word: "received", revision: nil) == ["action 4: received"])
    let action = Action.markWorkout(log: LogID(high: 1, low: 1), workout: .title("a\u{1B}"))
    #expect(
      json.kept(number, action: action, stage: "quarantined", reason: "damaged") == [
        #"{"type":"kept","number":4,"action":"markWorkout","stage":"quarantined","#
          + #""reason":"damaged","incarnation":"\#(hex)"}"#
      ])
    #expect(
      text.kept(number, action: action, stage: "refused", reason: "gone")
        == ["action 4: markWorkout, refused (gone)"])
    #expect(
      text.kept(number, action: nil, stage: "queued", reason: nil)
        == ["action 4: unreadable, queued"])
    #expect(text.forgotten(number) == ["action 4: forgotten"])
    #expect(
      json.moved(from: incarnation, to: incarnation, count: 2)
        == [#"{"type":"moved","from":"\#(hex)","to":"\#(hex)","count":2}"#])
    #expect(text.moved(from: incarnation, to: incarnation, count: 2).count == 1)
  }
}
