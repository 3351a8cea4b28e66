import Storage
import TestSupport
import Testing
import WatchTransfer
import WireFormat

@testable import AuthorityServer

/// Queries and pages over sockets.
@Suite(.timeLimit(.minutes(1))) struct QueryTests {
  private func ask(_ device: TestDevice, _ question: Question, id: UInt64 = 7) throws -> Page {
    try device.send(.query(Query(id: id, question: question)))
    return try device.wait { if case .page(let page) = $0 { page } else { nil } }
  }

  private func history(_ device: TestDevice) throws -> [String] {
    guard case .history(let entries, _) = try ask(device, .history(HistoryQuestion())).answer
    else { return [] }
    return entries.map(\.title)
  }

  @Test func `a page has its query's id and the revision it is as of`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    for title in ["Legs", "Arms"] {
      let receipt = try watch.perform(.markWorkout(log: .random(), workout: .title(title)))
      let page = try ask(watch, .history(HistoryQuestion()), id: .max)
      #expect(page.id == .max)
      #expect(receipt.outcome == .applied(page.revision))
    }
    #expect(try history(watch) == ["Arms", "Legs"])
    // Others see it, too; a page is never older than what was receipted.
    let phone = try await fixture.device(.phone)
    try phone.connect()
    #expect(try history(phone) == ["Arms", "Legs"])
    await fixture.stop()
  }

  @Test func `a page of what is not durable yet leaves behind it`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    let phone = try await fixture.device(.phone)
    try watch.connect()
    try phone.connect()
    let held = Gate()
    fixture.faults.holdAppends { held.open() }
    try watch.send(
      .act(watch.queue(.markWorkout(log: .random(), workout: .title("Legs")))))
    try held.wait()
    try phone.send(.query(Query(id: 1, question: .history(HistoryQuestion()))))
    // A ping behind it is answered: the page waits for the disk, the connection does not.
    try phone.sync()
    #expect(!phone.log.contains { if case .page = $0 { true } else { false } })
    fixture.faults.letAppendsGo()
    let page = try phone.wait { if case .page(let page) = $0 { page } else { nil } }
    guard case .history(let entries, _) = page.answer else {
      throw WireClient.Failure.unexpected("\(page)")
    }
    #expect(entries.map(\.title) == ["Legs"])
    await fixture.stop()
  }

  @Test(arguments: [DeviceKind.widget, .activity, .health, .controller])
  func `a kind that may not ask is sent away`(kind: DeviceKind) async throws {
    let fixture = try await Scene.server()
    let device = try await fixture.device(kind)
    try device.connect()
    try device.send(.query(Query(id: 1, question: .history(HistoryQuestion()))))
    #expect(try device.goodbye().reason == .forbidden)
    await fixture.stop()
  }

  @Test func `a question that the server does not know is refused, and the connection stays`()
    async throws
  {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    #expect(try ask(watch, .unknown).answer == .refused(.unsupported))
    #expect(
      try ask(watch, .previewDeletion(of: .random())).answer == .refused(.notFound))
    try watch.perform(Scene.goal(1))
    await fixture.stop()
  }

  @Test func `days, exercises, records and workouts are answered, to phone and watch alike`()
    async throws
  {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    let phone = try await fixture.device(.phone)
    try watch.connect()
    try phone.connect()
    let log = LogID.random()
    try watch.perform(.markWorkout(log: log, workout: .title("Legs")))
    let own = ExerciseID.random()
    try phone.perform(
      .defineExercise(Exercise(id: own, name: "Yoke walk", equipment: .other)))
    let legs = WorkoutID.random()
    try phone.perform(.defineWorkout(id: legs, title: "Leg day", exercises: ["Squat"]))
    for device in [watch, phone] {
      let workouts = try ask(device, .workouts(WorkoutsQuestion(text: "leg"))).answer
      let key = WorkoutKey(name: "Leg day", id: legs)
      let entry = WorkoutEntry(key: key, exercises: ["Squat"], text: "Leg day, 1 exercise")
      #expect(workouts == .workouts([entry], next: nil))
      let page = try ask(device, .streakTrace(StreakTraceQuestion(.last(days: 3))))
      guard case .streakTrace(let trace) = page.answer else {
        throw WireClient.Failure.unexpected("\(page)")
      }
      #expect(trace.days.map(\.status) == [.missed, .missed, .satisfied(by: log)])
      #expect(trace.totals.workouts == 1)
      let found = try ask(device, .exercises(ExercisesQuestion(text: "yoke")))
      guard case .exercises(let entries, nil) = found.answer else {
        throw WireClient.Failure.unexpected("\(found)")
      }
      #expect(entries.map(\.key.id) == [own])
      #expect(
        try ask(device, .records(RecordsQuestion(exercise: own))).answer == .records([], next: nil))
      #expect(
        try ask(device, .records(RecordsQuestion(exercise: .random()))).answer
          == .refused(.notFound))
    }
    await fixture.stop()
  }

  @Test func `pages go on where they were, over a restart and what was logged meanwhile`()
    async throws
  {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    for number in 1...10 {
      try watch.perform(.markWorkout(log: .random(), workout: .title("\(number)")))
    }
    var seen: [String] = []
    var before: HistoryKey?
    repeat {
      let page = try ask(watch, .history(HistoryQuestion(before: before, limit: 3)))
      guard case .history(let entries, let next) = page.answer else { break }
      seen += entries.map(\.title)
      before = next
      try await fixture.restart()
      try watch.connect()
      try watch.perform(.markWorkout(log: .random(), workout: .title("new \(seen.count)")))
    } while before != nil
    #expect(seen == (1...10).reversed().map { "\($0)" })
    await fixture.stop()
  }

  @Test func `one account's history is not another's`() async throws {
    let fixture = try await Scene.server()
    try await fixture.addAccount("bert")
    let watch = try await fixture.device(.watch)
    let other = try await fixture.device(.watch, account: "bert")
    try watch.connect()
    try other.connect()
    let workout = WorkoutID.random()
    try watch.perform(.defineWorkout(id: workout, title: "Legs", exercises: []))
    try watch.perform(.markWorkout(log: .random(), workout: .id(workout)))
    #expect(try history(other) == [])
    #expect(
      try ask(other, .previewDeletion(of: workout)).answer == .refused(.notFound))
    await fixture.stop()
  }
}
