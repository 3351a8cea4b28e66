package import WatchTransfer

/// The best of an exercise; absent where nothing was lifted.
package struct StrengthBest: Sendable, Equatable {
  /// The heaviest load, as it was entered.
  package var weight: Weight?
  /// The highest estimated one-repetition maximum, in kilograms.
  package var estimatedMaximum: Double?

  /// Nothing yet.
  package init() {}

  /// Takes a set that counts: warm-ups, assistance and sets without repetitions make no record.
  mutating func take(_ set: SessionSet) {
    guard set.works, set.reps.value > 0, let load = set.weight.value, load.digits > 0 else {
      return
    }
    if weight.map({ $0.isLess(than: load) }) ?? true { weight = load }
    let maximum = Authority.estimatedMaximum(load: load.kilograms, reps: set.reps.value)
    if let maximum, maximum > estimatedMaximum ?? 0 { estimatedMaximum = maximum }
  }
}

extension AccountState {
  /// Whether a session is history: it has ended, and its log was not deleted.
  func isHistory(_ session: WorkoutSession) -> Bool {
    session.isEnded && logDay(of: session.id.retagged()) != nil
  }

  /// The best of each exercise over the history that `isTaken`: computed anew each time, so that a
  /// record goes when the history it rests on is corrected. By exercise; looked up, never iterated.
  package func strengthBests(
    of exercises: Set<ExerciseID>, in isTaken: (WorkoutSession) -> Bool
  ) -> [ExerciseID: StrengthBest] {
    var bests: [ExerciseID: StrengthBest] = [:]
    for session in sessions.all where isHistory(session) && isTaken(session) {
      let planned = session.exercises
      for set in session.sets where planned.indices.contains(set.position) {
        let id = planned[set.position].exercise.id
        if exercises.contains(id) { bests[id, default: StrengthBest()].take(set) }
      }
    }
    return bests
  }

  /// The sets of the last session before `session` in which an exercise was done, and when it
  /// ended.
  func lastTime(
    _ exercise: ExerciseID, before session: WorkoutSession
  ) -> (sets: [SessionSet], at: Instant)? {
    let start = session.startedAt
    var newest: (session: WorkoutSession, at: Instant)?
    for other in sessions.all where other.id != session.id {
      guard let end = other.clock.endedAt, end <= start || other.startedAt < start,
        newest.map({ $0.at < end || ($0.at == end && $0.session.id < other.id) }) ?? true,
        isHistory(other), !Self.sets(of: exercise, in: other).isEmpty
      else { continue }
      newest = (other, end)
    }
    return newest.map { (Self.sets(of: exercise, in: $0.session), $0.at) }
  }

  private static func sets(of exercise: ExerciseID, in session: WorkoutSession) -> [SessionSet] {
    let isPlanned = session.start?.exercises.contains { $0.exercise.id == exercise } ?? false
    guard isPlanned || session.added.contains(where: { $0.exercise.id == exercise }) else {
      return []
    }
    let planned = session.exercises
    return session.sets.filter { set in
      set.works && planned.indices.contains(set.position)
        && planned[set.position].exercise.id == exercise
    }
  }
}
