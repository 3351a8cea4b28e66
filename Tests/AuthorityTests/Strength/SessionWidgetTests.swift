import Testing
import WatchTransfer

@testable import Authority

/// The widget `session` (DESIGN section 7): noon is 12:00 in Berlin.
@Suite struct SessionWidgetTests {
  private func made(_ account: TestAccount, _ family: WidgetFamily = .medium) -> WidgetTimeline {
    timeline(account.state, WidgetView(kind: .session, family: family, appearance: .both))
  }

  private func entry(
    _ account: TestAccount, at moment: Instant, _ family: WidgetFamily = .medium
  ) -> WidgetTimeline.Entry? {
    made(account, family).entries.current(at: moment)
  }

  @Test func `a running session shows its exercise, its sets and a timer that runs by itself`() {
    var account = Gym.running()
    let start = entry(account, at: Gym.at(0))
    #expect(start?.lines == ["Leg day", "Back squat, set 1 of 3", "5 × 100 kg"])
    #expect(start?.spoken == "Leg day. Back squat, set 1 of 3. 5 × 100 kg.")
    #expect(start?.symbol == "session.running")
    #expect(start?.timerSince == Gym.at(0) && start?.timerElapsedMilliseconds == 0)
    #expect(start?.number == 0 && start?.progressPermille == 0)
    account.set(1, at: Gym.at(1), weight: kilograms(100))
    let small = entry(account, at: Gym.at(1), .small)
    #expect(small?.lines == ["Back squat", "set 2 of 3", "Rest until 12:02"])
    #expect(small?.number == 1 && small?.progressPermille == 333)
    #expect(entry(account, at: Gym.at(1), .circular)?.lines == ["1/3"])
    #expect(entry(account, at: Gym.at(1), .inline)?.lines == ["Back squat, set 2 of 3"])
  }

  @Test func `the end of a rest is an entry: until then its moment, then what to do`() {
    var account = Gym.running()
    account.set(1, at: Gym.at(1), weight: kilograms(100))
    let over = Gym.at(2, 30)
    #expect(made(account).entries.contains { $0.from == over })
    #expect(
      entry(account, at: over.advanced(milliseconds: -1))?.lines
        == ["Leg day", "Back squat, set 2 of 3", "5 × 100 kg", "Rest until 12:02"])
    #expect(
      entry(account, at: over)?.lines == ["Leg day", "Back squat, set 2 of 3", "5 × 100 kg"])
    #expect(entry(account, at: over)?.timerSince == Gym.at(0))
  }

  @Test func `paused, no timer runs`() {
    var account = Gym.running()
    account.session(.pause, at: Gym.at(5))
    let paused = entry(account, at: Gym.at(5))
    #expect(paused?.lines.last == "Paused")
    #expect(paused?.symbol == "session" && paused?.timerSince == nil)
    account.session(.resume, at: Gym.at(8))
    #expect(entry(account, at: Gym.at(8))?.timerElapsedMilliseconds == 300_000)
    #expect(entry(account, at: Gym.at(8))?.timerSince == Gym.at(8))
  }

  @Test func `a session by activity has nothing to count until a set is done`() {
    var account = TestAccount(at: Gym.at(-60))
    account.act(
      .startSession(id: Gym.session, plan: .activity("running")), by: Devices.watch, at: Gym.at(0))
    #expect(entry(account, at: Gym.at(0))?.lines == ["running"])
    #expect(entry(account, at: Gym.at(0), .circular)?.lines == ["On"])
    #expect(entry(account, at: Gym.at(0), .inline)?.lines == ["running"])
    account.set(1, at: Gym.at(1), reps: 12)
    #expect(entry(account, at: Gym.at(1), .circular)?.lines == ["1"])
    #expect(entry(account, at: Gym.at(1))?.lines == ["running", "set 2", "12 reps"])
  }

  @Test func `it ends: the summary, with when; dismissed, a placeholder`() {
    var account = Gym.running()
    for set in 1...3 as ClosedRange<UInt64> {
      account.set(set, at: Gym.at(Int64(set)), weight: kilograms(100))
    }
    account.session(.finish, at: Gym.at(45))
    let ended = entry(account, at: Gym.at(45))
    #expect(
      ended?.lines.prefix(3) == ["Leg day", "45 min, 3 sets", "Ended 10 Jun, 12:45"])
    #expect(ended?.number == 3 && ended?.timerSince == nil)
    #expect(ended?.spoken.hasSuffix("Ended 10 Jun, 12:45.") == true)
    #expect(
      entry(account, at: Gym.at(45), .small)?.lines
        == ["Leg day", "45 min, 3 sets", "10 Jun, 12:45"])
    #expect(entry(account, at: Gym.at(45), .corner)?.lines == ["45 m"])
    // It says when, and so it is right a week later, too.
    #expect(made(account, .inline).entries.allSatisfy { $0.lines == ["Last: 45 min, 3 sets"] })
    account.act(.dismissSummary(session: Gym.session), by: Devices.watch, at: Gym.at(50))
    #expect(entry(account, at: Gym.at(50))?.lines == ["No session now", "Start one"])
    #expect(entry(TestAccount(at: Gym.noon), at: Gym.noon)?.lines[0] == "No session yet")
  }

  @Test(arguments: WidgetFamily.allCases)
  func `half a day after the last news it claims no timer any more`(family: WidgetFamily) {
    var account = Gym.running()
    account.set(1, at: Gym.at(30), weight: kilograms(100))
    let silent = Gym.at(30).advanced(milliseconds: 12 * 3_600_000)
    let before = entry(account, at: silent.advanced(milliseconds: -1), family)
    #expect(before?.timerSince == Gym.at(0))
    for day in 0..<7 {
      let later = entry(
        account, at: silent.advanced(milliseconds: Int64(day) * 86_400_000), family)
      #expect(later?.timerSince == nil && later?.number == nil)
      #expect(later?.spoken == "Leg day, last heard of 10 Jun, 12:30.")
    }
    if family == .medium {
      #expect(entry(account, at: silent)?.lines == ["Leg day", "Last news", "10 Jun, 12:30"])
    }
  }

  @Test func `no entry tells an age, and none is stale at birth`() {
    var account = Gym.running()
    account.set(1, at: Gym.at(1), weight: kilograms(100))
    var states = [account]
    account.session(.finish, at: Gym.at(45))
    states.append(account)
    for account in states {
      for family in WidgetFamily.allCases {
        let entries = made(account, family).entries
        #expect(entries.first?.stale == 0)
        for text in entries.flatMap({ $0.lines + [$0.spoken] }) {
          #expect(!text.contains(" ago") && !text.contains("yesterday"), "\(text)")
        }
      }
    }
  }

  @Test func `the largest session takes at most 4 KiB in every family`() {
    for filler in ["W", "é", "\u{1F469}\u{200D}\u{1F467}"] {
      var name = ""
      while name.utf8.count + filler.utf8.count <= ActionLimits.nameBytesMax { name += filler }
      var account = TestAccount(at: Gym.at(-60))
      account.act(
        .defineExercise(Exercise(id: .test(1), name: name, equipment: .other)), at: Gym.at(-50))
      account.act(
        .defineRoutine(
          id: Gym.routine, title: name,
          entries: Array(
            repeating: RoutineEntry(
              exercise: .test(1),
              sets: [TargetSet(reps: 1_000, weight: kilograms(1_000), restSeconds: 3_600)]),
            count: ActionLimits.routineEntriesMax)), at: Gym.at(-40))
      account.act(
        .startSession(id: Gym.session, plan: .routine(Gym.routine)), by: Devices.watch,
        at: Gym.at(0))
      account.set(1, at: Gym.at(1), reps: 1_000, weight: kilograms(1_000))
      var states = [account]
      account.session(.finish, at: Gym.at(60))
      states.append(account)
      for account in states {
        for family in WidgetFamily.allCases {
          let made = made(account, family)
          #expect(encodedBytesMax(of: made) <= snapshotBytesMax, "\(family) \(filler)")
          #expect(made.entries.allSatisfy { !$0.lines.isEmpty && !$0.spoken.isEmpty })
          #expect(made.entries.allSatisfy { $0.lines.count <= family.linesMax })
        }
      }
    }
  }
}
