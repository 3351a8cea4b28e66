import Testing
import WatchTransfer

@testable import CommandLineTool

/// Every family with every appearance.
private let views: [(WidgetFamily, Appearance)] = WidgetFamily.allCases.flatMap { family in
  Appearance.allCases.map { (family, $0) }
}

private func drawing(
  _ family: WidgetFamily, _ appearance: Appearance, at: Instant = Samples.noon
) -> WidgetDrawing {
  WidgetDrawing(
    timeline: Samples.timeline(family, appearance: appearance), revision: 7,
    appearance: appearance, at: at)
}

/// Lines of terminal text without their colours.
private func plainLines(_ ansi: String) -> [String] {
  ansi.replacing(/\u{1B}\[[0-9;]*m/, with: "").split(separator: "\n").map(String.init)
}

@Suite struct WidgetDrawingTests {
  @Test(arguments: views)
  func `a terminal drawing is a box of even width that obeys no title`(
    family: WidgetFamily, appearance: Appearance
  ) {
    let text = drawing(family, appearance).ansi
    let lines = plainLines(text)
    #expect(!lines.isEmpty)
    #expect(!lines.joined().contains("\u{1B}"))
    #expect(lines.joined().contains("ageing"))
    let faces = appearance == .both ? 2 : 1
    if family == .inline {
      #expect(lines.count == faces)
    } else {
      #expect(Set(lines.map(displayWidth)).count == 1)
      #expect(lines.count <= faces * (family.linesMax + WidgetFace.extraRowsMax + 2))
      #expect(lines.allSatisfy { displayWidth(of: $0) <= 2 * family.lineCharactersMax + 4 })
    }
  }

  @Test(arguments: views)
  func `a picture stays within its bounds and escapes what it shows`(
    family: WidgetFamily, appearance: Appearance
  ) throws {
    let svg = drawing(family, appearance).svg
    #expect(svg.contains("<title>Streak: 5 days &amp; &quot;counting&quot;</title>"))
    #expect(!svg.contains("\u{1B}"))
    #expect(!svg.contains("<&>"))
    let size = family.size
    var texts = 0
    for match in svg.matches(
      of: /<text x="8" y="([0-9.]+)".*?font-size="([0-9.]+)".*?>(.*?)<\/text>/)
    {
      let letter = try #require(Double(match.2))
      #expect(try #require(Double(match.1)) <= Double(size.height) - 4)
      #expect(letter >= 3)
      let shown = String(match.3).replacing(/&[a-z]+;/, with: "x")
      #expect(8 + Double(displayWidth(of: shown)) * letter * 0.6 <= Double(size.width))
      texts += 1
    }
    #expect(texts >= (appearance == .both ? 10 : 5))
  }

  @Test(arguments: views)
  func `the whole timeline is JSON with the palette that was asked for`(
    family: WidgetFamily, appearance: Appearance
  ) throws {
    let json = try JSONParser.parse(drawing(family, appearance).json.json)
    #expect(json["kind"]?.text == "streak")
    #expect(json["family"]?.text == family.word)
    #expect(json["revision"]?.wholeNumber == 7)
    #expect(json["reloadAfter"]?.text == "2026-12-01T00:00:00Z")
    #expect(json["current"]?.wholeNumber == 0)
    let entries = try #require(json["entries"]?.elements)
    #expect(entries.count == 2)
    #expect(entries[0]["progress"]?.double == 0.625)
    #expect(entries[0]["number"]?.wholeNumber == 5)
    #expect(entries[0]["stale"]?.wholeNumber == 1)
    #expect(entries[0]["spoken"]?.text == "Streak: 5 days & \"counting\"")
    #expect(entries[1]["progress"]?.isNull == true)
    #expect(entries[1]["theme"]?.text == "night")
    let first = appearance == .night ? "#000000" : "#FFFFFF"
    let second = appearance == .day ? "#FFFFFF" : "#000000"
    #expect(entries[0]["palette"]?["background"]?.text == first)
    #expect(entries[1]["palette"]?["background"]?.text == second)
    #expect((entries[0]["palettes"] != nil) == (appearance == .both))
  }

  @Test(arguments: [
    ("2026-11-30T11:00:00Z", 0), ("2026-11-30T12:00:00Z", 0), ("2026-11-30T23:59:59Z", 0),
    ("2026-12-01T00:00:00Z", 1), ("2027-01-01T00:00:00Z", 1),
  ])
  func `the current entry is the last one whose moment has passed`(at: String, index: Int) {
    #expect(drawing(.small, .day, at: Samples.instant(at)).currentIndex == index)
  }

  @Test func `a running timer goes on from its anchor`() {
    let later = Samples.noon.advanced(milliseconds: 60_000)
    #expect(plainLines(drawing(.small, .day, at: later).ansi).joined().contains("2:01"))
  }

  @Test func `a timeline without entries says so in every format`() {
    var timeline = Samples.timeline(.small)
    timeline.entries = []
    let empty = WidgetDrawing(timeline: timeline, revision: 1, appearance: .day, at: Samples.noon)
    #expect(empty.json["current"]?.isNull == true)
    #expect(empty.ansi == "nothing to show\n")
    #expect(empty.svg.contains("Nothing to show"))
  }

  @Test(arguments: [
    ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("🏃🏽", 2), ("", 0), ("█░", 2),
  ])
  func `columns are counted as a terminal does`(text: String, columns: Int) {
    #expect(displayWidth(of: text) == columns)
  }
}
