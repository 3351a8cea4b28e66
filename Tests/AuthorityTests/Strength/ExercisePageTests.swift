import Testing
import WatchTransfer

@testable import Authority

/// Pages of the exercise library and of personal records.
@Suite struct ExercisePageTests {
  private func at(_ minutes: Int64) -> Instant { Gym.at(minutes) }

  private func exercises(
    _ account: TestAccount, _ question: ExercisesQuestion
  ) -> (entries: [ExerciseEntry], next: ExerciseKey?) {
    guard
      case .exercises(let entries, let next) = answer(
        account.state, .exercises(question), now: at(0))
    else { fatalError("no exercises") }
    return (entries, next)
  }

  private func records(
    _ account: TestAccount, of exercise: ExerciseID? = nil, after: ExerciseKey? = nil,
    limit: Int = 64
  ) -> (records: [ExerciseRecord], next: ExerciseKey?) {
    let question = RecordsQuestion(exercise: exercise, after: after, limit: limit)
    guard
      case .records(let records, let next) = answer(
        account.state, .records(question), now: at(0))
    else { fatalError("no records") }
    return (records, next)
  }

  private func define(_ account: inout TestAccount, _ id: UInt64, _ name: String) {
    let exercise = Exercise(id: .test(id), name: name, equipment: .barbell)
    #expect(account.act(.defineExercise(exercise), at: at(0)) == .applied)
  }

  @Test(
    "Pages of any size give what a search finds, each once, whatever is added between them",
    arguments: [1, 7, 63, 64])
  func pages(limit: Int) {
    for text in ["", "press", "zz", "B"] {
      var account = TestAccount(at: at(-60))
      for id in 1...20 as ClosedRange<UInt64> { define(&account, id, "bench \(id % 5) press") }
      let before = ExerciseLibrary.search(
        text, in: ExerciseLibrary.starter + account.state.exercises.all.map(\.exercise))
      var question = ExercisesQuestion(text: text, limit: limit)
      var seen: [ExerciseID] = []
      var fresh: UInt64 = 100
      repeat {
        let page = exercises(account, question)
        #expect(page.entries.count <= limit)
        seen += page.entries.map(\.key.id)
        question.after = page.next
        fresh += 1
        if fresh < 160 { define(&account, fresh, "bench \(fresh % 7) press") }
      } while question.after != nil
      #expect(Set(seen).count == seen.count, "an exercise came twice")
      #expect(Set(seen).isSuperset(of: before.map(\.id)), "an exercise was left out")
    }
  }

  @Test("A page goes on behind an exercise that was deleted meanwhile")
  func deleted() {
    var account = TestAccount(at: at(-60))
    for id in 1...4 as ClosedRange<UInt64> { define(&account, id, "zercher squat \(id)") }
    var question = ExercisesQuestion(text: "zercher", limit: 2)
    let first = exercises(account, question)
    #expect(first.entries.map(\.key.name) == ["zercher squat 1", "zercher squat 2"])
    #expect(first.next != nil)
    question.after = first.next
    account.act(.deleteExercise(id: .test(2)), at: at(1))
    #expect(
      exercises(account, question).entries.map(\.key.name)
        == ["zercher squat 3", "zercher squat 4"])
    #expect(exercises(account, question).next == nil)
  }

  @Test("An entry says what it is done with, and whether it is the account's own")
  func entries() {
    var account = TestAccount(at: at(-60))
    define(&account, 1, "Yoke walk")
    let own = exercises(account, ExercisesQuestion(text: "YOKE")).entries
    #expect(own.map(\.text) == ["Yoke walk, barbell"] && own[0].isOwn)
    let cable = exercises(account, ExercisesQuestion(equipment: .cable)).entries
    #expect(cable.count == 8 && cable.allSatisfy { $0.equipment == .cable && !$0.isOwn })
  }

  @Test("A record is the heaviest load and the best estimate, with the first session of each")
  func best() {
    var account = TestAccount(at: at(-60))
    account.train(
      .test(801), Gym.squat, from: at(0), sets: [(5, kilograms(100)), (1, kilograms(105))],
      firstSet: 1)
    account.train(.test(802), Gym.squat, from: at(100), sets: [(1, kilograms(105))], firstSet: 10)
    account.train(.test(803), Gym.bench, from: at(200), sets: [(20, kilograms(40))], firstSet: 20)
    let records = records(account).records
    #expect(records.map(\.key.name) == ["Back squat", "Bench press"])
    #expect(records[0].heaviest.weight == kilograms(105) && records[0].heaviest.reps == 1)
    #expect(records[0].heaviest.log == .test(801), "the first that held it")
    #expect(records[0].estimatedMaximum?.kilograms == 100 * 36 / 32.0)
    let day = account.state.logDay(of: .test(801))
    #expect(records[0].heaviest.day == day && records[0].estimatedMaximum?.day == day)
    #expect(records[1].estimatedMaximum == nil, "20 repetitions estimate nothing")
    let date = dayText(records[0].heaviest.day)
    #expect(records[0].text == "1 × 105 kg, \(date); e1RM 112.5 kg")
    #expect(
      records[0].spoken == "Back squat, 1 rep at 105 kg on \(date), 112.5 kg for one by estimate")
    #expect(records[1].text == "20 × 40 kg, \(date)")
  }

  @Test("A record goes when the history it rests on is corrected, and comes back with it")
  func corrected() {
    var account = TestAccount(at: at(-60))
    account.train(.test(801), Gym.squat, from: at(0), sets: [(5, kilograms(100))], firstSet: 1)
    let before = records(account).records
    account.train(.test(802), Gym.squat, from: at(100), sets: [(5, kilograms(300))], firstSet: 10)
    #expect(records(account).records[0].heaviest.weight == kilograms(300))
    var typo = account
    typo.act(
      .editSet(session: .test(802), set: .test(10), reps: nil, weight: kilograms(30)), at: at(200))
    #expect(records(typo).records == before)
    var removed = account
    removed.act(.deleteLog(log: .test(802)), at: at(200))
    #expect(records(removed).records == before)
  }

  @Test("Records of one exercise, of none, of a deleted one and of one that never was")
  func one() {
    var account = TestAccount(at: at(-60))
    account.act(.defineExercise(Gym.custom), at: at(-50))
    account.train(.test(801), Gym.custom.id, from: at(0), sets: [(1, kilograms(80))], firstSet: 1)
    account.train(.test(802), Gym.squat, from: at(100), sets: [(1, kilograms(9))], firstSet: 10)
    define(&account, 950, "Unused")
    #expect(records(account, of: Gym.custom.id).records.map(\.key.name) == ["Sandbag carry"])
    #expect(records(account, of: Gym.bench).records.isEmpty)
    account.act(.deleteExercise(id: Gym.custom.id), at: at(200))
    account.act(.deleteExercise(id: .test(950)), at: at(200))
    #expect(
      records(account, of: Gym.custom.id).records.map(\.key.name) == ["Sandbag carry"],
      "history keeps the name")
    func refusal(_ id: ExerciseID) -> Page.Answer {
      answer(account.state, .records(RecordsQuestion(exercise: id)), now: at(0))
    }
    #expect(refusal(.test(950)) == .refused(.gone))
    #expect(refusal(.test(99)) == .refused(.notFound))
    #expect(refusal(ExerciseID(high: ExerciseLibrary.idHigh, low: .max)) == .refused(.notFound))
  }

  @Test("Warm-ups, assistance and sets of no repetitions make no record")
  func nothing() {
    var account = TestAccount(at: at(-60))
    account.train(
      .test(801), Gym.squat, from: at(0), sets: [(5, kilograms(-20)), (0, kilograms(100))],
      firstSet: 1)
    #expect(records(account).records.isEmpty)
  }

  @Test("Pages of records are cut by name, each once", arguments: [1, 2, 3, 64])
  func recordPages(limit: Int) {
    var account = TestAccount(at: at(-60))
    for index in 0..<5 as Range<UInt64> {
      account.train(
        .test(810 + index), ExerciseLibrary.starter[Int(index)].id, from: at(Int64(index) * 100),
        sets: [(5, kilograms(50))], firstSet: 900 + index)
    }
    var seen: [String] = []
    var after: ExerciseKey?
    repeat {
      let page = records(account, after: after, limit: limit)
      seen += page.records.map(\.key.name)
      after = page.next
    } while after != nil
    #expect(
      seen == ["Back squat", "Bench press", "Deadlift", "Front squat", "Romanian deadlift"])
  }
}
