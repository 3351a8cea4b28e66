import Testing
import WatchTransfer

@testable import Authority

/// The facts of one session add up to the same in whichever order they arrive, and however often a
/// journal is replayed.
@Suite struct SessionOrderTests {
  /// A fact with its time, in minutes after noon; facts of one thread come in this order.
  private struct Fact {
    let minute: Int64
    let action: Action
    var device = Devices.watch
    var thread = 0
  }

  private let facts: [Fact] = {
    func set(_ id: UInt64, _ position: Int, _ reps: Int, warmUp: Bool = false) -> Action {
      .completeSet(
        session: Gym.session,
        set: PerformedSet(
          id: .test(id), position: position, reps: reps, weight: kilograms(100), isWarmUp: warmUp))
    }
    func move(_ control: SessionControl) -> Action {
      .controlSession(session: Gym.session, control: control)
    }
    let samples = (0..<3).map { number in
      SampleBlock(
        number: UInt32(number),
        heartRate: [SamplePoint(at: Gym.at(Int64(number) * 15), value: 100 + Double(number))],
        energy: [SamplePoint(at: Gym.at(Int64(number) * 15), value: 10)])
    }
    return [
      Fact(minute: 0, action: .startSession(id: Gym.session, plan: .routine(Gym.routine))),
      Fact(minute: 1, action: set(1, 0, 3, warmUp: true)),
      Fact(minute: 2, action: set(2, 0, 5), thread: 1),
      Fact(minute: 3, action: .uncompleteSet(session: Gym.session, set: .test(2)), thread: 1),
      Fact(minute: 4, action: set(2, 0, 5), thread: 1),
      Fact(
        minute: 5,
        action: .editSet(session: Gym.session, set: .test(2), reps: 6, weight: nil),
        device: Devices.phone, thread: 1),
      Fact(minute: 6, action: set(3, 2, 8)),
      Fact(minute: 7, action: .addSessionExercise(session: Gym.session, exercise: Gym.bench)),
      Fact(
        minute: 8,
        action: .addSessionExercise(
          session: Gym.session, exercise: ExerciseLibrary.starter[20].id), device: Gym.tablet),
      Fact(minute: 9, action: .selectExercise(session: Gym.session, position: 2)),
      Fact(
        minute: 10,
        action: .adjustSet(session: Gym.session, position: 1, reps: 7, weight: nil)),
      Fact(minute: 11, action: move(.pause)), Fact(minute: 21, action: move(.resume)),
      Fact(minute: 31, action: .recordSamples(session: Gym.session, block: samples[0])),
      Fact(minute: 32, action: .recordSamples(session: Gym.session, block: samples[1])),
      Fact(minute: 33, action: .recordSamples(session: Gym.session, block: samples[2])),
      Fact(minute: 40, action: move(.finish)), Fact(minute: 41, action: move(.finish)),
    ]
  }()

  /// An account in which the facts arrive late, in the given order.
  private func account(_ order: [Fact], finishes: Int) -> TestAccount {
    var account = Gym.account()
    account.act(.defineWorkout(id: .test(600), title: "Leg day", exercises: []), at: Gym.at(-40))
    account.schedule(601, "Leg day", at: Gym.at(60))
    for fact in order {
      if fact.minute >= 40 + Int64(finishes) { continue }
      let outcome = account.act(
        fact.action, by: fact.device, at: Gym.at(fact.minute), now: Gym.at(300))
      let isOvertaken = outcome == .refused(.superseded) || outcome == .refused(.ended)
      #expect(outcome == .applied || isOvertaken, "\(fact.action): \(outcome)")
    }
    return account
  }

  /// A random order that keeps each thread's.
  private func shuffled(_ seed: UInt64) -> [Fact] {
    var random = SeededGenerator(seed: seed)
    var order = facts.shuffled(using: &random)
    var thread = facts.filter { $0.thread == 1 }.makeIterator()
    for index in order.indices where order[index].thread == 1 {
      if let next = thread.next() { order[index] = next }
    }
    return order
  }

  @Test(
    "Any order of arrival gives the same session, log and facets, finished or not, or twice",
    arguments: UInt64(1)...150)
  func anyOrder(seed: UInt64) {
    for finishes in 0...2 {
      let expected = account(facts, finishes: finishes)
      let other = account(shuffled(seed), finishes: finishes)
      // Of two finishes the later one may have come first: it is kept, and says nothing.
      if finishes < 2 { #expect(other.state.sessions == expected.state.sessions) }
      #expect(other.state.logs == expected.state.logs)
      #expect(other.state.schedules == expected.state.schedules)
      #expect(other.state.things == expected.state.things)
      for kind in FacetKind.allCases {
        #expect(project(other.state, kind) == project(expected.state, kind), "\(kind)")
      }
      #expect((other.log != nil) == (finishes > 0))
    }
  }

  @Test("Replay from every prefix of a journal gives the same facets", arguments: UInt64(1)...6)
  func prefixes(seed: UInt64) {
    let account = account(shuffled(seed), finishes: 2)
    for length in account.journal.indices {
      var state = AccountState()
      for (index, events) in account.journal.enumerated() {
        if index == length {
          // As if it had been put away and read again: what follows from the entries is made anew.
          for session in state.sessions.all {
            var read = session
            read.replay()
            state.sessions[session.id] = read
          }
        }
        state.apply(events, revision: UInt64(index + 1))
      }
      #expect(state == account.state)
    }
  }
}
