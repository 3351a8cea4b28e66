import Testing
import WatchTransfer

@testable import Authority

/// Widget timelines (DESIGN section 7).
@Suite struct WidgetTests {
  private static let monday = local("2026-06-08 21:00", "Europe/Berlin")

  private func entries(
    _ account: TestAccount, _ kind: WidgetKind, _ family: WidgetFamily = .small
  ) -> [WidgetTimeline.Entry] {
    timeline(account.state, WidgetView(kind: kind, family: family, appearance: .both)).entries
  }

  /// Five days up to and including Monday the 8th.
  private func fiveDays() -> TestAccount {
    var account = TestAccount(at: Self.monday)
    for index in 0..<5 {
      account.mark(
        log: UInt64(index + 1),
        at: Self.monday.advanced(milliseconds: Int64(index - 4) * 86_400_000))
    }
    return account
  }

  @Test("WID-01: Monday's tick is gone on Tuesday morning, the streak is still five")
  func mondaysTick() {
    let entries = entries(fiveDays(), .streak)
    let monday = entries.current(at: Self.monday)
    #expect(monday?.number == 5)
    #expect(monday?.lines == ["5-day streak", "Done today"])
    #expect(monday?.progressPermille == 1_000)
    let tuesday = entries.current(at: local("2026-06-09 07:00", "Europe/Berlin"))
    #expect(tuesday?.number == 5)
    #expect(tuesday?.lines == ["5-day streak", "To do today"])
    #expect(tuesday?.progressPermille == 0)
    let evening = entries.current(at: local("2026-06-09 18:00", "Europe/Berlin"))
    #expect(evening?.lines == ["5-day streak", "At risk today", "Ends at midnight"])
    let wednesday = entries.current(at: local("2026-06-10 00:00", "Europe/Berlin"))
    #expect(wednesday?.number == 0)
    #expect(wednesday?.lines == ["No streak", "To do today"])
  }

  @Test("WID-03: a timeline made at 16:00 has an entry at 19:00:00 with the night theme")
  func themeFlip() {
    for kind in WidgetKind.allCases {
      let account = TestAccount(at: local("2026-06-08 16:00", "Europe/Berlin"))
      let entry = entries(account, kind).first {
        $0.from == local("2026-06-08 19:00", "Europe/Berlin")
      }
      #expect(entry?.theme == .night)
      #expect(entries(account, kind).first?.theme == .day)
    }
  }

  @Test("WID-07: what is planned tomorrow on Monday is planned today on Tuesday")
  func tomorrow() {
    var account = TestAccount(at: Self.monday)
    account.act(
      .defineWorkout(id: .test(100), title: "Legs", exercises: []), at: Self.monday)
    account.schedule(1, "Legs", at: local("2026-06-09 18:00", "Europe/Berlin"))
    let entries = entries(account, .today, .medium)
    #expect(
      entries.current(at: Self.monday)?.lines == ["Nothing planned", "Tomorrow 18:00 Legs"])
    #expect(
      entries.current(at: local("2026-06-09 08:00", "Europe/Berlin"))?.lines
        == ["0 of 1 done", "18:00 Legs"])
    let midnights = Set(account.today.days.map(\.from))
    for entry in entries where entry.lines.contains(where: { $0.contains("Tomorrow") }) {
      let next = entries.first { $0.from > entry.from && midnights.contains($0.from) }
      #expect(next != nil, "a relative word only where a midnight replaces it")
    }
  }

  @Test("WID-09: an entry from before now counts until the next; the first when none has passed")
  func currentEntry() {
    let account = fiveDays()
    let entries = entries(account, .streak)
    #expect(entries.current(at: Self.monday.advanced(milliseconds: -1)) == entries.first)
    #expect(
      entries.current(at: Self.monday.advanced(milliseconds: 30 * 86_400_000)) == entries.last)
    #expect(entries.last?.stale == 2)
  }

  @Test("Every kind has now, each midnight, each flip, and its stale moments, in order")
  func moments() {
    let account = fiveDays()
    for kind in WidgetKind.allCases {
      for family in WidgetFamily.allCases {
        let entries = entries(account, kind, family)
        let moments = entries.map(\.from)
        #expect(moments == moments.sorted() && Set(moments).count == moments.count)
        #expect(moments.first == Self.monday)
        #expect(Set(moments).isSuperset(of: account.today.days.map(\.from)))
        #expect(Set(moments).isSuperset(of: account.theme.flips.map(\.from)))
        for entry in entries {
          #expect(
            entry.theme == account.theme.flips.current(at: entry.from)?.to)
          let age = entry.from.milliseconds(since: Self.monday)
          #expect(entry.stale == (age >= 7 * 86_400_000 ? 2 : age >= 2 * 86_400_000 ? 1 : 0))
          #expect(!entry.spoken.isEmpty && !entry.lines.isEmpty && !entry.symbol.isEmpty)
          #expect(entry.lines.count <= family.linesMax)
          #expect(entry.lines.allSatisfy { $0.count <= family.lineCharactersMax })
        }
      }
    }
  }

  @Test("A palette is there when it was asked for", arguments: Appearance.allCases)
  func palettes(appearance: Appearance) {
    let made = timeline(
      fiveDays().state, WidgetView(kind: .streak, family: .small, appearance: appearance))
    #expect((made.day != nil) == (appearance != .night))
    #expect((made.night != nil) == (appearance != .day))
    #expect(made.reloadAfter > Self.monday.advanced(milliseconds: 86_400_000))
    #expect(
      turnIsDue(fiveDays().state, now: made.reloadAfter, zoneDataVersion: ""),
      "a surface that reloads gets a new timeline")
  }

  @Test("No data yet: a placeholder that says so", arguments: WidgetFamily.allCases)
  func placeholder(family: WidgetFamily) {
    let account = TestAccount(at: Self.monday)
    for kind in WidgetKind.allCases {
      for entry in entries(account, kind, family) {
        #expect(entry.lines[0].hasPrefix("No"))
        #expect(entry.number == nil)
        #expect(entry.progressPermille == nil)
        #expect(entry.timerSince == nil)
      }
    }
  }

  @Test("A running match clock is a timer; stoppage time has an entry")
  func matchTimer() {
    var account = TestAccount(at: Self.monday)
    account.act(
      .newMatch(id: .test(100), home: "Reds", away: "Blues", halfLengthMilliseconds: 2_700_000),
      at: Self.monday)
    #expect(entries(account, .match)[0].lines == ["Reds 0", "Blues 0", "Not started"])
    account.control(.test(100), .start, at: Self.monday)
    account.point(.test(100), .away, entry: 1, at: Self.monday.advanced(milliseconds: 60_000))
    let running = entries(account, .match)
    #expect(running[0].lines == ["Reds 0", "Blues 1", "Half 1"])
    #expect(running[0].timerSince == Self.monday)
    #expect(running[0].timerElapsedMilliseconds == 0)
    let stoppage = running.current(at: Self.monday.advanced(milliseconds: 2_700_000))
    #expect(stoppage?.lines.last == "Stoppage, half 1")
    #expect(stoppage?.timerSince == Self.monday)
    let pausedAt = Self.monday.advanced(milliseconds: 2_738_000)
    account.control(.test(100), .pause, at: pausedAt)
    #expect(entries(account, .match)[0].lines.last == "Paused 45:38")
    #expect(entries(account, .match)[0].timerSince == nil)
    #expect(entries(account, .match, .circular)[0].lines == ["0–1"])
    #expect(entries(account, .match, .inline)[0].lines == ["Reds 0–1 Blues"])
  }

  @Test("Long names leave the score; every line fits, in whole characters")
  func longNames() {
    var account = TestAccount(at: Self.monday)
    let family = "👩‍👩‍👧‍👦"
    account.act(
      .newMatch(
        id: .test(100), home: String(repeating: family, count: 5),
        away: String(repeating: "Long", count: 30), halfLengthMilliseconds: 2_700_000),
      at: Self.monday)
    let lines = entries(account, .match)[0].lines
    #expect(lines[1] == "LongLongLongL… 0")
    #expect(lines[0].hasSuffix("0"))
    #expect(lines[0].allSatisfy { String($0) == family || "… 0".contains($0) })
  }

  @Test("The worst timeline takes at most 4 KiB, and keeps every moment")
  func worstCase() {
    for filler in ["W", "\u{1F3CB}\u{FE0F}\u{200D}", "é", "\u{1F469}\u{200D}\u{1F467}"] {
      var name = ""
      while name.utf8.count + filler.utf8.count <= ActionLimits.nameBytesMax { name += filler }
      var account = TestAccount(at: Self.monday)
      account.act(.defineWorkout(id: .test(1), title: name, exercises: []), at: Self.monday)
      for index in 0..<9 {
        for item in 0..<12 {
          account.schedule(
            UInt64(1_000 + index * 100 + item), name,
            at: Self.monday.advanced(milliseconds: Int64(index) * 86_400_000 + Int64(item)))
        }
      }
      account.mark(name, log: 5_000, at: Self.monday)
      account.act(
        .newMatch(id: .test(2), home: name, away: name, halfLengthMilliseconds: 10_800_000),
        at: Self.monday)
      account.control(.test(2), .start, at: Self.monday)
      account.act(.startSession(id: .test(3), plan: .activity(name)), at: Self.monday)
      account.act(.restSession(session: .test(3), seconds: 600), at: Self.monday)
      for kind in WidgetKind.allCases {
        for family in WidgetFamily.allCases {
          let made = timeline(
            account.state, WidgetView(kind: kind, family: family, appearance: .both))
          #expect(encodedBytesMax(of: made) <= snapshotBytesMax, "\(kind) \(family) \(filler)")
          #expect(made.entries.count >= 25)
          #expect(made.entries.allSatisfy { !$0.lines.isEmpty && !$0.spoken.isEmpty })
        }
      }
    }
  }

  @Test(
    "Text is cut between characters, with an ellipsis",
    arguments: [
      ("abc", 3, 9, "abc"), ("abcd", 3, 9, "ab…"), ("ab cd", 4, 9, "ab…"), ("éé", 9, 3, "…"),
      ("ééé", 9, 5, "é…"), ("", 3, 3, ""), ("👩‍👩‍👧‍👦x", 9, 8, "…"),
    ])
  func fitting(text: String, characters: Int, bytes: Int, expected: String) {
    #expect(fitted(text, characters: characters, bytes: bytes) == expected)
  }

  @Test("Widgets follow the facets they show")
  func touched() {
    #expect(touchedWidgets(by: [.streak]) == [.streak, .week, .trend])
    #expect(touchedWidgets(by: [.today]) == [.today, .week, .trend])
    #expect(touchedWidgets(by: [.score]) == [.match])
    #expect(touchedWidgets(by: [.theme]) == WidgetKind.allCases)
    #expect(touchedWidgets(by: [.preferences]) == [.week])
    #expect(touchedWidgets(by: []) == [])
    #expect(Array(FacetSet.all) == FacetKind.allCases)
    #expect(Array([.score, .today, .theme] as FacetSet) == [.today, .theme, .score])
  }
}
