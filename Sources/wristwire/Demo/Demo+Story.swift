internal import AuthorityLink
internal import AuthorityServer
internal import CommandLineTool
internal import Glibc
internal import HealthImport
internal import WatchClient
internal import WatchTransfer
internal import WidgetClient

extension Demo {
  /// All steps, in order.
  mutating func tell() async throws {
    try await importExport()
    try await drawByDayAndNight()
    let match = try await comeBackFromOffline()
    try await offerAgain()
    try await killInBurst(match)
    try await passMidnight()
    await phone.stop()
    await watch.stop()
    await widget.stop()
    try claim("the server stops cleanly on SIGTERM", server.terminate() == 0)
  }

  private mutating func importExport() async throws {
    let export = """
      <?xml version="1.0" encoding="UTF-8"?>
      <HealthData locale="de_DE">
      \(Self.workout("Running", from: "2026-02-28 08:00:00 +0100", to: "2026-02-28 08:40:00 +0100"))
      \(Self.workout("Yoga", from: "2026-03-01 19:00:00 +0100", to: "2026-03-01 19:30:00 +0100"))
      </HealthData>
      """
    let path = "\(folder)/export.xml"
    try SmallFile.replace(path, with: export)
    let first = try await importFile(path)
    let second = try await importFile(path)
    try claim(
      "an Apple Health export is imported: 2 workouts; again: nothing new",
      first.logged == 2 && second.logged == 0 && second.known == 2)
    let state = try await wait(for: phone, "a streak of 2 days") { $0.streak?.days == 2 }
    try claim("the phone shows a streak of 2 days", state.streak?.todayDone == false)
  }

  private static func workout(_ type: String, from start: String, to end: String) -> String {
    "<Workout workoutActivityType=\"HKWorkoutActivityType\(type)\" sourceName=\"Demo\" "
      + "startDate=\"\(start)\" endDate=\"\(end)\"/>"
  }

  private func importFile(_ path: String) async throws -> ImportTally {
    let connection = try await AdminConnection.open(directory: data)
    var importing = WorkoutImport(connection: connection, account: "anna")
    try await ExportSlices(path: path).handOn { slice in
      for item in slice where importing.take(item) { try await importing.send() }
    }
    try await importing.send()
    await connection.close()
    return importing.tally
  }

  private mutating func drawByDayAndNight() async throws {
    var drawn: [String] = []
    for appearance in [Appearance.day, .night] {
      let view = WidgetView(kind: .streak, family: .small, appearance: appearance)
      let fetched = try await widget.fetch(view)
      let drawing = WidgetDrawing(
        timeline: fetched.timeline, revision: fetched.revision, appearance: appearance,
        at: try now())
      printText(coloursAreShown ? drawing.ansi : drawing.plain)
      drawn.append(drawing.ansi)
      let palette = appearance == .day ? fetched.timeline.day : fetched.timeline.night
      let number = fetched.timeline.entries.current(at: try now())?.number
      try claim(
        "the streak widget by \(appearance.word) shows 2 days", palette != nil && number == 2)
    }
    try claim("the two look different", drawn[0] != drawn[1])
  }

  /// What the server's clock shows, as the phone knows it.
  private func now() throws -> Instant {
    guard let start = Instant(rfc3339: Self.evening) else { throw DemoError("a date") }
    return start
  }

  private mutating func comeBackFromOffline() async throws -> MatchID {
    let (match, _) = try await phone.newMatch(home: "Lions", away: "Stars")
    _ = try await phone.defineWorkout(title: "Evening run", exercises: [])
    try await settle(phone)
    say("the watch is offline; it queues \"mark Evening run\" and two points for the Lions")
    _ = try await watch.markWorkout(.title("Evening run"))
    _ = try await watch.addPoint(to: .home, of: match)
    _ = try await watch.addPoint(to: .home, of: match)
    try FileCopy.copyFolder("\(folder)/watch", to: "\(folder)/watch-copy")
    try claim("three actions wait on the watch, durably", await watch.queued.count == 3)
    await watch.start()
    try await settle(watch)
    try claim("the watch is back, and every action has its receipt", await watch.queued.isEmpty)
    let state = try await wait(for: phone, "two points and a mark") {
      $0.score?.home == 2 && $0.streak?.todayDone == true
    }
    try claim(
      "the phone shows the mark and the points: streak \(state.streak?.days ?? 0), score 2:0",
      state.streak?.days == 3 && state.score?.away == 0)
    let view = WidgetView(kind: .streak, family: .small, appearance: .day)
    let entry = try await widget.fetch(view).timeline.entries.current(at: try now())
    try claim("the widget shows 3 days", entry?.number == 3)
    return match
  }

  private mutating func offerAgain() async throws {
    let before = await phone.state
    await watch.stop()
    let copy = try Self.surface("watch-copy", tokens.watch, server.address, folder)
    try claim("a copy of the outbox still holds the three actions", await copy.queued.count == 3)
    await copy.start()
    try await settle(copy)
    await copy.stop()
    let after = await phone.state
    try claim(
      "offered again, they get their receipts and change nothing",
      after.revision == before.revision && after.score?.home == 2)
    watch = try Self.surface("watch", tokens.watch, server.address, folder)
    await watch.start()
  }

  private mutating func killInBurst(_ match: MatchID) async throws {
    let count = 180
    let watch = watch
    let events = await watch.events()
    async let burst: Void = {
      for _ in 0..<count { _ = try await watch.addPoint(to: .away, of: match) }
    }()
    let acknowledged = try await Self.within(seconds: 15, "the first receipts of the burst") {
      var receipts = 0
      for await event in events {
        if case .receipt = event { receipts += 1 }
        if receipts >= count / 3 { break }
      }
      return receipts
    }
    server.kill()
    say("the server was killed with SIGKILL after \(acknowledged) of \(count) receipts")
    try await burst
    server = try ServerProcess(
      data: data, listen: "\(server.address)", testClock: "2026-03-02T18:35:00+01:00")
    try await settle(watch)
    let state = try await wait(for: phone, "all points") { $0.score?.away == count }
    try claim(
      "after a restart all \(count) points are there, each once",
      state.score?.away == count && state.score?.home == 2)
    let findings = try await ask(.check, of: data)
    guard case .findings(let found) = findings else { throw DemoError("check gave no findings") }
    try claim("replaying the journal gives what is stored", found.isEmpty)
  }

  private mutating func passMidnight() async throws {
    let view = WidgetView(kind: .streak, family: .small, appearance: .night)
    let before = try await widget.fetch(view)
    _ = try await ask(.setClock(to: nil, by: 6 * 3_600_000), of: data)
    guard let later = Instant(rfc3339: "2026-03-03T00:35:00+01:00") else {
      throw DemoError("a date")
    }
    let evening = before.timeline.entries.current(at: try now())
    let kept = before.timeline.entries.current(at: later)
    say("the clock jumps past midnight")
    try claim(
      "what the widget fetched before is right after midnight: still \(kept?.number ?? 0) days,"
        + " today not done",
      kept?.number == 3 && kept?.lines != evening?.lines)
    let fresh = try await widget.fetch(view).timeline.entries.current(at: later)
    try claim("and a fresh fetch says the same", fresh?.lines == kept?.lines)
  }
}

extension SurfaceState {
  /// The streak now, as far as the surface knows.
  var streak: StreakFacet.Entry? {
    guard case .streak(let facet) = facets[.streak] else { return nil }
    return facet.entries.current(at: correctedNow(SystemDeviceClock().now()))
  }

  /// The score of the match that is shown.
  var score: ScoreFacet? {
    guard case .score(let facet) = facets[.score] else { return nil }
    return facet
  }
}
