import Testing
import WatchTransfer

@testable import Authority

/// What holds for every history.
@Suite struct PropertyTests {
  @Test("Replay gives the same state and the same projections", arguments: UInt64(1)...20)
  func replay(seed: UInt64) {
    let history = randomHistory(seed: seed, count: 400)
    var again = AccountState()
    for (index, events) in history.journal.enumerated() {
      again.apply(events, revision: UInt64(index + 1))
    }
    #expect(again == history.state)
    // A dictionary built in another order iterates in another order.
    var shuffled = AccountState()
    shuffled = again
    shuffled.things = [:]
    for (id, thing) in again.things.sorted(by: { $1.key < $0.key }) { shuffled.things[id] = thing }
    #expect(everything(shuffled) == everything(history.state))
    var twice = AccountState()
    for (index, events) in history.journal.enumerated() {
      twice.apply(events, revision: UInt64(index + 1))
    }
    #expect(everything(twice) == everything(history.state))
  }

  @Test("Nothing traps, whatever comes", arguments: UInt64(100)...130)
  func adversarial(seed: UInt64) {
    let history = randomHistory(seed: seed, count: 300, adversarial: true)
    _ = everything(history.state)
    // Events that do not fit the state they meet change what they can.
    var other = AccountState()
    for events in history.journal.reversed() { other.apply(events, revision: other.revision + 1) }
    _ = everything(other)
  }

  @Test("A facet that no event touched has not changed", arguments: UInt64(200)...215)
  func untouched(seed: UInt64) {
    let history = randomHistory(seed: seed, count: 250)
    var state = AccountState()
    for events in history.journal {
      let before = state
      state.apply(events, revision: state.revision + 1)
      guard before.revision > 0 else { continue }
      let touched = touchedFacets(by: events)
      for kind in FacetKind.allCases where !touched.contains(kind) {
        #expect(project(before, kind) == project(state, kind), "\(kind) \(events)")
      }
    }
  }

  @Test("A refusal has no events, a decision has at most 256", arguments: UInt64(300)...305)
  func decisions(seed: UInt64) {
    let history = randomHistory(seed: seed, count: 200)
    var generator = ActionGenerator(random: SeededGenerator(seed: seed), isAdversarial: true)
    let now = instant("2026-03-29T10:00:00Z")
    for _ in 0..<500 {
      let decision = decide(
        history.state, generator.action(around: now), generator.context(now: now))
      #expect(decision.events.count <= 256)
      if decision.outcome != .applied { #expect(decision.events.isEmpty) }
    }
  }

  @Test("The state's indexes agree with its things", arguments: UInt64(400)...410)
  func invariants(seed: UInt64) {
    let state = randomHistory(seed: seed, count: 500, adversarial: seed % 2 == 0).state
    for (id, thing) in state.things {
      switch thing {
      case .workout: #expect(state.workout(id.retagged()) != nil)
      case .schedule(let at): #expect(state.schedules.find(id.retagged(), at: at) != nil)
      case .log(let day): #expect(state.logs.find(id.retagged(), on: day) != nil)
      case .match: #expect(state.matches[id.retagged()] != nil)
      case .entry(let match):
        #expect(state.matches[match]?.entries.contains { $0.id == id.retagged() } == true)
      case .exercise: #expect(state.exercises[id.retagged()] != nil)
      case .routine: #expect(state.routines[id.retagged()] != nil)
      case .session(let day):
        #expect(state.sessions[id.retagged()] != nil)
        #expect(day.map { state.logs.find(id.retagged(), on: $0) != nil } ?? true)
      case .set(let session): #expect(state.sessions[session]?.set(id.retagged()) != nil)
      case .substitution(let match):
        let log = state.matches[match]?.lineUp.substitutions
        #expect(log?.contains { $0.id == id.retagged() } == true)
      case .player:
        #expect(state.matches.all.contains { $0.lineUp.names(id.retagged()) })
      case .weekly: #expect(state.weeklies.find(id.retagged()) != nil)
      case .weight(let day):
        #expect(state.weights.all.contains { $0.entry.id == id.retagged() && $0.entry.day == day })
      case .freeze: #expect(state.streaks.freezes.contains { $0.id == id.retagged() })
      case .pause: #expect(state.streaks.pauses.contains { $0.id == id.retagged() })
      case .gone: break
      }
    }
    #expect(state.sessions.open == state.sessions.all.filter(\.isOpen).map(\.id))
    let ends = state.sessions.all.compactMap(\.clock.endedAt)
    #expect(state.sessions.lastEnded?.clock.endedAt == ends.max())
    var logs = 0
    for record in state.logs.days {
      #expect(!record.logs.isEmpty)
      #expect(record.countingLogs == record.logs.count { $0.counts })
      logs += record.logs.count
      for log in record.logs {
        #expect(
          state.thing(log.id)
            == (log.origin == .session && state.sessions[log.id.retagged()] != nil
              ? .session(day: record.day) : .log(day: record.day)))
        guard let served = log.serves else { continue }
        let weekly = state.weeklies.find(served)?.plan(on: log.day)
        #expect((state.schedule(served)?.servedBy ?? weekly?.servedBy) == log.id)
      }
    }
    for match in state.matches.all {
      for player in match.lineUp.named { #expect(state.thing(player) == .player) }
      for entry in match.lineUp.substitutions {
        #expect(state.thing(entry.id) == .substitution(match: match.id))
      }
    }
    var satisfied = DayRuns()
    for record in state.logs.days where record.countingLogs > 0 { satisfied.insert(record.day) }
    #expect(satisfied == state.logs.satisfied)
    #expect(state.logs.noteBytes == state.logs.days.flatMap(\.logs).reduce(0) { $0 + $1.noteBytes })
    #expect(state.schedules.days == state.schedules.all.compactMap(\.day).sorted())
    for weekly in state.weeklies.all {
      for served in weekly.served { #expect(state.log(served.log)?.serves == weekly.id) }
      #expect(weekly == remade(weekly))
    }
    #expect(logs == state.logs.count)
    for schedule in state.schedules.all {
      if let log = schedule.servedBy { #expect(state.log(log)?.serves == schedule.id) }
    }
    #expect(state.schedules.all.map(\.at) == state.schedules.all.map(\.at).sorted())
    #expect(state.logs.days.map(\.day) == state.logs.days.map(\.day).sorted())
  }

  /// A weekly schedule as a checkpoint brings it back.
  private func remade(_ weekly: WeeklySchedule) -> WeeklySchedule {
    var again = WeeklySchedule(id: weekly.id, edits: weekly.edits)
    for served in weekly.served { again.add(served) }
    return again
  }

  @Test("The fullest day still fits: `today` stays under 32 KiB")
  func fullestToday() {
    let start = local("2026-06-10 00:30", "Europe/Berlin")
    var account = TestAccount(at: start)
    let title = String(repeating: "é", count: 64)
    account.act(.defineWorkout(id: .test(1), title: title, exercises: []), at: start)
    var next: UInt64 = 1_000
    for day in 0..<9 {
      let noon = start.advanced(milliseconds: Int64(day) * 86_400_000 + 43_200_000)
      for _ in 0..<64 {
        next += 1
        account.schedule(next, title, at: noon)
        var workout = logged(next + 100_000, endingAt: noon)
        workout.activityType = title
        account.act(.logWorkout(workout), at: start)
      }
    }
    let facet = account.today
    #expect(facet.days.map(\.items.count) == [24, 24] + Array(repeating: 14, count: 7))
    let bytes = facet.days.reduce(0) { sum, day in
      // As in proto/wristwire/v1/facets.proto: id, title, kind, at, done, text, and their headers.
      sum + 20
        + day.items.reduce(0) {
          $0 + 3 + 18 + 3 + $1.title.utf8.count + 2 + 8 + 2 + 2 + $1.text.utf8.count
        }
    }
    #expect(bytes + facet.greetings.count * 32 < 32_768)
  }
}
