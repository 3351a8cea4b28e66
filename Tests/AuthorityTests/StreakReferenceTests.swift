import Testing
import WatchTransfer

@testable import Authority

/// Streaks compared with the rule told day by day, over histories of all kinds: long and short
/// runs, freezes, pauses, plans, days that never happened, every first weekday.
@Suite struct StreakReferenceTests {
  /// The rule as DESIGN section 6 tells it, without any short cut.
  struct Reference {
    let state: AccountState
    let policy: StreakPolicy
    private(set) var count = 0
    private(set) var inHand: [CivilDay] = []
    private var missed: [[CivilDay]] = []
    private var spent: [CivilDay] = []
    /// First days of what freezes cover.
    var protected: [CivilDay] { spent + missed.map { $0[0] } }

    init(_ state: AccountState, _ policy: StreakPolicy, today: CivilDay) {
      self.state = state
      self.policy = policy
      var unit = self.unit(of: firstDay(before: today))
      let present = self.unit(of: today)
      while unit[0] < present[0] {
        take(unit)
        unit = self.unit(of: unit.last!.advanced(days: 1))
      }
      guard status(present) == true else {
        grant(present.filter { $0 <= today })
        return
      }
      take(present)
      // Later ones that adjoin.
      var later = self.unit(of: present.last!.advanced(days: 1))
      while later[0] < today.advanced(days: 30), status(later) != false {
        take(later)
        later = self.unit(of: later.last!.advanced(days: 1))
      }
    }

    private mutating func take(_ unit: [CivilDay]) {
      switch status(unit) {
      case true?:
        inHand.removeFirst(missed.count)
        spent += missed.map { $0[0] }
        missed = []
        count += 1
        grant(unit)
      case false?:
        grant(unit)
        if count > 0 { miss(unit) }
      case nil:
        grant(unit)
      }
    }

    private mutating func miss(_ unit: [CivilDay]) {
      missed.append(unit)
      let isCovered =
        missed.count <= inHand.count && zip(inHand, missed).allSatisfy { $0 <= $1.last! }
      if isCovered { return }
      count = 0
      missed = []
      spent = []
    }

    private mutating func grant(_ days: [CivilDay]) {
      for freeze in state.streaks.freezes where days.contains(freeze.day) && inHand.count < 2 {
        inHand.append(freeze.day)
      }
    }

    private func firstDay(before today: CivilDay) -> CivilDay {
      let days = state.logs.days.map(\.day) + state.streaks.freezes.map(\.day) + [today]
      return days.min()!.advanced(days: -8)
    }

    private func unit(of day: CivilDay) -> [CivilDay] {
      guard policy.daysAWeek != nil else { return [day] }
      var first = day
      while first.weekday != state.settings.firstWeekday.value { first = first.advanced(days: -1) }
      return (0..<7).map { first.advanced(days: $0) }
    }

    /// nil: neither counts nor breaks.
    private func status(_ unit: [CivilDay]) -> Bool? {
      let happened = unit.filter { !state.zone.skippedDays.contains($0) }
      let open = happened.filter { day in
        !state.streaks.pauses.contains { pause in
          pause.from <= day && (pause.until.map { day < $0 } ?? true)
        }
      }
      let done = open.filter { day in state.logs.logs(on: day).contains(where: \.counts) }
      switch policy {
      case .weekly(let days):
        let required = min(days, happened.count)
        if required == 0 { return nil }
        if done.count >= required { return true }
        return open.count < required ? nil : false
      case .daily:
        return open.isEmpty ? nil : !done.isEmpty
      case .scheduled:
        let planned = open.contains { day in
          state.weeklies.all.contains { $0.plan(on: day) != nil }
            || state.schedules.all.contains { $0.day == day }
        }
        return planned ? !done.isEmpty : nil
      }
    }
  }

  /// A history of `count` days with everything that bears on a streak, in any order of arrival.
  static func history(seed: UInt64, days count: Int, zone: String, from start: String)
    -> TestAccount
  {
    var random = SeededGenerator(seed: seed)
    let begin = local(start, zone)
    var account = TestAccount(zone: zone, at: begin)
    let rules = account.state.zone.rules
    account.act(.defineWorkout(id: .test(9_000), title: "Legs", exercises: []), at: begin)
    let density = Int.random(in: 1...4, using: &random)
    var acts: [(Instant, Action)] = []
    var next: UInt64 = 10_000
    func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }
    for index in 0..<count {
      let date = rules.day(at: begin).advanced(days: Int32(index))
      guard
        let noon = account.zones.rules(
          for: zone, from: begin,
          to: begin.advanced(
            milliseconds: Int64(count + 9) * 86_400_000))?.firstInstant(
            atOrAfter: date, millisecondsOfDay: 43_200_000)
      else { continue }
      next += 10
      if !chance(density + 1) { acts.append((noon, .logWorkout(logged(next, endingAt: noon)))) }
      if chance(9) { acts.append((noon, .grantFreeze(id: .test(next + 1)))) }
      if chance(25) { acts.append((noon, .pauseStreak(id: .test(next + 2), from: date))) }
      if chance(12) { acts.append((noon, .resumeStreak(from: nil))) }
      if chance(20) {
        acts.append(
          (
            noon,
            .scheduleWeekly(
              id: .test(next + 3), workout: .title("Legs"),
              weekdays: Weekdays(bits: UInt8.random(in: 1...127, using: &random))!,
              timeOfDay: 50_000_000, firstDay: date)
          ))
      }
      if chance(15) {
        acts.append(
          (noon, .scheduleWorkout(id: .test(next + 4), workout: .title("Legs"), at: noon)))
      }
      if chance(30) {
        acts.append((noon, .unscheduleWorkout(id: .test(next - 500 + 3))))
      }
    }
    acts.shuffle(using: &random)
    // Half of it as it happened.
    if seed % 2 == 0 { acts.sort { $0.0 < $1.0 } }
    let now = begin.advanced(milliseconds: Int64(count) * 86_400_000)
    for (at, action) in acts { account.act(action, at: at, now: seed % 2 == 0 ? at : now) }
    account.turn(at: now)
    return account
  }

  static let policies: [StreakPolicy] =
    [.daily, .scheduled] + (1...7).map { StreakPolicy.weekly(days: $0) }

  @Test(
    "A streak, its freezes and its protected days are what the rule says, on each day ahead",
    arguments: UInt64(1)...60)
  func agrees(seed: UInt64) {
    let places = [
      ("Europe/Berlin", "2026-02-20 12:00"), ("America/New_York", "2015-10-01 12:00"),
      ("Pacific/Apia", "2011-12-10 12:00"), ("Asia/Kolkata", "2016-01-20 12:00"),
    ]
    let place = places[Int(seed % 4)]
    var account = Self.history(seed: seed, days: 20 + Int(seed) * 2, zone: place.0, from: place.1)
    for (index, policy) in Self.policies.enumerated() {
      account.state.settings.streakPolicy.value = policy
      account.state.settings.firstWeekday.value = (index + Int(seed)) % 7 + 1
      let days = account.state.daysAhead
      for (ahead, entry) in zip(days, account.streak.entries) {
        let reference = Reference(account.state, policy, today: ahead.day)
        #expect(entry.days == reference.count, "\(policy) on \(ahead.day)")
        #expect(entry.freezes == reference.inHand.count, "\(policy) on \(ahead.day)")
        #expect(entry.protected == reference.protected.suffix(8), "\(policy) on \(ahead.day)")
        // What is told of its end comes true.
        guard let lost = entry.lostAt else { continue }
        let after = days.first { $0.from >= lost }
        if let after { #expect(Reference(account.state, policy, today: after.day).count == 0) }
        if let before = days.last(where: { $0.from < lost }), before.from >= ahead.from {
          #expect(Reference(account.state, policy, today: before.day).count >= entry.days)
        }
      }
    }
  }

  @Test("Planned days are counted and found as one by one", arguments: UInt64(300)...320)
  func plannedDays(seed: UInt64) {
    let account = Self.history(
      seed: seed, days: 70, zone: "Europe/Berlin", from: "2026-03-01 12:00")
    let planned = PlannedDays(state: account.state)
    let all = (0..<90).map { day(2026, 2, 20).advanced(days: $0) }
    for date in all {
      let isPlanned =
        account.state.weeklies.all.contains { $0.plan(on: date) != nil }
        || account.state.schedules.all.contains { $0.day == date }
      #expect(planned.contains(date) == isPlanned, "\(date)")
    }
    for first in stride(from: 0, to: 90, by: 4) {
      for last in stride(from: first, to: 90, by: 5) {
        let span = all[first...last].filter { planned.contains($0) }
        #expect(planned.count(from: all[first], through: all[last]) == span.count)
        #expect(planned.first(from: all[first], through: all[last]) == span.first)
        #expect(planned.last(from: all[first], through: all[last]) == span.last)
      }
    }
  }

  @Test(
    "A trace agrees with the streak: its run is what the trace says of its days",
    arguments: UInt64(100)...130)
  func traces(seed: UInt64) {
    let account = Self.history(
      seed: seed, days: 60, zone: "Pacific/Apia", from: "2011-12-05 12:00")
    let today = account.state.zone.rules.day(at: account.state.asOf)
    for policy in [StreakPolicy.daily, .scheduled] {
      var state = account.state
      state.settings.streakPolicy.value = policy
      let trace = streakTrace(
        state, policy: policy, from: today.advanced(days: -70), through: today, today: today)
      var run = 0
      for traced in trace {
        switch traced.status {
        case .satisfied(let log):
          run += 1
          #expect(state.log(log)?.day == traced.day)
        case .missed: run = 0
        case .protected, .paused, .skipped, .idle, .open: break
        }
      }
      #expect(run == StreakProjection(state: state).entries[0].days, "\(policy)")
      #expect(
        trace.filter { $0.status == .skipped }.map(\.day)
          == [day(2011, 12, 30)].filter { $0 <= today })
    }
  }

  @Test(
    "Whatever arrives first, logs, freezes and pauses end in the same streak",
    arguments: UInt64(200)...220)
  func orders(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let begin = local("2026-05-01 12:00", "Europe/Berlin")
    var acts: [(Instant, Action)] = []
    for index in 0..<24 {
      let noon = local("2026-05-\(index < 9 ? "0" : "")\(index + 1) 12:00", "Europe/Berlin")
      if !Int.random(in: 0..<3, using: &random).isMultiple(of: 3) {
        acts.append((noon, .logWorkout(logged(UInt64(100 + index), endingAt: noon))))
      }
      if index == 4 || index == 5 {
        acts.append((noon, .grantFreeze(id: .test(UInt64(200 + index)))))
      }
    }
    acts.append(
      (
        local("2026-05-10 12:00", "Europe/Berlin"),
        .pauseStreak(id: .test(300), from: day(2026, 5, 10))
      ))
    acts.append((local("2026-05-14 12:00", "Europe/Berlin"), .resumeStreak(from: nil)))
    let now = local("2026-05-24 21:00", "Europe/Berlin")
    var expected: StreakFacet?
    for round in 0..<6 {
      var account = TestAccount(at: begin)
      var shuffled = acts
      if round > 0 {
        shuffled.shuffle(using: &random)
        // A resumption needs something to resume.
        let resume = shuffled.firstIndex { if case .resumeStreak = $0.1 { true } else { false } }!
        shuffled.append(shuffled.remove(at: resume))
      }
      for (at, action) in shuffled { #expect(account.act(action, at: at, now: now) == .applied) }
      account.turn(at: now)
      #expect(account.streak == (expected ?? account.streak))
      expected = account.streak
    }
  }
}
