import CProtobufC
import CWireProto
import WatchTransfer

/// Questions about days, exercises and records, and their pages.
extension MessageDecoder {
  /// A question about days; a span that this version does not know makes it unknown.
  func streakTraceQuestion(
    _ question: Wristwire__V1__StreakTraceQuestion
  ) throws(WireError) -> Question {
    let span: DaySpan
    switch question.span_case {
    case WRISTWIRE__V1__STREAK_TRACE_QUESTION__SPAN_DAYS:
      let days = try Check.message(question.days, "days")
      span = .from(
        try Check.day(days.has_first_day, days.first_day, "first_day"),
        days: try Check.within(QueryLimits.traceDays, days.has_count, Int(days.count), "count"))
    case WRISTWIRE__V1__STREAK_TRACE_QUESTION__SPAN_LAST_DAYS:
      span = .last(
        days: try Check.within(QueryLimits.traceDays, 1, Int(question.last_days), "last_days"))
    case WRISTWIRE__V1__STREAK_TRACE_QUESTION__SPAN_MONTH_OF_DAY:
      span = .month(of: try Check.day(1, question.month_of_day, "month_of_day"))
    default:
      return .unknown
    }
    return .streakTrace(
      StreakTraceQuestion(
        span,
        policy: try Check.optionalPolicy(
          question.has_policy, question.policy.rawValue, question.has_streak_days,
          question.streak_days, "policy")))
  }

  /// A question about the library.
  func exercisesQuestion(
    _ question: Wristwire__V1__ExercisesQuestion
  ) throws(WireError) -> ExercisesQuestion {
    var value = ExercisesQuestion(
      text: try Check.searchText(question.has_text, question.text, "text"),
      equipment: try Check.optionalChoice(
        question.has_equipment, question.equipment.rawValue, "equipment"),
      after: try optionalExerciseKey(question.after))
    if question.has_limit != 0 {
      value.limit = try Check.within(
        QueryLimits.exerciseEntries, 1, Int(question.limit), "limit")
    }
    return value
  }

  /// A question about records.
  func recordsQuestion(
    _ question: Wristwire__V1__RecordsQuestion
  ) throws(WireError) -> RecordsQuestion {
    var value = RecordsQuestion(
      exercise: try Check.optionalID(
        question.has_exercise_id, question.exercise_id, "exercise_id"),
      after: try optionalExerciseKey(question.after))
    if question.has_limit != 0 {
      value.limit = try Check.within(QueryLimits.recordEntries, 1, Int(question.limit), "limit")
    }
    return value
  }

  /// What days were for a streak.
  func streakTrace(_ page: Wristwire__V1__StreakTracePage) throws(WireError) -> StreakTrace {
    guard page.n_days <= QueryLimits.traceDays.upperBound else { throw Check.invalid("days") }
    var days: [StreakTraceDay] = []
    for pointer in UnsafeBufferPointer(start: page.days, count: page.n_days) {
      let day = try Check.message(pointer, "days")
      days.append(
        StreakTraceDay(
          day: CivilDay(number: try Check.present(day.has_day, day.day, "day")),
          status: try status(of: day), text: try Check.text(day.has_text, day.text, "text")))
    }
    return StreakTrace(
      policy: try Check.policy(
        page.has_policy, page.policy.rawValue, page.has_streak_days, page.streak_days, "policy"),
      days: days, totals: try totals(try Check.message(page.totals, "totals")))
  }

  private func status(
    of day: Wristwire__V1__StreakTraceDay
  ) throws(WireError) -> StreakDayStatus {
    guard day.has_status != 0 else { throw Check.invalid("status") }
    switch day.status {
    case WRISTWIRE__V1__STREAK_DAY_STATUS__STREAK_DAY_STATUS_SATISFIED:
      return .satisfied(by: try Check.id(day.has_log_id, day.log_id, "log_id"))
    case WRISTWIRE__V1__STREAK_DAY_STATUS__STREAK_DAY_STATUS_FROZEN: return .protected
    case WRISTWIRE__V1__STREAK_DAY_STATUS__STREAK_DAY_STATUS_PAUSED: return .paused
    case WRISTWIRE__V1__STREAK_DAY_STATUS__STREAK_DAY_STATUS_MISSED: return .missed
    case WRISTWIRE__V1__STREAK_DAY_STATUS__STREAK_DAY_STATUS_SKIPPED: return .skipped
    case WRISTWIRE__V1__STREAK_DAY_STATUS__STREAK_DAY_STATUS_NOT_COUNTED: return .idle
    case WRISTWIRE__V1__STREAK_DAY_STATUS__STREAK_DAY_STATUS_OPEN: return .open
    default: throw Check.invalid("status")
    }
  }

  private func totals(_ totals: Wristwire__V1__SpanTotals) throws(WireError) -> SpanTotals {
    SpanTotals(
      workouts: Int(try Check.present(totals.has_workouts, totals.workouts, "workouts")),
      activeDays: Int(
        try Check.present(totals.has_active_days, totals.active_days, "active_days")),
      milliseconds: try Check.milliseconds(
        ValueLimits.spans, totals.has_active_ms, totals.active_ms, "active_ms"),
      days: Int(try Check.present(totals.has_days, totals.days, "days")),
      averageMilliseconds: totals.has_average_ms == 0
        ? nil : try Check.finite(1, totals.average_ms, "average_ms"),
      averageWorkouts: totals.has_average_workouts == 0
        ? nil : try Check.finite(1, totals.average_workouts, "average_workouts"),
      text: try Check.text(totals.has_text, totals.text, "text"))
  }

  /// Exercises of the library.
  func exercisesPage(_ page: Wristwire__V1__ExercisesPage) throws(WireError) -> Page.Answer {
    guard page.n_entries <= QueryLimits.exerciseEntries.upperBound else {
      throw Check.invalid("entries")
    }
    var entries: [ExerciseEntry] = []
    for pointer in UnsafeBufferPointer(start: page.entries, count: page.n_entries) {
      let entry = try Check.message(pointer, "entries")
      entries.append(
        ExerciseEntry(
          key: try exerciseKey(entry.key),
          equipment: try Check.choice(
            entry.has_equipment, entry.equipment.rawValue, "equipment"),
          isOwn: entry.has_own != 0 && entry.own != 0,
          text: try Check.text(entry.has_text, entry.text, "text")))
    }
    return .exercises(entries, next: try optionalExerciseKey(page.next))
  }

  /// Personal records.
  func recordsPage(_ page: Wristwire__V1__RecordsPage) throws(WireError) -> Page.Answer {
    guard page.n_records <= QueryLimits.recordEntries.upperBound else {
      throw Check.invalid("records")
    }
    var records: [ExerciseRecord] = []
    for pointer in UnsafeBufferPointer(start: page.records, count: page.n_records) {
      records.append(try record(try Check.message(pointer, "records")))
    }
    return .records(records, next: try optionalExerciseKey(page.next))
  }

  private func record(
    _ record: Wristwire__V1__ExerciseRecord
  ) throws(WireError) -> ExerciseRecord {
    let heaviest = ExerciseRecord.Heaviest(
      weight: try weight(try Check.message(record.weight, "weight"), "weight"),
      reps: try Check.within(ActionLimits.doneReps, record.has_reps, Int(record.reps), "reps"),
      day: CivilDay(number: try Check.present(record.has_day, record.day, "day")),
      log: try Check.id(record.has_log_id, record.log_id, "log_id"))
    return ExerciseRecord(
      key: try exerciseKey(record.key), heaviest: heaviest,
      estimatedMaximum: try optionalMaximum(record.estimated_maximum),
      text: try Check.text(record.has_text, record.text, "text"),
      spoken: try Check.text(record.has_spoken, record.spoken, "spoken"))
  }

  private func optionalMaximum(
    _ pointer: UnsafeMutablePointer<Wristwire__V1__EstimatedMaximum>?
  ) throws(WireError) -> ExerciseRecord.EstimatedMaximum? {
    guard let maximum = pointer?.pointee else { return nil }
    return ExerciseRecord.EstimatedMaximum(
      kilograms: try Check.finite(maximum.has_kg, maximum.kg, "kg"),
      day: CivilDay(number: try Check.present(maximum.has_day, maximum.day, "day")),
      log: try Check.id(maximum.has_log_id, maximum.log_id, "log_id"))
  }

  private func exerciseKey(
    _ pointer: UnsafeMutablePointer<Wristwire__V1__ExerciseKey>?
  ) throws(WireError) -> ExerciseKey {
    guard let key = try optionalExerciseKey(pointer) else { throw Check.invalid("key") }
    return key
  }

  private func optionalExerciseKey(
    _ pointer: UnsafeMutablePointer<Wristwire__V1__ExerciseKey>?
  ) throws(WireError) -> ExerciseKey? {
    guard let key = pointer?.pointee else { return nil }
    return ExerciseKey(
      name: try Check.maybeEmptyName(key.has_name, key.name, "name"),
      id: try Check.id(key.has_exercise_id, key.exercise_id, "exercise_id"))
  }
}
