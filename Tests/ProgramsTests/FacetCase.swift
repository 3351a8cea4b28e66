import WatchTransfer

/// A facet with its JSON at a moment.
struct FacetCase: Sendable {
  let facet: Facet
  let now: Instant
  let json: String

  init(_ facet: Facet, _ now: Instant, _ json: String) {
    self.facet = facet
    self.now = now
    self.json = json
  }

  static let all: [FacetCase] = person + match + strength

  private static let person: [FacetCase] = [
    FacetCase(
      Samples.today, Samples.noon,
      #"""
      {"day":"2026-11-30","greeting":"Good afternoon","items":[{"title":"Morning \"run\"",\#
      "kind":"scheduled","at":"2026-11-30T07:00:00Z","done":true,\#
      "id":"00000000000000070000000000000008","text":"done at 07:31"}]}
      """#),
    FacetCase(
      Samples.today, Samples.midnight,
      #"{"day":"2026-12-01","greeting":"Good afternoon","items":[]}"#),
    FacetCase(
      .today(TodayFacet(days: [], greetings: [])), Samples.noon,
      #"{"day":null,"greeting":null,"items":[]}"#),
    FacetCase(
      Samples.streak, Samples.noon,
      #"""
      {"policy":"daily","days":5,"todayDone":true,"atRiskAt":null,\#
      "lostAt":"2026-12-02T00:00:00Z","daysAWeek":null,"freezes":0,"protected":[],\#
      "paused":false}
      """#),
    FacetCase(
      Samples.streak, Samples.midnight,
      #"""
      {"policy":"daily","days":5,"todayDone":false,"atRiskAt":"2026-12-01T18:00:00Z",\#
      "lostAt":"2026-12-02T00:00:00Z","daysAWeek":null,"freezes":0,"protected":[],\#
      "paused":false}
      """#),
    FacetCase(
      .streak(StreakFacet(policy: .daily, entries: [])), Samples.noon,
      #"""
      {"policy":"daily","days":null,"todayDone":null,"atRiskAt":null,"lostAt":null,\#
      "daysAWeek":null,"freezes":null,"protected":[],"paused":null}
      """#),
    FacetCase(
      Samples.weeklyStreak, Samples.noon,
      #"""
      {"policy":"weekly","days":3,"todayDone":false,"atRiskAt":null,"lostAt":null,\#
      "daysAWeek":2,"freezes":1,"protected":["2026-11-16"],"paused":true}
      """#),
    FacetCase(
      Samples.goals, Samples.noon,
      #"""
      {"goals":[{"name":"minutes","target":150,"value":42.5,"text":"42 of 150"},\#
      {"name":"smiles","target":3.5,"value":null,"text":null}],\#
      "weight":{"text":"80.5 kg on 30 Nov 2026","entered":"80.5 kg","kilograms":80.5,\#
      "day":"2026-11-30","at":null,"id":"000000000000000b000000000000000c"}}
      """#),
    FacetCase(
      Samples.preferences, Samples.noon,
      #"""
      {"units":"metric","firstWeekday":1,"onboardingStep":0,"streakPolicy":"daily",\#
      "streakDays":null,"zone":"Europe/Berlin"}
      """#),
    FacetCase(
      Samples.theme, Samples.noon,
      #"""
      {"mode":"auto","now":"day","flips":[{"at":"2026-11-30T07:00:00Z","to":"day"},\#
      {"at":"2026-11-30T19:00:00Z","to":"night"}],"palette":"classic",\#
      "palettes":{"day":{"background":"#FFFFFF","text":"#101010",\#
      "secondary":"#505050","accent":"#0000A0"},"night":{"background":"#000000",\#
      "text":"#EEEEEE","secondary":"#AAAAAA","accent":"#80C0FF"}}}
      """#),
  ]

  private static let match: [FacetCase] = [
    FacetCase(
      Samples.teams, Samples.noon,
      #"{"home":"Red Lions","away":"Blue Stars","match":"00000000000000010000000000000002"}"#),
    FacetCase(.teams(nil), Samples.noon, #"{"home":null,"away":null,"match":null}"#),
    FacetCase(
      Samples.score, Samples.noon,
      #"""
      {"home":1,"away":0,"entries":[{"id":"00000000000000030000000000000004","team":"home",\#
      "minute":"45+2","by":"Wrist"}],"match":"00000000000000010000000000000002"}
      """#),
    FacetCase(
      .score(nil), Samples.noon, #"{"home":null,"away":null,"entries":[],"match":null}"#),
    FacetCase(
      Samples.clock, Samples.midnight,
      #"""
      {"phase":"running","half":2,"elapsedMs":2700000,"runningSince":"2026-11-30T12:00:00Z",\#
      "halfLengthMs":2700000,"match":"00000000000000010000000000000002",\#
      "recorder":"00000000000000050000000000000006","halves":2,"stoppage":null}
      """#),
    FacetCase(
      Samples.stoppage, Samples.noon,
      #"""
      {"phase":"running","half":3,"elapsedMs":5400000,"runningSince":"2026-11-30T12:00:00Z",\#
      "halfLengthMs":900000,"match":"00000000000000010000000000000002",\#
      "recorder":null,"halves":4,"stoppage":{"text":"105+","from":"2026-12-01T00:00:00Z",\#
      "elapsedMs":0,"runningSince":"2026-12-01T00:00:00Z"}}
      """#),
    FacetCase(
      Samples.squads, Samples.noon,
      #"""
      {"home":[{"id":"00000000000000070000000000000001","name":"Ada","number":7,"starts":true,\#
      "onField":false},{"id":"00000000000000070000000000000002","name":"Ben","number":null,\#
      "starts":false,"onField":true}],"away":[],"substitutions":[\#
      {"id":"00000000000000030000000000000004","team":"home","text":"Ben for Ada",\#
      "minute":"45+2","half":1,"by":"Phone","off":"00000000000000070000000000000001",\#
      "on":"00000000000000070000000000000002"}],"match":"00000000000000010000000000000002"}
      """#),
    FacetCase(
      .squads(nil), Samples.noon,
      #"{"home":[],"away":[],"substitutions":[],"match":null}"#),
    FacetCase(
      Samples.playTime, Samples.noon,
      #"""
      {"players":[{"id":"00000000000000070000000000000001","team":"home","name":"Ada",\#
      "elapsedMs":2790000,"runningSince":null},{"id":"00000000000000070000000000000002",\#
      "team":"home","name":"Ben","elapsedMs":60000,"runningSince":"2026-11-30T12:00:00Z"}],\#
      "match":"00000000000000010000000000000002"}
      """#),
    FacetCase(.playTime(nil), Samples.noon, #"{"players":[],"match":null}"#),
    FacetCase(
      .matchClock(nil), Samples.noon,
      #"""
      {"phase":null,"half":null,"elapsedMs":null,"runningSince":null,"halfLengthMs":null,\#
      "match":null,"recorder":null,"halves":null,"stoppage":null}
      """#),
  ]
}
