import CProtobufC
import CWireProto
import WatchTransfer

/// Queries and their pages.
extension MessageDecoder {
  /// A question; one that this version does not know is answered, not taken for a broken frame.
  func query(_ query: Wristwire__V1__Query) throws(WireError) -> Query {
    Query(
      id: try Check.present(query.has_id, query.id, "id"), question: try question(query))
  }

  private func question(_ query: Wristwire__V1__Query) throws(WireError) -> Question {
    switch query.question_case {
    case WRISTWIRE__V1__QUERY__QUESTION_HISTORY:
      let history = try Check.message(query.history, "history")
      var question = HistoryQuestion(before: try optionalHistoryKey(history.before))
      if history.has_limit != 0 {
        question.limit = try Check.within(
          QueryLimits.historyEntries, 1, Int(history.limit), "limit")
      }
      return .history(question)
    case WRISTWIRE__V1__QUERY__QUESTION_DELETION:
      let deletion = try Check.message(query.deletion, "deletion")
      switch deletion.of_case {
      case WRISTWIRE__V1__DELETION_QUESTION__OF_WORKOUT_ID:
        return .previewDeletion(of: try Check.id(1, deletion.workout_id, "workout_id"))
      case WRISTWIRE__V1__DELETION_QUESTION__OF_LOG_ID:
        return .previewLogDeletion(of: try Check.id(1, deletion.log_id, "log_id"))
      default:
        throw Check.invalid("workout_id")
      }
    case WRISTWIRE__V1__QUERY__QUESTION_ATTACHMENT:
      return .attachment(
        try attachmentQuestion(try Check.message(query.attachment, "attachment")))
    case WRISTWIRE__V1__QUERY__QUESTION_STREAK_TRACE:
      return try streakTraceQuestion(try Check.message(query.streak_trace, "streak_trace"))
    case WRISTWIRE__V1__QUERY__QUESTION_EXERCISES:
      return .exercises(
        try exercisesQuestion(try Check.message(query.exercises, "exercises")))
    case WRISTWIRE__V1__QUERY__QUESTION_RECORDS:
      return .records(try recordsQuestion(try Check.message(query.records, "records")))
    case WRISTWIRE__V1__QUERY__QUESTION_WORKOUTS:
      return .workouts(try workoutsQuestion(try Check.message(query.workouts, "workouts")))
    default:
      return .unknown
    }
  }

  /// An answer.
  func page(_ page: Wristwire__V1__Page) throws(WireError) -> Page {
    Page(
      id: try Check.present(page.has_id, page.id, "id"),
      revision: try Check.number(page.has_revision, page.revision, "revision"),
      answer: try answer(page))
  }

  private func answer(_ page: Wristwire__V1__Page) throws(WireError) -> Page.Answer {
    switch page.answer_case {
    case WRISTWIRE__V1__PAGE__ANSWER_HISTORY:
      let history = try Check.message(page.history, "history")
      guard history.n_entries <= QueryLimits.historyEntries.upperBound else {
        throw Check.invalid("entries")
      }
      var entries: [HistoryEntry] = []
      for pointer in UnsafeBufferPointer(start: history.entries, count: history.n_entries) {
        entries.append(try historyEntry(try Check.message(pointer, "entries")))
      }
      return .history(entries, next: try optionalHistoryKey(history.next))
    case WRISTWIRE__V1__PAGE__ANSWER_DELETION:
      let deletion = try Check.message(page.deletion, "deletion")
      return .deletion(
        DeletionPreview(
          goes: try texts(deletion.goes, deletion.n_goes, "goes"),
          stays: try texts(deletion.stays, deletion.n_stays, "stays")))
    case WRISTWIRE__V1__PAGE__ANSWER_ATTACHMENT:
      return .attachment(try attachmentRange(try Check.message(page.attachment, "attachment")))
    case WRISTWIRE__V1__PAGE__ANSWER_STREAK_TRACE:
      return .streakTrace(try streakTrace(try Check.message(page.streak_trace, "streak_trace")))
    case WRISTWIRE__V1__PAGE__ANSWER_EXERCISES:
      return try exercisesPage(try Check.message(page.exercises, "exercises"))
    case WRISTWIRE__V1__PAGE__ANSWER_RECORDS:
      return try recordsPage(try Check.message(page.records, "records"))
    case WRISTWIRE__V1__PAGE__ANSWER_WORKOUTS:
      return try workoutsPage(try Check.message(page.workouts, "workouts"))
    case WRISTWIRE__V1__PAGE__ANSWER_REFUSED:
      return .refused(try Check.choice(1, page.refused.rawValue, "refused"))
    default:
      throw Check.invalid("answer")
    }
  }

  private func texts(
    _ list: UnsafeMutablePointer<ProtobufCBinaryData>?, _ count: Int, _ field: StaticString
  ) throws(WireError) -> [String] {
    var texts: [String] = []
    for data in UnsafeBufferPointer(start: list, count: count) {
      texts.append(try Check.text(1, data, field))
    }
    return texts
  }

  private func optionalHistoryKey(
    _ pointer: UnsafeMutablePointer<Wristwire__V1__HistoryKey>?
  ) throws(WireError) -> HistoryKey? {
    guard let key = pointer?.pointee else { return nil }
    return HistoryKey(
      day: CivilDay(number: try Check.present(key.has_day, key.day, "day")),
      end: try Check.instant(key.has_end_ms, key.end_ms, "end_ms"),
      log: try Check.id(key.has_log_id, key.log_id, "log_id"))
  }

  private func historyEntry(
    _ entry: Wristwire__V1__HistoryEntry
  ) throws(WireError) -> HistoryEntry {
    guard let key = try optionalHistoryKey(entry.key) else { throw Check.invalid("key") }
    var value = HistoryEntry(
      key: key, title: try Check.text(entry.has_title, entry.title, "title"),
      start: try Check.instant(entry.has_start_ms, entry.start_ms, "start_ms"),
      milliseconds: try Check.milliseconds(
        0...Int64(ActionLimits.numberEnd), entry.has_active_ms, entry.active_ms, "active_ms"),
      wasPlanned: entry.has_planned != 0 && entry.planned != 0,
      text: try Check.text(entry.has_text, entry.text, "text"),
      spoken: try Check.text(entry.has_spoken, entry.spoken, "spoken"))
    // A session's energy is a sum, which no single figure's bound holds.
    if entry.has_energy_kcal != 0 {
      value.energyKilocalories = try Check.finite(1, entry.energy_kcal, "energy_kcal")
    }
    value.distanceMeters = try Check.optionalFigure(
      entry.has_distance_m, entry.distance_m, "distance_m")
    value.averageHeartRate = try Check.optionalFigure(
      entry.has_average_heart_rate, entry.average_heart_rate, "average_heart_rate")
    value.sourceName = try Check.optionalText(
      entry.has_source_name, entry.source_name, "source_name")
    if entry.has_notes != 0 { value.notes = try Check.notes(entry.notes, "notes") }
    guard entry.n_tags <= ActionLimits.tagsMax else { throw Check.invalid("tags") }
    for tag in UnsafeBufferPointer(start: entry.tags, count: entry.n_tags) {
      value.tags.append(try Check.name(1, tag, "tags", bytesMax: ActionLimits.tagBytesMax))
    }
    value.photo = try optionalPhoto(entry.photo)
    return value
  }
}
