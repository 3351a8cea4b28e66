import Testing
import WatchTransfer

@testable import CommandLineTool

/// The watch's screen: what it shows at every size, and what keys wish.
@Suite struct WatchScreenTests {
  private static let session = SessionID(high: 5, low: 1)

  /// A watch in the middle of everything.
  private func scene() -> WatchScene {
    var scene = WatchScene(now: Samples.noon)
    scene.link = .connected
    scene.isStale = false
    scene.revision = 17
    let items = [("Morning run", true), ("漢字の練習 and a very long title indeed", false)].map {
      TodayFacet.Item(
        id: .random(), title: $0.0, kind: .scheduled, at: Samples.noon, done: $0.1,
        text: $0.1 ? "done at 11:00" : "at 18:00")
    }
    let from = Samples.noon.advanced(milliseconds: -1)
    scene.facets[.today] = .today(
      TodayFacet(
        days: [TodayFacet.Day(from: from, day: CivilDay(number: 20_787), items: items)],
        greetings: [TodayFacet.Greeting(from: from, text: "Good morning")]))
    var session = SessionFacet(
      session: Self.session, title: "Leg day", activityType: "strength", phase: .running,
      startedAt: from, activeMilliseconds: 61_000, runningSince: Samples.noon, recorder: nil)
    session.exercises = ["Back squat", "Bench press"].map {
      SessionFacet.Exercise(name: $0, equipment: .barbell, targetSets: 3, doneSets: 1)
    }
    session.position = 1
    session.reps = 5
    session.weight = Weight("60", unit: .kilograms)
    session.progress = "Bench press · set 2 of 3 · 5 × 60 kg"
    scene.facets[.session] = .session(session)
    let match = MatchID(high: 1, low: 2)
    scene.facets[.teams] = .teams(TeamsFacet(match: match, home: "Reds", away: "Blues"))
    let entry = ScoreFacet.Entry(
      id: EntryID(high: 3, low: 4), team: .home, minute: "12", by: "Left", half: 1)
    scene.facets[.score] = .score(ScoreFacet(match: match, home: 1, away: 0, entries: [entry]))
    scene.facets[.streak] = .streak(
      StreakFacet(
        policy: .daily,
        entries: [
          StreakFacet.Entry(
            from: from, days: 4, todayDone: true, atRiskAt: nil, lostAt: nil, text: "4 days")
        ]))
    return scene
  }

  private func texts(
    _ scene: WatchScene, _ columns: Int, _ rows: Int, on page: Int = 0
  ) -> [String] {
    var screen = WatchScreen()
    for _ in 0..<page { _ = screen.pressed(.right, over: scene) }
    return screen.lines(of: scene, columns: columns, rows: rows).map(\.text)
  }

  private func wish(_ keys: [ScreenKey], _ scene: WatchScene) -> ScreenWish? {
    var screen = WatchScreen()
    var last: ScreenWish?
    for key in keys { last = screen.pressed(key, over: scene) }
    return last
  }

  private func letter(_ letter: Character) -> ScreenKey { .character(letter.asciiValue!) }

  @Test func `a page stands below the status and the names of the pages`() {
    let lines = texts(scene(), 60, 8)
    #expect(lines[0] == " connected · current · revision 17 · outbox 0".padded(to: 60))
    #expect(lines[1] == "[Today] Session  Match  Streak  Outbox ")
    #expect(lines[2] == "2026-11-30 · Good morning")
    #expect(lines[3] == "> [x] Morning run, done at 11:00".padded(to: 60))
    #expect(lines[4] == "  [ ] 漢字の練習 and a very long title indeed, at 18:00")
    #expect(lines[7].hasPrefix("enter marks or unmarks"))
    #expect(
      texts(scene(), 60, 8, on: 1)[2...5] == [
        "Leg day · running · 1:01", "Bench press · set 2 of 3 · 5 × 60 kg", "    Back squat 1/3",
        "> * Bench press 1/3".padded(to: 60),
      ])
    #expect(texts(scene(), 60, 8, on: 2)[2...3] == ["Reds 1 – 0 Blues", "12′ Reds, by Left"])
    #expect(texts(scene(), 60, 8, on: 3)[2...3] == ["streak: 4 days", "done today"])
    #expect(texts(scene(), 60, 8, on: 4)[2] == "the outbox is empty")
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 2), (5, 3), (8, 4), (20, 5), (40, 6), (300, 100)])
  func `every size is filled exactly, whatever the texts are`(columns: Int, rows: Int) {
    var scene = scene()
    scene.message = "\u{1B}[2Ja\nb👩‍👩‍👧‍👦🇩🇪☃️e\u{301}"
    for link in [
      WatchScene.Link.offline, .connecting("unreachable"), .connected, .ended("revoked"),
    ] {
      scene.link = link
      for page in 0..<5 {
        var screen = WatchScreen()
        for _ in 0..<page { _ = screen.pressed(.tab, over: scene) }
        let lines = screen.lines(of: scene, columns: columns, rows: rows)
        #expect(lines.count == (columns > 0 ? rows : 0))
        for line in lines {
          #expect(displayWidth(of: line.text) <= columns)
          #expect(!line.text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x200D })
        }
      }
    }
  }

  @Test func `connection, staleness and outbox are there on every page, at every width`() {
    var scene = scene()
    scene.link = .offline
    scene.isStale = true
    scene.queued = 12
    scene.received = 3
    scene.quarantined = 2
    #expect(
      texts(scene, 100, 1)[0].trimmed
        == "offline · stale · revision 17 · outbox 15 (3 on the way) · 2 set aside")
    #expect(texts(scene, 50, 1)[0].trimmed == "offline · stale · outbox 15 · 2 set aside")
    #expect(texts(scene, 30, 1)[0].trimmed == "offline · stale · outbox 15!")
    #expect(texts(scene, 13, 1)[0].trimmed == "off stale 15!")
    #expect(texts(scene, 10, 1)[0].trimmed == "off old 15")
    scene.link = .connecting("unreachable")
    #expect(texts(scene, 28, 1)[0].trimmed == "... stale 15!")
    for page in 0..<5 {
      #expect(texts(scene, 200, 6, on: page)[0].hasPrefix(" connecting (unreachable) · stale"))
    }
  }

  @Test func `the readings stand where they matter`() {
    var scene = scene()
    scene.readings = [
      .presence: .presence([
        DevicePresence(
          device: Samples.device, name: "Pocket", kind: .phone, isPresent: true, pending: 0)
      ]),
      .delivery: .delivery(DeliveryReading(refused: 1)),
      .continuity: .continuity(
        ContinuityReading(state: .overdue, copiedAt: nil, text: "no copy yet")),
      .live: .live(Samples.live),
    ]
    #expect(
      texts(scene, 60, 9, on: 4)[2...5] == [
        "devices: Pocket (phone) here", "delivery: 1 refused, 0 expired, 0 set aside",
        "backup: no copy yet", "the outbox is empty",
      ])
    #expect(
      texts(scene, 70, 9, on: 1)[4] == "live: 142 bpm, 210 kcal (measured at 2026-11-30T12:00:00Z)")
    scene.now = Samples.live.expiresAt
    #expect(!texts(scene, 70, 9, on: 1).contains { $0.hasPrefix("live:") })
    // What is set aside is what a key acts on, wherever it stands.
    let id = IncarnationNumber(incarnation: IncarnationID(high: 9, low: 9), number: 4)
    scene.kept = [
      WatchScene.Kept(id: id, kind: "setGoal", stage: "quarantined", isQuarantined: true)
    ]
    #expect(wish([.left, .enter], scene) == .release(id))
  }

  @Test func `a long list moves with what is selected`() {
    var scene = scene()
    scene.kept = (1...9).map {
      WatchScene.Kept(
        id: IncarnationNumber(incarnation: IncarnationID(high: 9, low: 9), number: $0),
        kind: "markWorkout", stage: "shown", isQuarantined: false)
    }
    var screen = WatchScreen()
    _ = screen.pressed(.left, over: scene)
    func marked() -> [String] {
      screen.lines(of: scene, columns: 30, rows: 7).dropFirst().filter(\.isMarked)
        .map(\.text.trimmed)
    }
    #expect(marked() == ["> 1 markWorkout: shown"])
    for _ in 0..<20 { _ = screen.pressed(.down, over: scene) }
    #expect(marked() == ["> 9 markWorkout: shown"])
    for _ in 0..<4 { _ = screen.pressed(.up, over: scene) }
    #expect(marked() == ["> 5 markWorkout: shown"])
    // The list grew shorter meanwhile.
    scene.kept.removeLast(6)
    #expect(marked() == ["> 3 markWorkout: shown"])
  }

  @Test func `keys wish what the selected item can do`() {
    let scene = scene()
    #expect(wish([.enter], scene) == .act(.unmark(title: "Morning run")))
    #expect(
      wish([.down, .enter], scene)
        == .act(.mark(title: "漢字の練習 and a very long title indeed")))
    #expect(wish([letter("q")], scene) == .quit && wish([.end], scene) == .quit)
    #expect(wish([letter("o")], scene) == .toggleOffline)
    let session: [(ScreenKey, StrengthWord)] = [
      (.enter, .set(reps: 5, weight: Weight("60", unit: .kilograms), isWarmUp: false)),
      (letter("n"), .select(.next)), (letter("p"), .select(.previous)),
      (letter(" "), .control(.pause)), (letter("f"), .control(.finish)),
    ]
    for (key, word) in session { #expect(wish([.tab, key], scene) == .act(.strength(word))) }
    #expect(wish([.tab, .up, .enter], scene) == .act(.strength(.select(.number(1)))))
    let match: [(Character, ScriptedAction)] = [
      ("1", .point(.home)), ("2", .point(.away)), ("u", .undo(EntryID(high: 3, low: 4))),
      (" ", .clock(.start)), ("e", .clock(.nextHalf)),
    ]
    for (key, action) in match {
      #expect(wish([.tab, .right, letter(key)], scene) == .act(action))
    }
    #expect(wish([.left, .left, .enter], scene) == nil, "a streak has nothing to press")
  }

  @Test func `what is set aside is released or let go where it stands`() {
    var scene = scene()
    let id = IncarnationNumber(incarnation: IncarnationID(high: 9, low: 9), number: 4)
    scene.kept = [
      WatchScene.Kept(id: id, kind: "setGoal", stage: "shown", isQuarantined: false),
      WatchScene.Kept(id: id, kind: "addPoint", stage: "quarantined", isQuarantined: true),
    ]
    #expect(wish([.left, .enter], scene) == .release(id))
    #expect(wish([.left, letter("x")], scene) == .forget(id))
    #expect(wish([.left, .up, .enter], scene) == .tell("action 4 is not set aside"))
  }

  @Test func `a watch that was shown nothing says so, and acts on nothing`() {
    let scene = WatchScene(now: Samples.noon)
    for page in 0..<4 { #expect(texts(scene, 40, 6, on: page)[2] == "nothing was shown yet") }
    #expect(wish([.enter], scene) == .tell("there is nothing to mark"))
    #expect(wish([.tab, .enter], scene) == .tell("there is no routine to start"))
    #expect(wish([.tab, .tab, letter("1")], scene) == .tell("there is no match"))
    #expect(wish([.left, letter("x")], scene) == .tell("the outbox is empty"))
  }

  @Test func `keys come of bytes, whole or in pieces`() {
    var reader = KeyReader()
    #expect(
      reader.read([0x1B, 0x5B, 0x41, 0x71, 13, 10, 9]) == [
        .up, letter("q"), .enter, .enter, .tab,
      ])
    #expect(reader.read([0x1B]).isEmpty)
    #expect(reader.read([0x4F]).isEmpty)
    #expect(reader.read([0x42]) == [.down])
    // A key that is none of ours, with its modifiers; then Ctrl-C.
    #expect(reader.read([0x1B, 0x5B, 0x31, 0x3B, 0x35, 0x7E, 3]) == [.end])
    #expect(reader.read([0x1B, 0x1B, 0x5B, 0x43, 0xFF, 0]) == [.right])
  }
}

extension String {
  fileprivate func padded(to columns: Int) -> String {
    self + String(repeating: " ", count: max(0, columns - count))
  }

  fileprivate var trimmed: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    while text.first == " " { text.removeFirst() }
    return String(text)
  }
}
