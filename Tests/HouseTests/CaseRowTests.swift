import Testing

/// Every row of the catalogue of cases, which issues of other projects have taught, has a test with
/// its id in the name, or a reason why it has none.
@Suite struct CaseRowTests {
  /// The rows, by the letters of their ids.
  private static let rows: [(kind: String, numbers: [Int])] = [
    ("DED", [1, 3, 6, 7, 9, 11, 13]), ("SYN", [1, 4, 5]), ("TZ", [1, 3, 5, 7]),
    ("DST", [1, 3, 6, 8]), ("STK", [1, 3, 6, 8, 10, 12]), ("MID", [1, 3, 5]),
    ("XML", [1, 3, 5, 7, 9, 11, 12, 16, 18, 20, 21, 25]), ("UNI", [1, 3, 5, 7, 10]),
    ("DUR", [1, 4, 6]), ("HR", [1, 3, 5]), ("AGG", [1, 3, 5, 7, 8, 11]), ("WGT", [1, 3]),
    ("WK", [1, 3, 5, 7]), ("SOC", [1, 3, 5, 7, 9, 11, 13]), ("WCH", [1, 3, 5, 7, 9]),
    ("WID", [1, 3, 5, 7, 9]), ("THM", [1, 3, 6, 7]), ("STR", [1, 4, 6, 8, 10, 13, 14]),
    ("MAT", [1, 4, 6]),
  ]

  /// Rows without a test of their own, with the reason.
  private static let reasons: [String: String] = {
    let copies = "decided over the copies of a health import, whose decisions are not here yet"
    let samples = "totals of health samples, which are not here yet"
    return [
      "DED-01": copies, "DED-03": copies, "DED-06": copies, "DED-09": copies, "DED-11": copies,
      "DED-13": copies, "SYN-04": copies, "SYN-05": copies,
      "AGG-01": samples, "AGG-03": samples, "AGG-11": samples,
      "MAT-06": "a custom workout for what is imported unplanned: " + copies,
    ]
  }()

  private static var ids: [String] {
    rows.flatMap { kind, numbers in numbers.map { "\(kind)-\($0 < 10 ? "0" : "")\($0)" } }
  }

  @Test func `every case has a test with its id in the name, or a reason`() throws {
    #expect(Self.ids.count == 93 && Set(Self.ids).count == 93)
    #expect(Set(Self.reasons.keys).isSubset(of: Self.ids))
    let named = try Self.named()
    for id in Self.ids {
      #expect(
        named.contains(id) == (Self.reasons[id] == nil),
        "\(id): \(named.contains(id) ? "has a test and a reason" : "has neither test nor reason")")
    }
    print("claim: cases that other projects have taught, shown: \(named.count)")
  }

  /// The ids in names of tests: words that are an id, with a colon or comma behind them.
  private static func named() throws -> Set<String> {
    let known = Set(ids)
    var found: Set<String> = []
    for file in try Project.files(below: "Tests", "swift")
    where !file.path.contains("HouseTests/CaseRow") {
      for line in file.lines {
        let code = line.drop { $0 == " " }
        let isName =
          code.contains("func `") || code.contains("@Test(\"") || code.hasPrefix("\"")
        if code.hasPrefix("//") || !isName { continue }
        let words = code.split { !($0.isLetter || $0.isNumber || $0 == "-") }
        found.formUnion(words.map(String.init).filter(known.contains))
      }
    }
    return found
  }
}
