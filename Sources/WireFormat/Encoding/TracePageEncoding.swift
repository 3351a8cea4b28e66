import CProtobufC
import CWireProto
import WatchTransfer

/// Questions about days, exercises and records, and their pages.
extension MessageEncoder {
  /// A question about days.
  func streakTraceQuestion(
    _ value: StreakTraceQuestion
  ) -> UnsafeMutablePointer<Wristwire__V1__StreakTraceQuestion> {
    let question = arena.make(wristwire__v1__streak_trace_question__init)
    switch value.span {
    case .from(let first, let count):
      let days = arena.make(wristwire__v1__day_span__init)
      put(first.number, &days.pointee.has_first_day, &days.pointee.first_day)
      put(UInt32(clamping: count), &days.pointee.has_count, &days.pointee.count)
      question.pointee.span_case = WRISTWIRE__V1__STREAK_TRACE_QUESTION__SPAN_DAYS
      question.pointee.days = days
    case .last(let days):
      question.pointee.span_case = WRISTWIRE__V1__STREAK_TRACE_QUESTION__SPAN_LAST_DAYS
      question.pointee.last_days = UInt32(clamping: days)
    case .month(let day):
      question.pointee.span_case = WRISTWIRE__V1__STREAK_TRACE_QUESTION__SPAN_MONTH_OF_DAY
      question.pointee.month_of_day = day.number
    }
    put(value.policy?.wire, &question.pointee.has_policy, &question.pointee.policy)
    put(value.policy?.wireDays, &question.pointee.has_streak_days, &question.pointee.streak_days)
    return question
  }

  /// A question about the library.
  func exercisesQuestion(
    _ value: ExercisesQuestion
  ) -> UnsafeMutablePointer<Wristwire__V1__ExercisesQuestion> {
    let question = arena.make(wristwire__v1__exercises_question__init)
    if !value.text.isEmpty {
      put(arena.text(value.text), &question.pointee.has_text, &question.pointee.text)
    }
    put(choice: value.equipment, &question.pointee.has_equipment, &question.pointee.equipment)
    question.pointee.after = value.after.map(exerciseKey)
    put(UInt32(clamping: value.limit), &question.pointee.has_limit, &question.pointee.limit)
    return question
  }

  /// A question about records.
  func recordsQuestion(
    _ value: RecordsQuestion
  ) -> UnsafeMutablePointer<Wristwire__V1__RecordsQuestion> {
    let question = arena.make(wristwire__v1__records_question__init)
    put(
      value.exercise.map(arena.id), &question.pointee.has_exercise_id,
      &question.pointee.exercise_id)
    question.pointee.after = value.after.map(exerciseKey)
    put(UInt32(clamping: value.limit), &question.pointee.has_limit, &question.pointee.limit)
    return question
  }

  /// What days were for a streak.
  func streakTrace(_ value: StreakTrace) -> UnsafeMutablePointer<Wristwire__V1__StreakTracePage> {
    let page = arena.make(wristwire__v1__streak_trace_page__init)
    put(value.policy.wire, &page.pointee.has_policy, &page.pointee.policy)
    put(value.policy.wireDays, &page.pointee.has_streak_days, &page.pointee.streak_days)
    page.pointee.n_days = value.days.count
    page.pointee.days = arena.messages(value.days, traceDay)
    page.pointee.totals = totals(value.totals)
    return page
  }

  private func traceDay(
    _ value: StreakTraceDay
  ) -> UnsafeMutablePointer<Wristwire__V1__StreakTraceDay> {
    let day = arena.make(wristwire__v1__streak_trace_day__init)
    put(value.day.number, &day.pointee.has_day, &day.pointee.day)
    put(value.status.wire, &day.pointee.has_status, &day.pointee.status)
    if case .satisfied(let log) = value.status {
      put(arena.id(log), &day.pointee.has_log_id, &day.pointee.log_id)
    }
    put(arena.text(value.text), &day.pointee.has_text, &day.pointee.text)
    return day
  }

  private func totals(_ value: SpanTotals) -> UnsafeMutablePointer<Wristwire__V1__SpanTotals> {
    let totals = arena.make(wristwire__v1__span_totals__init)
    put(UInt32(clamping: value.workouts), &totals.pointee.has_workouts, &totals.pointee.workouts)
    put(
      UInt32(clamping: value.activeDays), &totals.pointee.has_active_days,
      &totals.pointee.active_days)
    put(
      UInt64(clamping: value.milliseconds), &totals.pointee.has_active_ms,
      &totals.pointee.active_ms)
    put(UInt32(clamping: value.days), &totals.pointee.has_days, &totals.pointee.days)
    put(value.averageMilliseconds, &totals.pointee.has_average_ms, &totals.pointee.average_ms)
    put(
      value.averageWorkouts, &totals.pointee.has_average_workouts,
      &totals.pointee.average_workouts)
    put(arena.text(value.text), &totals.pointee.has_text, &totals.pointee.text)
    return totals
  }

  /// One exercise of the library.
  func exerciseEntry(
    _ value: ExerciseEntry
  ) -> UnsafeMutablePointer<Wristwire__V1__ExerciseEntry> {
    let entry = arena.make(wristwire__v1__exercise_entry__init)
    entry.pointee.key = exerciseKey(value.key)
    put(choice: value.equipment, &entry.pointee.has_equipment, &entry.pointee.equipment)
    put(flag: value.isOwn, &entry.pointee.has_own, &entry.pointee.own)
    put(arena.text(value.text), &entry.pointee.has_text, &entry.pointee.text)
    return entry
  }

  /// One personal record.
  func exerciseRecord(
    _ value: ExerciseRecord
  ) -> UnsafeMutablePointer<Wristwire__V1__ExerciseRecord> {
    let record = arena.make(wristwire__v1__exercise_record__init)
    record.pointee.key = exerciseKey(value.key)
    record.pointee.weight = weight(value.heaviest.weight)
    put(UInt32(clamping: value.heaviest.reps), &record.pointee.has_reps, &record.pointee.reps)
    put(value.heaviest.day.number, &record.pointee.has_day, &record.pointee.day)
    put(arena.id(value.heaviest.log), &record.pointee.has_log_id, &record.pointee.log_id)
    record.pointee.estimated_maximum = value.estimatedMaximum.map { best in
      let maximum = arena.make(wristwire__v1__estimated_maximum__init)
      put(best.kilograms, &maximum.pointee.has_kg, &maximum.pointee.kg)
      put(best.day.number, &maximum.pointee.has_day, &maximum.pointee.day)
      put(arena.id(best.log), &maximum.pointee.has_log_id, &maximum.pointee.log_id)
      return maximum
    }
    put(arena.text(value.text), &record.pointee.has_text, &record.pointee.text)
    put(arena.text(value.spoken), &record.pointee.has_spoken, &record.pointee.spoken)
    return record
  }

  /// Where an exercise stands.
  func exerciseKey(_ value: ExerciseKey) -> UnsafeMutablePointer<Wristwire__V1__ExerciseKey> {
    let key = arena.make(wristwire__v1__exercise_key__init)
    put(arena.text(value.name), &key.pointee.has_name, &key.pointee.name)
    put(arena.id(value.id), &key.pointee.has_exercise_id, &key.pointee.exercise_id)
    return key
  }
}

extension StreakDayStatus {
  /// As the wire has it.
  var wire: Wristwire__V1__StreakDayStatus {
    switch self {
    case .satisfied: WRISTWIRE__V1__STREAK_DAY_STATUS__STREAK_DAY_STATUS_SATISFIED
    case .protected: WRISTWIRE__V1__STREAK_DAY_STATUS__STREAK_DAY_STATUS_FROZEN
    case .paused: WRISTWIRE__V1__STREAK_DAY_STATUS__STREAK_DAY_STATUS_PAUSED
    case .missed: WRISTWIRE__V1__STREAK_DAY_STATUS__STREAK_DAY_STATUS_MISSED
    case .skipped: WRISTWIRE__V1__STREAK_DAY_STATUS__STREAK_DAY_STATUS_SKIPPED
    case .idle: WRISTWIRE__V1__STREAK_DAY_STATUS__STREAK_DAY_STATUS_NOT_COUNTED
    case .open: WRISTWIRE__V1__STREAK_DAY_STATUS__STREAK_DAY_STATUS_OPEN
    }
  }
}
