import Testing
import WatchTransfer

@testable import Authority

/// Pages of the history, and what a deletion would do.
@Suite struct HistoryTests {
  private static let noon = local("2026-06-15 12:00", "Europe/Berlin")

  private func page(
    _ account: TestAccount, before: HistoryKey? = nil, limit: Int = 64
  ) -> (entries: [HistoryEntry], next: HistoryKey?) {
    let question = Question.history(HistoryQuestion(before: before, limit: limit))
    guard case .history(let entries, let next) = answer(account.state, question, now: Self.noon)
    else { fatalError("no history") }
    return (entries, next)
  }

  private func all(_ account: TestAccount, limit: Int) -> [HistoryEntry] {
    var entries: [HistoryEntry] = []
    var before: HistoryKey?
    repeat {
      let page = page(account, before: before, limit: limit)
      entries += page.entries
      before = page.next
    } while before != nil
    return entries
  }

  private func log(
    _ account: inout TestAccount, _ number: UInt64, _ type: String = "running", end: Instant,
    minutes: Int64 = 30, _ change: (inout LoggedWorkout) -> Void = { _ in }
  ) {
    var workout = LoggedWorkout(
      log: .test(number), activityType: type, start: end.advanced(milliseconds: -minutes * 60_000),
      end: end)
    change(&workout)
    #expect(account.act(.logWorkout(workout), at: max(end, Self.noon)) == .applied)
  }

  /// `count` logs, three a day, the newest at noon.
  private func busy(_ count: UInt64) -> TestAccount {
    var account = TestAccount(at: Self.noon)
    for number in 1...count {
      log(
        &account, number,
        end: Self.noon.advanced(milliseconds: -Int64(count - number) * 8 * 3_600_000))
    }
    return account
  }

  @Test("Nothing yet is an empty page without a next one")
  func empty() {
    let page = page(TestAccount(at: Self.noon))
    #expect(page.entries.isEmpty && page.next == nil)
  }

  @Test(
    "Pages of any size give the whole history, newest first, each log once",
    arguments: [1, 2, 3, 7, 20, 63, 64])
  func sizes(limit: Int) {
    for count in [1, 6, 7, 20, 64, 65, 130] as [UInt64] {
      let account = busy(count)
      let entries = all(account, limit: limit)
      #expect(entries.map(\.key.log) == (1...count).reversed().map { .test($0) })
      #expect(entries.map(\.key) == entries.map(\.key).sorted(by: >))
    }
  }

  @Test("A limit beyond the bounds is one of the bounds")
  func bounds() {
    let account = busy(70)
    #expect(page(account, limit: 1_000).entries.count == 64)
    #expect(page(account, limit: 0).entries.count == 1)
    #expect(page(account, limit: .min).entries.count == 1)
  }

  @Test("What comes or goes between two pages moves nothing from one to the other")
  func stable() {
    for seed in 1...40 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var account = busy(40)
      let before = Set(all(account, limit: 64).map(\.key.log))
      var seen: [LogID] = []
      var key: HistoryKey?
      var fresh: UInt64 = 1_000
      repeat {
        let page = page(account, before: key, limit: .random(in: 1...9, using: &random))
        seen += page.entries.map(\.key.log)
        key = page.next
        for _ in 0..<3 {
          fresh += 1
          let back = Int64.random(in: 0...14 * 86_400_000, using: &random)
          log(&account, fresh, end: Self.noon.advanced(milliseconds: -back))
        }
      } while key != nil
      #expect(Set(seen).count == seen.count, "an entry came twice")
      #expect(Set(seen).isSuperset(of: before), "an entry was left out")
    }
  }

  @Test("MID-05: a walk past midnight is found on the day of its end, once")
  func pastMidnight() {
    var account = TestAccount(at: Self.noon)
    let end = local("2026-06-14 01:10", "Europe/Berlin")
    log(&account, 1, "walking", end: end, minutes: 160)
    let entries = all(account, limit: 1)
    #expect(entries.map(\.key.day) == [CivilDay(year: 2026, month: 6, day: 14)])
    #expect(entries[0].milliseconds == 9_600_000)
  }

  @Test("Texts have the person's units; what is not known is left out, not 0")
  func texts() {
    var account = TestAccount(at: Self.noon)
    log(&account, 1, end: Self.noon) { workout in
      workout.title = "Morning run"
      workout.distanceMeters = 7_420
      workout.energyKilocalories = 512
      workout.averageHeartRate = 148.4
      workout.activeMilliseconds = 45 * 60_000
      workout.sourceName = "Ring"
    }
    log(&account, 2, "yoga", end: Self.noon.advanced(milliseconds: -86_400_000))
    account.mark("Legs", log: 3, at: Self.noon.advanced(milliseconds: 1))
    var entries = all(account, limit: 64)
    #expect(entries.map(\.title) == ["Legs", "Morning run", "yoga"])
    #expect(
      entries.map(\.text) == [
        "15 Jun 2026", "15 Jun 2026, 45 min, 7.4 km, 512 kcal, 148 bpm", "14 Jun 2026, 30 min",
      ])
    #expect(entries[1].spoken == "Morning run, 15 Jun 2026, 45 min, 7.4 km, 512 kcal, 148 bpm")
    #expect(entries[1].sourceName == "Ring" && entries[2].sourceName == nil)
    #expect(entries[2].energyKilocalories == nil && entries[2].distanceMeters == nil)
    var change = PreferenceChange()
    change.units = .imperial
    account.act(.setPreferences(change), at: Self.noon.advanced(milliseconds: 2))
    entries = all(account, limit: 64)
    #expect(entries[1].text == "15 Jun 2026, 45 min, 4.6 mi, 512 kcal, 148 bpm")
    // Figures stay metres, whatever is shown.
    #expect(entries[1].distanceMeters == 7_420)
  }

  @Test("What was planned says so")
  func planned() {
    var account = TestAccount(at: Self.noon)
    account.act(.defineWorkout(id: .test(100), title: "Legs", exercises: []), at: Self.noon)
    account.schedule(1, "Legs", at: Self.noon)
    account.mark("Legs", log: 2, at: Self.noon)
    account.mark("Arms", log: 3, at: Self.noon.advanced(milliseconds: 1))
    #expect(all(account, limit: 64).map(\.wasPlanned) == [false, true])
  }

  @Test("A deletion says beforehand what goes and what stays, and does just that")
  func deletion() {
    var account = TestAccount(at: Self.noon)
    func preview(_ number: UInt64) -> Page.Answer {
      answer(account.state, .previewDeletion(of: .test(number)), now: Self.noon)
    }
    #expect(preview(100) == .refused(.notFound))
    account.act(.defineWorkout(id: .test(100), title: "Legs", exercises: []), at: Self.noon)
    account.act(.defineWorkout(id: .test(101), title: "Arms", exercises: []), at: Self.noon)
    for (number, days) in [(UInt64(1), Int64(-1)), (2, 1), (3, 2)] {
      account.schedule(
        number, "Legs", at: Self.noon.advanced(milliseconds: days * 86_400_000))
    }
    account.act(
      .scheduleWeekly(
        id: .test(4), workout: .id(.test(100)), weekdays: .all, timeOfDay: timeOfDay("18:00"),
        firstDay: day(2026, 6, 1)), at: Self.noon)
    account.act(.markWorkout(log: .test(50), workout: .id(.test(100))), at: Self.noon)
    #expect(
      preview(100)
        == .deletion(
          DeletionPreview(
            goes: [
              "The workout Legs", "2 planned times from now on", "1 weekly plan from now on",
            ],
            stays: ["1 planned time that passed or was done", "1 time it was done"])))
    #expect(
      preview(101) == .deletion(DeletionPreview(goes: ["The workout Arms"], stays: [])))
    let planned = account.state.schedules.all.count
    account.act(.deleteWorkout(id: .test(100)), at: Self.noon)
    #expect(account.state.schedules.all.count == planned - 2)
    #expect(account.state.logs.count == 1)
    #expect(preview(100) == .refused(.gone))
    // Another thing's id is no workout's.
    #expect(preview(50) == .refused(.notFound))
  }

  @Test("A deletion of a log says who does its plan then", arguments: [false, true])
  func planOfDeletedLog(hasOther: Bool) {
    var account = TestAccount(at: Self.noon)
    account.act(.defineWorkout(id: .test(100), title: "Row", exercises: []), at: Self.noon)
    account.schedule(1, "Row", at: Self.noon.advanced(milliseconds: 60_000))
    account.mark("Row", log: 50, at: Self.noon)
    if hasOther {
      var other = logged(51, endingAt: Self.noon.advanced(milliseconds: 120_000))
      other.title = "Row"
      account.act(.logWorkout(other), at: other.end)
    }
    guard
      case .deletion(let preview) = answer(
        account.state, .previewLogDeletion(of: .test(50)), now: Self.noon)
    else { return #expect(Bool(false), "no preview") }
    #expect(
      preview.stays
        == ["The planned time it did, " + (hasOther ? "done by Row then" : "not done any more")])
    account.act(
      .deleteLog(log: .test(50)), at: Self.noon.advanced(milliseconds: 180_000))
    #expect((account.state.schedule(.test(1))?.servedBy != nil) == hasOther)
  }

  @Test("A question that nobody knows is refused")
  func unknown() {
    #expect(
      answer(TestAccount(at: Self.noon).state, .unknown, now: Self.noon) == .refused(.unsupported))
  }
}
