import Guards
import TestSupport
import WatchTransfer
import WireFormat

/// A script that behaves like an authority: a ledger, and a state that every applied action
/// changes.
final class FakeAuthority: Sendable {
  private struct State {
    var ledger = ModelLedger()
    var owner = account(1)
    var epoch = EpochID(high: 3, low: 1)
  }

  private let state = Lock(State())

  var applied: [[UInt8]] { state.withLock { $0.ledger.applied } }

  func change(_ body: (inout ModelLedger) -> Void) { state.withLock { body(&$0.ledger) } }

  func become(_ owner: AccountID) {
    state.withLock {
      $0.owner = owner
      $0.ledger = ModelLedger()
    }
  }

  func restart() { state.withLock { $0.epoch = EpochID(high: 3, low: $0.epoch.low + 1) } }

  /// A history of three workouts, a page at a time.
  private static func answer(_ question: Question) -> Page.Answer {
    switch question {
    case .history(let question):
      let older = history.filter { entry in question.before.map { entry.key < $0 } ?? true }
      let page = Array(older.prefix(question.limit))
      return .history(page, next: page.count < older.count ? page.last?.key : nil)
    case .previewDeletion: return .deletion(DeletionPreview(goes: ["Row"], stays: []))
    case .streakTrace(let question):
      let totals = SpanTotals(
        workouts: 0, activeDays: 0, milliseconds: 0, days: 1, averageMilliseconds: nil,
        averageWorkouts: nil, text: "")
      return .streakTrace(
        StreakTrace(policy: question.policy ?? .daily, days: [], totals: totals))
    case .exercises(let question):
      let found = ExerciseLibrary.search(
        question.text, equipment: question.equipment, in: ExerciseLibrary.starter)
      let entries = found.prefix(question.limit).map {
        ExerciseEntry(
          key: ExerciseKey(name: $0.name, id: $0.id), equipment: $0.equipment, isOwn: false,
          text: "")
      }
      return .exercises(entries, next: found.count > entries.count ? entries.last?.key : nil)
    case .workouts(let question):
      let key = WorkoutKey(name: "Legs", id: WorkoutID(high: 1, low: 2))
      let entry = WorkoutEntry(key: key, exercises: ["Squat"], text: "Legs, 1 exercise")
      return .workouts(question.text == "legs" ? [entry] : [], next: question.after)
    case .records(let question):
      return question.exercise == nil ? .records([], next: question.after) : .refused(.gone)
    case .previewLogDeletion: return .deletion(DeletionPreview(goes: ["Its photo"], stays: []))
    case .attachment, .unknown: return .refused(.unsupported)
    }
  }

  static let history: [HistoryEntry] = (1...3).reversed().map { number in
    HistoryEntry(
      key: HistoryKey(
        day: CivilDay(number: Int32(number)), end: Instant(milliseconds: Int64(number)),
        log: LogID(high: 1, low: UInt64(number))),
      title: "\(number)", start: Instant(milliseconds: 0), milliseconds: 1, wasPlanned: false,
      text: "", spoken: "")
  }

  /// The script.
  func answer(_ message: ClientMessage) -> [FakeServer.Answer] {
    state.withLock { state in
      switch message {
      case .hello(let hello):
        var welcome = state.ledger.greet(hello.incarnations)
        welcome.account = state.owner
        welcome.epoch = state.epoch
        let since = hello.cursor.map { $0.epoch == state.epoch ? $0.revision : 0 } ?? 0
        return [.say(.welcome(welcome)), .say(Self.update(state, from: since))]
      case .act(let act):
        let before = state.ledger.revision
        guard let answer = state.ledger.receive(act) else { return [] }
        // An applied receipt comes after its update.
        if case .receipt(let receipt) = answer, case .applied = receipt.outcome {
          return [.say(Self.update(state, from: before)), .say(answer)]
        }
        return [.say(answer)]
      case .query(let query):
        return [
          .say(
            .page(
              Page(
                id: query.id, revision: state.ledger.revision,
                answer: Self.answer(query.question))))
        ]
      case .resume(let cursor):
        return [.say(Self.update(state, from: cursor?.revision ?? 0))]
      case .ping(let ping):
        return [.say(.pong(Pong(nonce: ping.nonce, serverClock: Instant(milliseconds: 5))))]
      case .fetch, .chunk, .pong, .goodbye, .pulse:
        return []
      }
    }
  }

  private static func update(_ state: State, from: Revision) -> ServerMessage {
    let revision = state.ledger.revision
    let goals = GoalsFacet(goals: [
      GoalsFacet.Goal(name: "steps", target: Double(revision), progress: [])
    ])
    let facet = EncodedFacet(
      kind: .goals, revision: revision, content: MessageEncoder().encode(.goals(goals)))
    let isNew = from == 0 || revision > from
    return .update(
      Update(epoch: state.epoch, from: from, to: revision, facets: isNew ? [facet] : []))
  }
}
