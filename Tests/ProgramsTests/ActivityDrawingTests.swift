import Testing
import WatchTransfer

@testable import CommandLineTool

/// The faces of a live activity: each shows no more than the facets and the reading carry.
@Suite struct ActivityDrawingTests {
  private static let live: LiveReading = {
    var live = Samples.live
    live.session = Samples.session
    return live
  }()

  private func drawing(
    _ face: ActivityFace, at seconds: Int64 = 0, live: LiveReading? = Self.live,
    isStale: Bool = false,
    theme: Bool = true, appearance: Appearance? = nil
  ) -> ActivityDrawing? {
    var facets: [FacetKind: Facet] = [.session: .session(Samples.sessionFacet)]
    if theme { facets[.theme] = Samples.theme }
    return ActivityDrawing(
      face, facets: facets, live: live, isStale: isStale, revision: 7, appearance: appearance,
      at: Samples.noon.advanced(milliseconds: seconds * 1_000))
  }

  private func rows(_ drawing: ActivityDrawing?) -> [String] {
    let lines = drawing?.plain.split(separator: "\n").map(String.init) ?? []
    return lines.map { line in
      line.filter { !"│╭╮╰╯─".contains($0) }.split(separator: " ").joined(separator: " ")
    }
    .filter { !$0.isEmpty }
  }

  @Test func `compact is a line, minimal a timer, expanded all there is`() {
    #expect(
      rows(drawing(.compact, at: 180)) == ["session.running Back squat · set 2 of 3 · 5… 2:00"])
    #expect(
      rows(drawing(.compact)) == ["session.running 142 bpm, 210 kcal 1:00"])
    #expect(rows(drawing(.minimal, at: 180)) == ["sessi…", "2:00"])
    #expect(
      rows(drawing(.expanded)) == [
        "session.running", "Leg day", "Back squat · set 2 of 3 · 5 × 8…", "rest 4:30 left",
        "142 bpm, 210 kcal", "1:00",
      ])
    #expect(
      rows(drawing(.expanded, at: 300, live: nil)) == [
        "session.running", "Leg day", "Back squat · set 2 of 3 · 5 × 8…", "4:00",
      ])
  }

  @Test func `what is old says so, what is over is gone`() {
    #expect(drawing(.expanded)?.content.stale == 0)
    #expect(drawing(.expanded, at: 14)?.content.live != nil)
    let stale = drawing(.expanded, at: 15)
    #expect(stale?.content.stale == 1 && rows(stale).last == "ageing")
    let over = drawing(.expanded, at: 30)
    #expect(over?.content.live == nil && over?.content.stale == 0)
    #expect(rows(drawing(.minimal, isStale: true)).last == "stale")
    var other = Self.live
    other.session = SessionID(high: 1, low: 1)
    #expect(drawing(.compact, live: other)?.content.live == nil, "it is another session's")
    let none = ActivityDrawing(
      .compact, facets: [.session: .session(nil)], live: Self.live, isStale: false, revision: 7,
      appearance: nil, at: Samples.noon)
    #expect(none == nil)
  }

  @Test func `it knows when it looks otherwise by itself`() {
    let noon = Samples.noon
    func next(_ seconds: Int64, _ appearance: Appearance? = nil) -> Instant? {
      drawing(.compact, at: seconds, appearance: appearance)?.nextMoment
    }
    #expect(next(0) == noon.advanced(milliseconds: 15_000))
    #expect(next(15) == noon.advanced(milliseconds: 30_000))
    #expect(next(30) == noon.advanced(milliseconds: 270_000), "the rest is over")
    #expect(next(270) == Samples.instant("2026-11-30T19:00:00Z"), "the theme flips")
    #expect(next(270, .night) == nil)
    let (before, after) = (drawing(.compact, at: 16), drawing(.compact, at: 17))
    #expect(before?.content == after?.content, "a running timer is nothing new")
    #expect(drawing(.compact, at: 14)?.content != before?.content)
  }

  @Test func `the theme is the person's, or the one asked for`() {
    #expect(drawing(.compact)?.content.appearance == .day)
    #expect(drawing(.compact, at: 8 * 3_600)?.content.appearance == .night)
    #expect(drawing(.compact, appearance: .night)?.content.appearance == .night)
    #expect(drawing(.compact, theme: false)?.content.appearance == .day)
    #expect(drawing(.compact)?.ansi.contains("48;2;255;255;255m") == true)
    #expect(drawing(.compact, appearance: .night)?.ansi.contains("48;2;0;0;0m") == true)
    #expect(drawing(.expanded, appearance: .both)?.svg.ranges(of: "translate(").count == 2)
  }

  @Test func `for machines it has its anchors`() {
    #expect(
      drawing(.compact)?.json.json == """
        {"type":"activity","face":"compact","session":"0000000000000009000000000000000a",\
        "revision":7,"phase":"running","lines":["142 bpm, 210 kcal"],\
        "spoken":"Leg day, running, Back squat, set 2 of 3, 5 reps at 82.25 kg, \
        142 beats a minute, 210 kilocalories","symbol":"session.running","stale":0,\
        "timerSince":"2026-11-30T12:02:00Z","timerElapsedMs":60000,\
        "restOverAt":"2026-11-30T12:04:30Z",\
        "live":\(ReadingJSON.value(of: .live(Self.live)).json),"theme":"day"}
        """)
  }
}
