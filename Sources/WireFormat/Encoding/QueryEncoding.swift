import CProtobufC
import CWireProto
import WatchTransfer

/// Queries and their pages.
extension MessageEncoder {
  /// A question.
  func query(_ value: Query) -> UnsafeMutablePointer<Wristwire__V1__Query> {
    let query = arena.make(wristwire__v1__query__init)
    put(value.id, &query.pointee.has_id, &query.pointee.id)
    switch value.question {
    case .history(let question):
      let history = arena.make(wristwire__v1__history_question__init)
      history.pointee.before = question.before.map(historyKey)
      put(UInt32(clamping: question.limit), &history.pointee.has_limit, &history.pointee.limit)
      query.pointee.question_case = WRISTWIRE__V1__QUERY__QUESTION_HISTORY
      query.pointee.history = history
    case .previewDeletion(let workout):
      let deletion = arena.make(wristwire__v1__deletion_question__init)
      deletion.pointee.of_case = WRISTWIRE__V1__DELETION_QUESTION__OF_WORKOUT_ID
      deletion.pointee.workout_id = arena.id(workout)
      query.pointee.question_case = WRISTWIRE__V1__QUERY__QUESTION_DELETION
      query.pointee.deletion = deletion
    case .previewLogDeletion(let log):
      let deletion = arena.make(wristwire__v1__deletion_question__init)
      deletion.pointee.of_case = WRISTWIRE__V1__DELETION_QUESTION__OF_LOG_ID
      deletion.pointee.log_id = arena.id(log)
      query.pointee.question_case = WRISTWIRE__V1__QUERY__QUESTION_DELETION
      query.pointee.deletion = deletion
    case .attachment(let question):
      query.pointee.question_case = WRISTWIRE__V1__QUERY__QUESTION_ATTACHMENT
      query.pointee.attachment = attachmentQuestion(question)
    case .streakTrace(let question):
      query.pointee.question_case = WRISTWIRE__V1__QUERY__QUESTION_STREAK_TRACE
      query.pointee.streak_trace = streakTraceQuestion(question)
    case .exercises(let question):
      query.pointee.question_case = WRISTWIRE__V1__QUERY__QUESTION_EXERCISES
      query.pointee.exercises = exercisesQuestion(question)
    case .records(let question):
      query.pointee.question_case = WRISTWIRE__V1__QUERY__QUESTION_RECORDS
      query.pointee.records = recordsQuestion(question)
    case .workouts(let question):
      query.pointee.question_case = WRISTWIRE__V1__QUERY__QUESTION_WORKOUTS
      query.pointee.workouts = workoutsQuestion(question)
    case .unknown:
      break
    }
    return query
  }

  /// An answer.
  func page(_ value: Page) -> UnsafeMutablePointer<Wristwire__V1__Page> {
    let page = arena.make(wristwire__v1__page__init)
    put(value.id, &page.pointee.has_id, &page.pointee.id)
    put(value.revision, &page.pointee.has_revision, &page.pointee.revision)
    switch value.answer {
    case .history(let entries, let next):
      let history = arena.make(wristwire__v1__history_page__init)
      history.pointee.n_entries = entries.count
      history.pointee.entries = arena.messages(entries, historyEntry)
      history.pointee.next = next.map(historyKey)
      page.pointee.answer_case = WRISTWIRE__V1__PAGE__ANSWER_HISTORY
      page.pointee.history = history
    case .deletion(let preview):
      let deletion = arena.make(wristwire__v1__deletion_preview__init)
      deletion.pointee.n_goes = preview.goes.count
      deletion.pointee.goes = arena.list(preview.goes, arena.text)
      deletion.pointee.n_stays = preview.stays.count
      deletion.pointee.stays = arena.list(preview.stays, arena.text)
      page.pointee.answer_case = WRISTWIRE__V1__PAGE__ANSWER_DELETION
      page.pointee.deletion = deletion
    case .attachment(let range):
      page.pointee.answer_case = WRISTWIRE__V1__PAGE__ANSWER_ATTACHMENT
      page.pointee.attachment = attachmentRange(range)
    case .streakTrace(let trace):
      page.pointee.answer_case = WRISTWIRE__V1__PAGE__ANSWER_STREAK_TRACE
      page.pointee.streak_trace = streakTrace(trace)
    case .exercises(let entries, let next):
      let exercises = arena.make(wristwire__v1__exercises_page__init)
      exercises.pointee.n_entries = entries.count
      exercises.pointee.entries = arena.messages(entries, exerciseEntry)
      exercises.pointee.next = next.map(exerciseKey)
      page.pointee.answer_case = WRISTWIRE__V1__PAGE__ANSWER_EXERCISES
      page.pointee.exercises = exercises
    case .records(let entries, let next):
      let records = arena.make(wristwire__v1__records_page__init)
      records.pointee.n_records = entries.count
      records.pointee.records = arena.messages(entries, exerciseRecord)
      records.pointee.next = next.map(exerciseKey)
      page.pointee.answer_case = WRISTWIRE__V1__PAGE__ANSWER_RECORDS
      page.pointee.records = records
    case .workouts(let entries, let next):
      let workouts = arena.make(wristwire__v1__workouts_page__init)
      workouts.pointee.n_entries = entries.count
      workouts.pointee.entries = arena.messages(entries, workoutEntry)
      workouts.pointee.next = next.map(workoutKey)
      page.pointee.answer_case = WRISTWIRE__V1__PAGE__ANSWER_WORKOUTS
      page.pointee.workouts = workouts
    case .refused(let refusal):
      page.pointee.answer_case = WRISTWIRE__V1__PAGE__ANSWER_REFUSED
      page.pointee.refused = Wristwire__V1__QueryRefusal(UInt32(refusal.rawValue))
    }
    return page
  }

  private func historyKey(_ value: HistoryKey) -> UnsafeMutablePointer<Wristwire__V1__HistoryKey> {
    let key = arena.make(wristwire__v1__history_key__init)
    put(value.day.number, &key.pointee.has_day, &key.pointee.day)
    put(value.end.milliseconds, &key.pointee.has_end_ms, &key.pointee.end_ms)
    put(arena.id(value.log), &key.pointee.has_log_id, &key.pointee.log_id)
    return key
  }

  private func historyEntry(
    _ value: HistoryEntry
  ) -> UnsafeMutablePointer<Wristwire__V1__HistoryEntry> {
    let entry = arena.make(wristwire__v1__history_entry__init)
    entry.pointee.key = historyKey(value.key)
    put(arena.text(value.title), &entry.pointee.has_title, &entry.pointee.title)
    put(value.start.milliseconds, &entry.pointee.has_start_ms, &entry.pointee.start_ms)
    put(
      UInt64(clamping: value.milliseconds), &entry.pointee.has_active_ms,
      &entry.pointee.active_ms)
    put(value.energyKilocalories, &entry.pointee.has_energy_kcal, &entry.pointee.energy_kcal)
    put(value.distanceMeters, &entry.pointee.has_distance_m, &entry.pointee.distance_m)
    put(
      value.averageHeartRate, &entry.pointee.has_average_heart_rate,
      &entry.pointee.average_heart_rate)
    put(
      value.sourceName.map(arena.text), &entry.pointee.has_source_name,
      &entry.pointee.source_name)
    put(flag: value.wasPlanned, &entry.pointee.has_planned, &entry.pointee.planned)
    put(arena.text(value.text), &entry.pointee.has_text, &entry.pointee.text)
    put(arena.text(value.spoken), &entry.pointee.has_spoken, &entry.pointee.spoken)
    if !value.notes.isEmpty {
      put(arena.text(value.notes), &entry.pointee.has_notes, &entry.pointee.notes)
    }
    entry.pointee.n_tags = value.tags.count
    entry.pointee.tags = arena.list(value.tags, arena.text)
    entry.pointee.photo = value.photo.map(photo)
    return entry
  }
}
