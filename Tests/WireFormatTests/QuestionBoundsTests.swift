import Testing
import WatchTransfer

@testable import WireFormat

/// A client knows by itself which questions the authority takes for broken frames.
struct QuestionBoundsTests {
  @Test(arguments: UInt64(0)..<20)
  func `what is out of bounds is what the decoder refuses`(seed: UInt64) throws {
    var sampler = Sampler(seed: seed)
    let decoder = MessageDecoder()
    var refused = 0
    for id in UInt64(1)...100 {
      let query = Query(id: id, question: sampler.anyQuestion())
      let decoded = fromClient(payload(ClientMessage.query(query)), decoder)
      if let field = query.question.fieldOutOfBounds {
        refused += 1
        #expect(throws: WireError.self, "\(field) of \(query.question)") { try decoded.get() }
      } else {
        #expect(try decoded.get() == .query(query))
      }
    }
    #expect((10...90).contains(refused), "\(refused) of 100")
  }

  @Test func `a page of the largest workouts stays under 160 KiB, and comes back`() throws {
    let name = String(repeating: "n", count: ActionLimits.nameBytesMax)
    let key = WorkoutKey(name: name, id: WorkoutID(high: 1, low: 1))
    let entry = WorkoutEntry(
      key: key, exercises: Array(repeating: name, count: ActionLimits.exercisesMax),
      text: "\(name), 64 exercises")
    let entries = Array(repeating: entry, count: QueryLimits.workoutEntries.upperBound)
    let page = Page(id: .max, revision: 43, answer: .workouts(entries, next: key))
    let bytes = payload(ServerMessage.page(page))
    #expect(bytes.count < 160 * 1_024)
    #expect(try fromServer(bytes, MessageDecoder(limits: .fromServer)).get() == .page(page))
  }

  @Test func `an offset before the start is out of bounds`() throws {
    let hash = try #require(AttachmentHash(bytes: [UInt8](repeating: 1, count: 32)))
    let question = Question.attachment(AttachmentQuestion(hash: hash, offset: -1))
    #expect(question.fieldOutOfBounds == "offset")
  }
}

extension Sampler {
  /// A question with numbers and texts within their bounds and beyond.
  fileprivate mutating func anyQuestion() -> Question {
    switch upTo(7) {
    case 6:
      .workouts(
        WorkoutsQuestion(
          text: flip() ? "" : anyText(),
          after: maybe { WorkoutKey(name: $0.flip() ? "" : $0.anyText(), id: $0.id()) },
          limit: flip() ? anyCount() : pick([1, 16, 17])))
    case 0: .history(HistoryQuestion(before: maybe { $0.historyKey() }, limit: anyCount()))
    case 1:
      .exercises(
        ExercisesQuestion(text: flip() ? "" : anyText(), after: anyKey(), limit: anyCount()))
    case 2: .records(RecordsQuestion(after: anyKey(), limit: anyCount()))
    case 3:
      .attachment(
        AttachmentQuestion(
          hash: attachment(), offset: Int64(number()),
          length: pick([-1, 0, 1, 65_536, 65_537, 1 << 40])))
    case 4:
      .streakTrace(StreakTraceQuestion(.from(anyDay(), days: anyCount()), policy: anyPolicy()))
    case 5: .streakTrace(StreakTraceQuestion(.last(days: anyCount()), policy: anyPolicy()))
    default: .streakTrace(StreakTraceQuestion(.month(of: anyDay()), policy: anyPolicy()))
    }
  }

  private mutating func anyCount() -> Int {
    flip() ? pick([1, 20, 63, 64]) : pick([.min, -1, 0, 65, 1 << 40])
  }

  private mutating func anyDay() -> CivilDay {
    CivilDay(number: pick([.min, -1, 0, 20_000, 84_005, 84_006, .max]))
  }

  private mutating func anyText() -> String {
    flip() ? name() : pick(["a\u{0}b", "\u{202E}x", String(repeating: "long ", count: 200)])
  }

  private mutating func anyKey() -> ExerciseKey? {
    maybe { ExerciseKey(name: $0.flip() ? "" : $0.anyText(), id: $0.id()) }
  }

  private mutating func anyPolicy() -> StreakPolicy? {
    maybe { $0.flip() ? $0.streakPolicy() : .weekly(days: $0.pick([-1, 0, 1, 7, 8])) }
  }
}
