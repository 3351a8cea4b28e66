import Testing
import WatchTransfer

@testable import Authority

/// What years of history cost.
@Suite struct YearsOfHistoryTests {
  /// A log on each of the last `days` days, and a weekly plan since the first.
  private static func state(days: Int, policy: StreakPolicy, freezes: Int = 0) -> AccountState {
    let now = local("2026-06-10 21:00", "Europe/Berlin")
    var account = TestAccount(at: now)
    account.act(.defineWorkout(id: .test(1), title: "Run", exercises: []), at: now)
    account.weekly(2, on: [1, 3, 5], at: "18:00", occurring: now)
    let today = account.state.zone.rules.day(at: now)
    for offset in 0..<days {
      let end = now.advanced(milliseconds: -Int64(offset) * 86_400_000)
      account.state.logs.insert(
        WorkoutLog(
          id: .test(UInt64(10_000 + offset)), origin: .byHand, workout: nil, title: "Run",
          start: end.advanced(milliseconds: -3_600_000), end: end,
          day: today.advanced(days: -Int32(offset))))
    }
    for index in 0..<freezes {
      account.state.streaks.insert(
        Freeze(
          id: .test(UInt64(90_000 + index)),
          day: today.advanced(days: -Int32(days * index / max(1, freezes)))))
    }
    account.state.settings.streakPolicy.value = policy
    return account.state
  }

  /// The fastest of many projections.
  private static func fastest(_ state: AccountState) -> Duration {
    (0..<60).map { _ in ContinuousClock().measure { _ = project(state, .streak) } }.min()!
  }

  @Test(
    "Five years of daily logs cost a streak what a fortnight costs, whatever the policy",
    arguments: [StreakPolicy.daily, .weekly(days: 3), .scheduled])
  func streak(policy: StreakPolicy) {
    let short = Self.fastest(Self.state(days: 14, policy: policy))
    let long = Self.fastest(Self.state(days: 1_826, policy: policy))
    print("streak \(policy): 14 days \(short), five years \(long)")
    #expect(long < short * 2)
  }

  @Test("Freezes of five years cost little more")
  func freezes() {
    let short = Self.fastest(Self.state(days: 14, policy: .daily, freezes: 2))
    let long = Self.fastest(Self.state(days: 1_826, policy: .daily, freezes: 250))
    print("streak with freezes: 14 days \(short), five years \(long)")
    #expect(long < short * 4)
  }

  @Test(
    "A widget's timeline costs the same with five years of history", arguments: WidgetKind.allCases)
  func widgets(kind: WidgetKind) {
    func fastest(_ state: AccountState) -> Duration {
      let view = WidgetView(kind: kind, family: .medium, appearance: .both)
      return (0..<30).map { _ in ContinuousClock().measure { _ = timeline(state, view) } }.min()!
    }
    let short = fastest(Self.state(days: 400, policy: .daily))
    let long = fastest(Self.state(days: 1_826, policy: .daily))
    print("widget \(kind): 400 days \(short), five years \(long)")
    #expect(long < short * 1.3)
  }
}
