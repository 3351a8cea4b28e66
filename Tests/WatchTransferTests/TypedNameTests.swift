import Testing
import WatchTransfer

@Suite struct TypedNameTests {
  @Test(arguments: ["a", " a", "Zoë", "日本", "a\u{200D}b", String(repeating: "x", count: 128)])
  func `what people type is a name`(text: String) {
    #expect(isTypedName(text))
  }

  @Test(arguments: [
    "", " ", "\t", "a\nb", "a\u{0}", "a\u{7F}", "a\u{9B}", "a\u{2028}b", "a\u{202E}b", "a\u{2066}b",
    "\u{FEFF}a", "\u{200B}", "\u{2800}", "\u{3164}", "a\u{FFFE}", "\u{3000}",
    String(repeating: "x", count: 129), String(repeating: "é", count: 65),
  ])
  func `what cannot be seen or turns text around is none`(text: String) {
    #expect(!isTypedName(text))
  }

  @Test(arguments: [
    ("Europe/Berlin", true), ("Etc/GMT+5", true), ("UTC", true), ("", false), ("/UTC", false),
    ("UTC/", false), ("a//b", false), ("../../etc/passwd", false), ("Europe Berlin", false),
    (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
  ])
  func `a zone is spelt in a small alphabet`(id: String, isSpelling: Bool) {
    #expect(isZoneSpelling(id) == isSpelling)
  }
}
