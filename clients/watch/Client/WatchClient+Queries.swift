internal import Transport
public import WatchTransfer

/// Why a question has no answer.
public enum QueryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no connection, or it ended before the answer came: ask again.
  case notConnected
  /// The authority does not want this device, or one of its kind may not ask; nothing is answered
  /// until the client was disconnected and is started again.
  case ended(Goodbye)
  /// The outbox could not be made durable: nothing is sent until the client is made anew.
  case broken
  /// As many questions wait as may; the bound.
  case tooMany(max: Int)
  /// The client was stopped.
  case stopped
  /// A field that may not be asked like this (`QueryLimits`), by its name on the wire; nothing was
  /// sent.
  case outOfBounds(field: String)
  /// The authority does not answer this; asking again does not help.
  case refused(QueryRefusal)
  /// The authority answered something else than was asked.
  case unexpected
  /// The bytes of a photo are not those that its hash names.
  case mismatch
  /// The task that asked was cancelled.
  case cancelled

  /// One line.
  public var description: String {
    switch self {
    case .notConnected: "there is no connection to ask over"
    case .ended(let goodbye): "the authority has sent this device away (\(goodbye.reason.word))"
    case .broken: "the outbox could not be made durable, so nothing is asked; start again"
    case .tooMany(let max): "\(max) questions wait for their answers, as many as may"
    case .stopped: "the client was stopped"
    case .outOfBounds(let field): "the \(field) of the question is out of bounds"
    case .refused(let refusal): "the authority does not answer that: \(refusal.word)"
    case .unexpected: "the authority answered something else"
    case .mismatch: "what came is not the photo that was asked for"
    case .cancelled: "the question was given up"
    }
  }
}

/// Questions, answered by the authority alone; nothing of the answers is kept.
extension WatchClient {
  /// Questions that may wait for their answers at once.
  public static var questionsMax: Int { 32 }

  /// Logs, the newest first: a page of at most `limit` (`QueryLimits`), and where the next one
  /// begins; nil: there is none.
  public func history(
    before key: HistoryKey? = nil, limit: Int = QueryLimits.historyEntries.upperBound
  ) async throws(QueryError) -> (entries: [HistoryEntry], next: HistoryKey?) {
    let question = HistoryQuestion(before: key, limit: limit)
    guard case .history(let entries, let next) = try await ask(.history(question)) else {
      throw .unexpected
    }
    return (entries, next)
  }

  /// What deleting a workout would take away, and what would stay.
  public func previewDeletion(
    of workout: WorkoutID
  ) async throws(QueryError) -> DeletionPreview {
    guard case .deletion(let preview) = try await ask(.previewDeletion(of: workout)) else {
      throw .unexpected
    }
    return preview
  }

  /// What days were for a streak under any policy, which log satisfied each, and what was done on
  /// them.
  public func streakTrace(
    of span: DaySpan, policy: StreakPolicy? = nil
  ) async throws(QueryError) -> StreakTrace {
    let question = StreakTraceQuestion(span, policy: policy)
    guard case .streakTrace(let trace) = try await ask(.streakTrace(question)) else {
      throw .unexpected
    }
    return trace
  }

  /// Exercises of the library whose names hold the words of `text`: a page of at most `limit`, and
  /// what the next one comes after; nil: there is none.
  public func exercises(
    named text: String = "", equipment: Equipment? = nil, after key: ExerciseKey? = nil,
    limit: Int = QueryLimits.exerciseEntries.upperBound
  ) async throws(QueryError) -> (entries: [ExerciseEntry], next: ExerciseKey?) {
    let question = ExercisesQuestion(
      text: text, equipment: equipment, after: key, limit: limit)
    guard case .exercises(let entries, let next) = try await ask(.exercises(question)) else {
      throw .unexpected
    }
    return (entries, next)
  }

  /// Personal records, of one exercise or of all: a page of at most `limit`, and what the next one
  /// comes after; nil: there is none.
  public func records(
    of exercise: ExerciseID? = nil, after key: ExerciseKey? = nil,
    limit: Int = QueryLimits.recordEntries.upperBound
  ) async throws(QueryError) -> (records: [ExerciseRecord], next: ExerciseKey?) {
    let question = RecordsQuestion(exercise: exercise, after: key, limit: limit)
    guard case .records(let records, let next) = try await ask(.records(question)) else {
      throw .unexpected
    }
    return (records, next)
  }

  /// Workouts that the person defined, planned or not, whose titles hold the words of `text`: a
  /// page of at most `limit`, and what the next one comes after; nil: there is none.
  public func workouts(
    named text: String = "", after key: WorkoutKey? = nil,
    limit: Int = QueryLimits.workoutEntries.upperBound
  ) async throws(QueryError) -> (entries: [WorkoutEntry], next: WorkoutKey?) {
    let question = WorkoutsQuestion(text: text, after: key, limit: limit)
    guard case .workouts(let entries, let next) = try await ask(.workouts(question)) else {
      throw .unexpected
    }
    return (entries, next)
  }

  func ask(_ question: Question) async throws(QueryError) -> Page.Answer {
    let id = nextID()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { done in
        ask(question, id) { done.resume(returning: $0) }
      }
    } onCancel: {
      executor.queue.async { [weak self] in self?.assumeIsolated { $0.cancelQuestion(id) } }
    }
    let answer = try result.get().answer
    if case .refused(let refusal) = answer { throw .refused(refusal) }
    return answer
  }

  /// The same for owners without tasks: `done` is told on the client's queue, once. A refusal is a
  /// page, too.
  package func ask(
    _ question: Question, then done: @escaping (Result<Page, QueryError>) -> Void
  ) {
    ask(question, nextID(), then: done)
  }

  private func nextID() -> UInt64 {
    defer { nextQuery += 1 }
    return nextQuery
  }

  private func ask(
    _ question: Question, _ id: UInt64, then done: @escaping (Result<Page, QueryError>) -> Void
  ) {
    if Task.isCancelled { return done(.failure(.cancelled)) }
    if wasStopped { return done(.failure(.stopped)) }
    if let field = question.fieldOutOfBounds {
      return done(.failure(.outOfBounds(field: field)))
    }
    guard mayAsk else { return done(.failure(unanswered)) }
    guard questions.count < Self.questionsMax else {
      return done(.failure(.tooMany(max: Self.questionsMax)))
    }
    questions[id] = done
    send(.query(Query(id: id, question: question)))
  }

  /// An answer came; one that nobody waits for is dropped.
  func answered(_ page: Page) {
    questions.removeValue(forKey: page.id)?(.success(page))
  }

  /// Nobody waits for the answer any more; it is dropped when it comes.
  private func cancelQuestion(_ id: UInt64) {
    questions.removeValue(forKey: id)?(.failure(.cancelled))
  }

  /// Why nothing is answered now.
  var unanswered: QueryError {
    if wasStopped { return .stopped }
    if outbox?.isBroken ?? true { return .broken }
    return refusal.map { .ended($0) } ?? .notConnected
  }

  /// Nothing of what was asked will be answered.
  func failQuestions(_ error: QueryError) {
    mayAsk = false
    let waiting = questions.sorted { $0.key < $1.key }
    questions = [:]
    for (_, done) in waiting { done(.failure(error)) }
  }
}
