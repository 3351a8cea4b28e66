public import WatchTransfer

/// The answer to a question in a state as of `now`: pure. A page of the history and a trace cost
/// what they return, however long the history is; records look through the sessions that are kept.
public func answer(_ state: AccountState, _ question: Question, now: Instant) -> Page.Answer {
  switch question {
  case .history(let question): HistoryPages(state: state).page(question)
  case .previewDeletion(let id): deletionPreview(state, of: id, now: now)
  case .previewLogDeletion(let id): logDeletionPreview(state, of: id)
  case .streakTrace(let question): .streakTrace(streakTrace(state, question, now: now))
  case .exercises(let question): ExercisePages(state: state).page(question)
  case .records(let question): RecordPages(state: state).page(question)
  case .workouts(let question): WorkoutPages(state: state).page(question)
  // The bytes are no part of the state: whoever has them answers.
  case .attachment, .unknown: .refused(.unsupported)
  }
}

/// What `deleteWorkout` would take away now.
private func deletionPreview(
  _ state: AccountState, of id: WorkoutID, now: Instant
) -> Page.Answer {
  guard let workout = state.workout(id) else {
    if case .gone(.workout) = state.thing(id) { return .refused(.gone) }
    return .refused(.notFound)
  }
  let planned = state.schedules.all.filter { $0.workout == id }
  let going = planned.filter { $0.at >= now && $0.servedBy == nil }
  var goes = ["The workout \(shownTitle(of: workout))"]
  if !going.isEmpty { goes.append("\(counted(going.count, "planned time")) from now on") }
  let weekly = state.weeklies.all.count { !$0.isEnded && $0.current?.planned.workout == id }
  if weekly > 0 { goes.append("\(counted(weekly, "weekly plan")) from now on") }
  var stays: [String] = []
  if planned.count > going.count {
    stays.append("\(counted(planned.count - going.count, "planned time")) that passed or was done")
  }
  let logs = state.logs.days.reduce(0) { count, day in
    count + day.logs.count { $0.workout == id }
  }
  if logs > 0 { stays.append("\(counted(logs, "time")) it was done") }
  return .deletion(DeletionPreview(goes: goes, stays: stays))
}
