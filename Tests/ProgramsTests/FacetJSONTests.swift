import CommandLineTool
import Testing
import WatchTransfer

@Suite struct FacetJSONTests {
  @Test(arguments: FacetCase.all)
  func `a facet has the members of the contract, as of a moment`(sample: FacetCase) {
    #expect(FacetJSON.value(of: sample.facet, at: sample.now).json == sample.json)
  }

  @Test(arguments: [
    ("2026-11-30T18:59:59Z", "day"), ("2026-11-30T19:00:00Z", "night"),
    ("2026-11-30T06:00:00Z", "day"),
  ])
  func `now in a theme is the flip that passed last`(now: String, look: String) {
    let json = FacetJSON.value(of: Samples.theme, at: Samples.instant(now))
    #expect(json["now"]?.text == look)
  }

  @Test func `a set of facets is an object in the order of their kinds`() {
    let json = FacetJSON.object(
      of: [.score: .score(nil), .today: Samples.today, .theme: Samples.theme], at: Samples.noon)
    #expect(json.members?.map(\.0) == ["today", "theme", "score"])
  }

  @Test func `readings show who is there and what did not take effect`() {
    let presence = Reading.presence([
      DevicePresence(
        device: Samples.device, name: "Wrist", kind: .watch, isPresent: true, pending: 3)
    ])
    let delivery = Reading.delivery(
      DeliveryReading(
        refused: 1, expired: 2, quarantined: 3,
        newest: [
          .init(
            deviceName: "Wrist", number: 9, outcome: "refused", reason: "gone", at: Samples.noon)
        ]))
    let json = ReadingJSON.object(of: [.delivery: delivery, .presence: presence])
    #expect(
      json.json
        == #"{"presence":[{"device":"00000000000000050000000000000006","name":"Wrist","#
        + #""kind":"watch","present":true,"pending":3}],"delivery":{"refused":1,"expired":2,"#
        + #""quarantined":3,"newest":[{"device":"Wrist","number":9,"outcome":"refused","#
        + #""reason":"gone","at":"2026-11-30T12:00:00Z"}]}}"#)
  }

  @Test func `the reading of the off-machine copy tells its state, its moment and its words`() {
    let fresh = ContinuityReading(
      state: .fresh, copiedAt: Samples.noon, text: "Backed up 30 Nov, 12:00")
    #expect(
      ReadingJSON.value(of: .continuity(fresh)).json
        == #"{"state":"fresh","copiedAt":"2026-11-30T12:00:00Z","text":"Backed up 30 Nov, 12:00"}"#)
    let none = ContinuityReading(
      state: .notConfigured, copiedAt: nil, text: "No backup is set up")
    #expect(
      ReadingJSON.object(of: [.continuity: .continuity(none)]).json
        == #"{"continuity":{"state":"notConfigured","copiedAt":null,"text":"No backup is set up"}}"#
    )
  }

  @Test func `a live value tells what it is, when it was measured and how long it is good`() {
    #expect(
      ReadingJSON.value(of: .live(Samples.live)).json
        == #"{"session":"00000000000000080000000000000001","#
        + #""recorder":"00000000000000050000000000000006","observedAt":"2026-11-30T12:00:00Z","#
        + #""cadenceMs":5000,"staleAt":"2026-11-30T12:00:15Z","expiresAt":"2026-11-30T12:00:30Z","#
        + #""heartRate":142,"energyKcal":209.5,"distanceM":null,"text":"142 bpm, 210 kcal","#
        + #""spoken":"142 beats a minute, 210 kilocalories"}"#)
    #expect(ReadingJSON.object(of: [.live: .live(nil)]).json == #"{"live":null}"#)
  }

  @Test func `every facet has lines for a person, without control characters`() {
    var facets: [FacetKind: Facet] = [:]
    let all = [
      Samples.today, Samples.streak, Samples.goals, Samples.preferences, Samples.theme,
      Samples.teams, Samples.score, Samples.clock, Samples.routines,
      .session(Samples.sessionFacet), .lastSession(Samples.summary),
      Samples.squads, Samples.playTime,
    ]
    for facet in all { facets[facet.kind] = facet }
    facets[.teams] = .teams(
      TeamsFacet(match: Samples.match, home: "A\u{1B}[31m", away: "B\nreceipt 1: applied"))
    let lines = SurfaceText.lines(of: facets, at: Samples.noon.advanced(milliseconds: 125_000))
    #expect(
      lines.contains("  [x] Morning \"run\", done at 07:31 (00000000000000070000000000000008)"))
    #expect(lines.contains("clock: running, half 2, 47:05"))
    #expect(lines.contains("  7 Ada, off"))
    #expect(lines.contains("  Ben, on the field"))
    #expect(
      lines.contains(
        "sub: 45+2′ home, Ben for Ada, by Phone (00000000000000030000000000000004)"))
    #expect(lines.contains("played: Ada (home) 46:30"))
    #expect(lines.contains("played: Ben (home) 3:05"))
    #expect(lines.contains("teams: A\u{FFFD}[31m – B\u{FFFD}receipt 1: applied"))
    for kind in FacetKind.allCases {
      #expect(!SurfaceText.lines(of: facets.filter { $0.key == kind }, at: Samples.noon).isEmpty)
    }
  }
}
