import Testing

/// Every row of the catalogue of faults has a test, or a sentence of the design that decides it.
@Suite struct FaultRowTests {
  @Test func `every row of the catalogue has a test or a decision`() throws {
    let names = try testNames()
    for row in FaultRow.table {
      let own = names.filter { ids(of: $0).contains(row.id) }
      #expect(
        !own.isEmpty || !row.tests.isEmpty || row.decidedBy != nil,
        "\(row.id) (\(row.stimulus)) has no test")
      for test in row.tests {
        #expect(names.contains(test), "\(row.id) names a test that is not there: \(test)")
      }
    }
  }

  @Test func `the table has every row once`() {
    let ids = FaultRow.table.map(\.id) + FaultRow.awaited
    let rows = FaultRow.parts.flatMap { part in (1...part.count).map { "\(part.part)\($0)" } }
    #expect(ids.count == Set(ids).count)
    #expect(Set(ids) == Set(rows))
    #expect(rows.count == 127)
    print("claim: rows of the catalogue of faults that are shown: \(FaultRow.table.count)")
  }

  @Test func `a row whose test is there is not awaited any more`() throws {
    // Rows about bytes carry the ids of some awaited rows, of which they show only a part.
    let names = try testNames(below: "Tests", without: "Bytes/")
    for id in FaultRow.awaited {
      let own = names.filter { ids(of: $0).contains(id) }
      #expect(own.isEmpty, "\(id) has \(own.sorted()): take it out of the awaited rows")
    }
  }

  @Test func `ids are read from a name's beginning`() {
    #expect(ids(of: "A5, A7: greetings") == ["A5", "A7"])
    #expect(ids(of: "A3 all ones") == ["A3"])
    #expect(ids(of: "DST-03: a day") == [])
    #expect(ids(of: "A peer that resets") == [])
    #expect(ids(of: "F11: one damaged bit") == ["F11"])
  }

  /// The ids that a name begins with: `A5, A7: …` or `A3 …`.
  private func ids(of name: String) -> [String] {
    var found: [String] = []
    for word in name.split(separator: " ") {
      let id = word.drop { $0 == "," }.prefix { $0 != "," && $0 != ":" }
      guard let letter = id.first, ("A"..."I").contains(letter), id.count <= 3,
        Int(id.dropFirst()) != nil
      else { return found }
      found.append(String(id))
      if !word.hasSuffix(",") { return found }
    }
    return found
  }

  /// What tests, and rows of tables, are called.
  private func testNames(below folder: String = "Tests", without part: String = "\n") throws
    -> Set<String>
  {
    var names: Set<String> = []
    for file in try Project.files(below: folder, "swift") {
      // This check's own examples are no tests.
      if file.path.contains("HouseTests/FaultRow") || file.path.contains(part) { continue }
      for line in file.lines {
        let code = line.drop { $0 == " " }
        if code.hasPrefix("//") { continue }
        if let start = code.firstRange(of: "func `"),
          let end = code[start.upperBound...].firstIndex(of: "`")
        {
          names.insert(String(code[start.upperBound..<end]))
        }
        // A name in quotes: of a test, or of a row, which stands first in its line or call.
        for mark in ["@Test(\"", "BytesRow(\"", "\""] {
          guard let start = code.firstRange(of: mark),
            mark != "\"" || start.lowerBound == code.startIndex
          else { continue }
          names.insert(String(code[start.upperBound...].prefix { $0 != "\"" }))
        }
      }
    }
    return names
  }
}
