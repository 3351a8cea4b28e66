import HealthImport
import Testing

/// What a broken place costs, and what it does not.
struct BrokenExportTests {
  private let good = element(type: "HKWorkoutActivityTypeYoga")

  /// A bad element between two good ones yields its own problem, on its line, and both of them.
  private func expectOnly(_ reason: ImportProblem.Reason, for bad: String) throws {
    let found = try items(of: export("\(good)\n\(bad)\n\(good)"))
    #expect(found.compactMap(\.workout?.activityName) == ["Yoga", "Yoga"])
    #expect(found.compactMap(\.problem) == [ImportProblem(line: 6, reason: reason)])
  }

  @Test(arguments: [
    element("a=1"), element("a=\"1\" a=\"2\""), element("blank in=\"1\""),
    element("note=\"no end"), element("note=\"<\""), element(children: "<A><B></A></B>"),
    element(children: "<A></Workout>"), element(children: "<!-- a -- b -->"),
    element(children: "&lol;"), element(children: "<!DOCTYPE A [<!ENTITY a 'a'>]>"),
    element(children: "<A b=\"&unknown;\"/>"), element(children: "&#0;"),
  ])
  func `a malformed workout is skipped alone`(bad: String) throws {
    try expectOnly(.malformed, for: bad)
  }

  @Test func `invalid UTF-8 in a workout skips that one`() throws {
    var bad = Array(element("note=\"?\"").utf8)
    bad[try #require(bad.firstIndex(of: UInt8(ascii: "?")))] = 0xFF
    let found = try items(of: Array(good.utf8) + bad + Array(good.utf8))
    #expect(found.map { $0.problem?.reason } == [nil, .malformed, nil])
  }

  @Test func `invalid UTF-8 elsewhere costs nothing`() throws {
    #expect(try items(of: [0xFF, 0xFE] + Array(export(good).utf8)).count == 1)
  }

  @Test func `a workout without end tag is skipped`() throws {
    try expectOnly(.unclosed, for: "<Workout a=\"1\"><A/>")
    try expectOnly(.unclosed, for: "<Workout a=\"1\"")
    let last = try items(of: export("\(good)\n<Workout><A/>"))
    #expect(last.compactMap(\.problem) == [ImportProblem(line: 6, reason: .unclosed)])
  }

  @Test func `attributes a workout cannot do without`() throws {
    let dates = #"startDate="2024-05-01 10:00:00 +0200" endDate="2024-05-01 10:00:00 +0200""#
    try expectOnly(.missing(.activityType), for: "<Workout \(dates)/>")
    try expectOnly(.missing(.activityType), for: "<Workout workoutActivityType=\"\" \(dates)/>")
    let type = "workoutActivityType=\"HKWorkoutActivityTypeYoga\""
    try expectOnly(.missing(.start), for: "<Workout \(type)/>")
    try expectOnly(
      .missing(.end), for: "<Workout \(type) startDate=\"2024-05-01 10:00:00 +0200\"/>")
    #expect(try workout(of: "<Workout \(type) \(dates)/>").sourceName == "")
  }

  @Test func `dates that cannot be read`() throws {
    try expectOnly(.dateUnreadable(.start), for: element(start: "yesterday"))
    try expectOnly(.dateUnreadable(.end), for: element(end: "2024-05-01 10:30:00"))
    try expectOnly(.endBeforeStart, for: element(end: "2024-05-01 09:59:59 +0200"))
  }

  @Test(arguments: [
    ("sourceName", ImportProblem.Field.sourceName), ("sourceVersion", .sourceVersion),
    ("device", .device), ("workoutActivityType", .activityType),
  ])
  func `a text is kept up to the limit and skips its workout above`(
    attribute: String, field: ImportProblem.Field
  ) throws {
    func element(_ bytes: Int) -> String {
      let others = ["workoutActivityType=\"A\"", "sourceName=\"S\""].filter {
        !$0.hasPrefix(attribute)
      }
      return """
        <Workout \(others.joined(separator: " ")) startDate="2024-05-01T10:00:00Z" \
        endDate="2024-05-01T10:00:00Z" \(attribute)="\(String(repeating: "x", count: bytes))"/>
        """
    }
    _ = try workout(of: element(1_024))
    #expect(
      try problem(of: element(1_025)).reason == .textTooLong(field, bytes: 1_025, max: 1_024))
  }

  @Test func `long metadata skips its workout if it is kept and is harmless if not`() throws {
    let long = String(repeating: "x", count: 1_025)
    try expectOnly(
      .textTooLong(.timeZoneName, bytes: 1_025, max: 1_024),
      for: element(children: metadata("HKTimeZone", long)))
    try expectOnly(
      .textTooLong(.externalUUID, bytes: 1_025, max: 1_024),
      for: element(children: metadata("HKExternalUUID", long)))
    _ = try workout(of: element(children: metadata("Note", long)))
  }

  @Test(arguments: ["<!--%-->", "<A b=\"%\"/>", "<A/>%"])
  func `markup is read up to the limit and skips its workout above`(pattern: String) throws {
    let limits = ImportLimits(markupBytesMax: 1_000)
    for (bytes, isTooLong) in [(980, false), (1_001, true), (200_000, true)] {
      let filling = pattern.split(separator: "%", omittingEmptySubsequences: false)
        .joined(separator: String(repeating: " ", count: bytes))
      let found = try items(of: element(children: filling) + good, limits: limits)
      #expect(
        found.map { $0.problem?.reason } == [isTooLong ? .markupTooLong(max: 1_000) : nil, nil])
    }
  }

  @Test func `a workout is read up to its limit`() throws {
    let text = element()
    _ = try items(of: text, limits: ImportLimits(workoutBytesMax: text.utf8.count))
      .map { try #require($0.workout) }
    let limits = ImportLimits(workoutBytesMax: text.utf8.count - 1)
    let reason = try problem(of: text, limits: limits).reason
    #expect(reason == .workoutTooLong(max: text.utf8.count - 1))
  }

  @Test func `limits of zero refuse every workout and nothing worse`() throws {
    let text = element(children: event("Pause", "10:01:00"))
    let zeros = [
      ImportLimits(textBytesMax: 0), ImportLimits(markupBytesMax: 0),
      ImportLimits(workoutBytesMax: 0), ImportLimits(depthMax: 0), ImportLimits(pauseEventsMax: 0),
    ]
    #expect(
      try zeros.map { try problem(of: text, limits: $0).reason } == [
        .textTooLong(.activityType, bytes: 28, max: 0), .markupTooLong(max: 0),
        .workoutTooLong(max: 0), .tooDeep(max: 0), .tooManyPauseEvents(max: 0),
      ])
  }

  @Test func `depth is limited`() throws {
    func nested(_ depth: Int) -> String {
      let opened = String(repeating: "<A>", count: depth - 1)
      return element(children: opened + String(repeating: "</A>", count: depth - 1))
    }
    _ = try workout(of: nested(16))
    try expectOnly(.tooDeep(max: 16), for: nested(17))
    try expectOnly(.tooDeep(max: 16), for: nested(10_000))
  }

  @Test func `pause events are limited`() throws {
    let limits = ImportLimits(pauseEventsMax: 2)
    let two = event("Pause", "10:01:00") + event("Resume", "10:02:00")
    #expect(try items(of: element(children: two), limits: limits).first?.workout != nil)
    let three = element(children: two + event("Pause", "10:03:00"))
    #expect(try problem(of: three, limits: limits).reason == .tooManyPauseEvents(max: 2))
  }

  @Test func `a truncated export yields what was whole, and a problem`() throws {
    let text = export(good + "\n" + good)
    let bytes = Array(text.utf8)
    let second = try #require(bytes.indices.last { bytes[$0...].starts(with: "\n<Workout".utf8) })
    let inSecond = try items(of: Array(bytes[..<(second + 40)]))
    #expect(inSecond.count == 2)
    #expect(inSecond.last?.problem == ImportProblem(line: 6, reason: .truncated))
    let beforeSecond = try items(of: Array(bytes[..<(second + 1)]))
    #expect(beforeSecond.last?.problem == ImportProblem(line: 6, reason: .truncated))
  }

  @Test func `entities are never declared, expanded or opened`() throws {
    let documentType = """
      <!DOCTYPE HealthData [
       <!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
       <!ENTITY file SYSTEM "file:///etc/hostname"> %remote;
       <!ENTITY workout "<a><Workout/>]>">
      ]>
      """
    for name in ["a", "b", "file", "workout"] {
      let text = export(element("note=\"&\(name);\"") + good, documentType: documentType)
      let found = try items(of: text)
      #expect(found.last?.workout != nil)
      #expect(found.dropLast().last?.problem?.reason == .malformed)
    }
  }

  @Test(arguments: ["", "hello", "<html><body>Workout</body></html>", "<WorkoutEvent/>", "<Work"])
  func `what is no export is refused`(text: String) {
    #expect { try items(of: text) } throws: { error in
      if case HealthImportError.notAnExport = error { true } else { false }
    }
  }
}
