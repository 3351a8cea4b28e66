import Testing
import WatchTransfer

@testable import Authority

/// Pages of the workouts that a person defined.
@Suite struct WorkoutPageTests {
  private let noon = local("2026-06-15 12:00", "Europe/Berlin")

  private func page(
    _ account: TestAccount, _ question: WorkoutsQuestion
  ) -> (entries: [WorkoutEntry], next: WorkoutKey?) {
    guard
      case .workouts(let entries, let next) = answer(
        account.state, .workouts(question), now: noon)
    else { fatalError("no workouts") }
    return (entries, next)
  }

  private func every(_ account: TestAccount, _ text: String = "", limit: Int = 16)
    -> [WorkoutEntry]
  {
    var question = WorkoutsQuestion(text: text, limit: limit)
    var entries: [WorkoutEntry] = []
    repeat {
      let page = page(account, question)
      entries += page.entries
      question.after = page.next
    } while question.after != nil
    return entries
  }

  private func define(_ account: inout TestAccount, _ id: UInt64, _ title: String) {
    let action = Action.defineWorkout(id: .test(id), title: title, exercises: ["Squat \(id)"])
    #expect(account.act(action, at: noon) == .applied)
  }

  @Test(
    "Pages of any size give what a search finds, each once, whatever comes and goes between them",
    arguments: [1, 2, 5, 16], ["", "leg", "day leg", "LEG D", "nothing"])
  func pages(limit: Int, text: String) {
    var account = TestAccount(at: noon)
    for id in 100...130 as ClosedRange<UInt64> {
      define(&account, id, ["Leg day", "leg press", "Day of legs", "Arms"][Int(id % 4)])
    }
    let search = NameSearch(text)
    let before = account.state.workouts.filter { search.finds($0.title) }.map(\.id)
    #expect(text == "nothing" ? before.isEmpty : before.count > 6)
    var question = WorkoutsQuestion(text: text, limit: limit)
    var seen: [WorkoutEntry] = []
    var fresh: UInt64 = 200
    repeat {
      let page = page(account, question)
      #expect(page.entries.count <= limit)
      seen += page.entries
      question.after = page.next
      fresh += 1
      define(&account, fresh, ["A leg day", "Leg zone", "Zone"][Int(fresh % 3)])
      if let gone = page.entries.last?.key.id {
        #expect(account.act(.deleteWorkout(id: gone), at: noon) == .applied)
      }
    } while question.after != nil
    let ids = seen.map(\.key.id)
    #expect(Set(ids).count == ids.count)
    #expect(Set(ids).isSuperset(of: before))
    let places = seen.map { search.place(of: $0.key) }
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
    for entry in seen where entry.key.id < .test(200) {
      #expect(entry.exercises.count == 1)
      #expect(entry.text == "\(entry.key.name), 1 exercise")
    }
  }

  @Test("A workout is listed as it was edited last, planned or not, until it is deleted")
  func edits() {
    var account = TestAccount(at: noon)
    #expect(every(account).isEmpty)
    define(&account, 100, "Legs")
    let edit = Action.editWorkout(id: .test(100), title: "Long legs", exercises: [])
    #expect(account.act(edit, at: noon) == .applied)
    #expect(
      every(account) == [
        WorkoutEntry(
          key: WorkoutKey(name: "Long legs", id: .test(100)), exercises: [],
          text: "Long legs, 0 exercises")
      ])
    #expect(account.act(.deleteWorkout(id: .test(100)), at: noon) == .applied)
    #expect(every(account).isEmpty)
  }

  @Test("What came back of a restore before its definition is listed, and can be deleted")
  func stubs() {
    var account = TestAccount(at: noon)
    let edit = Action.editWorkout(id: .test(100), title: nil, exercises: ["Squat"])
    #expect(account.act(edit, at: noon, reoffered: true) == .applied)
    #expect(
      every(account) == [
        WorkoutEntry(
          key: WorkoutKey(name: "", id: .test(100)), exercises: ["Squat"],
          text: "without a title, 1 exercise")
      ])
    define(&account, 101, "Arms")
    #expect(every(account, limit: 1).map(\.key.name) == ["", "Arms"])
    #expect(every(account, "arms").map(\.key.name) == ["Arms"])
    #expect(account.act(.deleteWorkout(id: .test(100)), at: noon) == .applied)
    #expect(every(account).map(\.key.name) == ["Arms"])
  }
}
