import WatchTransfer

/// Routines and sessions that the tests show.
extension Samples {
  static let session = SessionID(high: 9, low: 10)
  static let setID = SetID(high: 11, low: 12)
  static let squat = ExerciseLibrary.starter[0]
  static let heavy = Weight("82.25", unit: .kilograms)!

  static let routines = Facet.routines(
    RoutinesFacet(
      routines: [
        .init(
          id: RoutineID(high: 13, low: 14), title: "Leg day",
          entries: [
            .init(
              exercise: squat.id, name: squat.name, equipment: squat.equipment,
              groups: [
                SetGroup(
                  count: 3, set: TargetSet(reps: 5, weight: heavy, restSeconds: 90))
              ])
          ], text: "1 exercise · 3 sets")
      ], omitted: 2))

  static var sessionFacet: SessionFacet {
    var facet = SessionFacet(
      session: session, title: "Leg day", activityType: "traditionalStrengthTraining",
      phase: .running, startedAt: noon, activeMilliseconds: 60_000,
      runningSince: instant("2026-11-30T12:02:00Z"), recorder: device)
    let set = SessionFacet.Set(
      id: setID, reps: 5, weight: heavy, isWarmUp: false, text: "5 × 82.25 kg")
    facet.exercises = [
      .init(name: squat.name, equipment: squat.equipment, targetSets: 3, doneSets: 1)
    ]
    facet.reps = 5
    facet.weight = heavy
    facet.sets = [set]
    facet.lastTime = [set]
    facet.lastTimeAt = instant("2026-11-23T12:00:00Z")
    facet.rest = .init(
      since: instant("2026-11-30T12:03:00Z"), overAt: instant("2026-11-30T12:04:30Z"))
    facet.progress = "Back squat · set 2 of 3 · 5 × 82.25 kg"
    facet.spoken = "Back squat, set 2 of 3, 5 reps at 82.25 kg"
    return facet
  }

  static var summary: LastSessionFacet {
    var facet = LastSessionFacet(
      session: session, title: "Leg day", activityType: "traditionalStrengthTraining",
      startedAt: noon, endedAt: instant("2026-11-30T12:42:00Z"))
    facet.activeMilliseconds = 2_400_000
    facet.spanMilliseconds = 2_520_000
    facet.pausedMilliseconds = 120_000
    facet.averageHeartRate = 134.5
    facet.setCount = 3
    facet.volumeKilograms = 1_233.75
    facet.exercises = [
      .init(name: squat.name, targetSets: 3, doneSets: 3, text: "3/3 · best 5 × 82.25 kg")
    ]
    facet.records = ["Back squat: 82.25 kg, heaviest so far"]
    facet.text = "Leg day · 40 min · 3 sets · 1234 kg"
    facet.spoken = "Leg day, 40 minutes, 3 sets, 1234 kg in all"
    return facet
  }
}

extension FacetCase {
  /// Routines and sessions.
  static let strength: [FacetCase] = [
    FacetCase(
      Samples.routines, Samples.noon,
      #"""
      {"routines":[{"id":"000000000000000d000000000000000e","title":"Leg day",\#
      "text":"1 exercise · 3 sets","entries":[{"exercise":"57726973744578310000000000000001",\#
      "name":"Back squat","equipment":"barbell","sets":[{"count":3,"reps":5,\#
      "weight":"82.25 kg","restSeconds":90}]}]}],"omitted":2}
      """#),
    FacetCase(
      .session(Samples.sessionFacet), Samples.noon,
      #"""
      {"session":"0000000000000009000000000000000a","title":"Leg day",\#
      "activityType":"traditionalStrengthTraining","phase":"running",\#
      "startedAt":"2026-11-30T12:00:00Z","activeMs":60000,\#
      "runningSince":"2026-11-30T12:02:00Z","recorder":"00000000000000050000000000000006",\#
      "position":0,"exercises":[{"name":"Back squat","equipment":"barbell","targetSets":3,\#
      "doneSets":1}],"reps":5,"weight":"82.25 kg",\#
      "sets":[{"id":"000000000000000b000000000000000c","reps":5,"weight":"82.25 kg",\#
      "warmUp":false,"text":"5 × 82.25 kg"}],\#
      "lastTime":[{"id":"000000000000000b000000000000000c","reps":5,"weight":"82.25 kg",\#
      "warmUp":false,"text":"5 × 82.25 kg"}],"lastTimeAt":"2026-11-23T12:00:00Z",\#
      "restSince":"2026-11-30T12:03:00Z","restOverAt":"2026-11-30T12:04:30Z",\#
      "progress":"Back squat · set 2 of 3 · 5 × 82.25 kg",\#
      "spoken":"Back squat, set 2 of 3, 5 reps at 82.25 kg"}
      """#),
    FacetCase(
      .session(nil), Samples.noon,
      #"""
      {"session":null,"title":null,"activityType":null,"phase":null,"startedAt":null,\#
      "activeMs":null,"runningSince":null,"recorder":null,"position":null,"exercises":[],\#
      "reps":null,"weight":null,"sets":[],"lastTime":[],"lastTimeAt":null,"restSince":null,\#
      "restOverAt":null,"progress":null,"spoken":null}
      """#),
    FacetCase(
      .lastSession(Samples.summary), Samples.noon,
      #"""
      {"session":"0000000000000009000000000000000a","title":"Leg day",\#
      "activityType":"traditionalStrengthTraining","startedAt":"2026-11-30T12:00:00Z",\#
      "endedAt":"2026-11-30T12:42:00Z","activeMs":2400000,"spanMs":2520000,"pausedMs":120000,\#
      "energyKcal":null,"averageHeartRate":134.5,"maximumHeartRate":null,"setCount":3,\#
      "volumeKg":1233.75,"exercises":[{"name":"Back squat","targetSets":3,"doneSets":3,\#
      "text":"3/3 · best 5 × 82.25 kg"}],"records":["Back squat: 82.25 kg, heaviest so far"],\#
      "text":"Leg day · 40 min · 3 sets · 1234 kg",\#
      "spoken":"Leg day, 40 minutes, 3 sets, 1234 kg in all"}
      """#),
    FacetCase(
      .lastSession(nil), Samples.noon,
      #"""
      {"session":null,"title":null,"activityType":null,"startedAt":null,"endedAt":null,\#
      "activeMs":null,"spanMs":null,"pausedMs":null,"energyKcal":null,"averageHeartRate":null,\#
      "maximumHeartRate":null,"setCount":null,"volumeKg":null,"exercises":[],"records":[],\#
      "text":null,"spoken":null}
      """#),
  ]
}
