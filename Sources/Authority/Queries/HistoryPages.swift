internal import WatchTransfer

/// Pages of what was done, the newest first. They are cut by where a log stands, not by counting,
/// so that what comes in between two pages moves nothing from one to the other.
struct HistoryPages {
  let state: AccountState

  /// The page that a question asks for.
  func page(_ question: HistoryQuestion) -> Page.Answer {
    let limits = QueryLimits.historyEntries
    let limit = min(max(question.limit, limits.lowerBound), limits.upperBound)
    var entries: [HistoryEntry] = []
    var hasMore = false
    let days = state.logs.days
    let newest = question.before.map { key in days.partitionIndex { $0.day <= key.day } }
    for day in days[..<(newest ?? days.count)].reversed() {
      for log in day.logs.reversed() {
        let key = HistoryKey(day: log.day, end: log.end, log: log.id)
        if let before = question.before, key >= before { continue }
        if entries.count == limit {
          hasMore = true
          break
        }
        entries.append(entry(log, key))
      }
      if hasMore { break }
    }
    return .history(entries, next: hasMore ? entries.last?.key : nil)
  }

  /// A log as a page shows it.
  func entry(_ log: WorkoutLog, _ key: HistoryKey) -> HistoryEntry {
    let title = shownTitle(of: log)
    let figures = figures(of: log)
    let day = dayText(log.day)
    var entry = HistoryEntry(
      key: key, title: title, start: log.start, milliseconds: log.shownMilliseconds,
      wasPlanned: log.serves != nil, text: ([day] + figures).joined(separator: ", "),
      spoken: ([title, day] + figures).joined(separator: ", "))
    entry.energyKilocalories = log.energyKilocalories
    entry.distanceMeters = log.distanceMeters
    entry.averageHeartRate = log.averageHeartRate
    entry.sourceName = log.sourceName
    entry.notes = log.notes
    entry.tags = log.tags
    entry.photo = state.shownPhoto(of: log.id)
    return entry
  }

  /// What is known of it, in the person's units.
  private func figures(of log: WorkoutLog) -> [String] {
    var texts: [String] = []
    let minutes = log.shownMilliseconds / 60_000
    // A mark says that it was done, not for how long.
    if log.origin != .marked || minutes > 0 { texts.append("\(minutes) min") }
    if let meters = log.distanceMeters { texts.append(state.distanceText(meters)) }
    if let energy = log.energyKilocalories { texts.append("\(wholeFigure(energy)) kcal") }
    if let rate = log.averageHeartRate { texts.append("\(wholeFigure(rate)) bpm") }
    return texts
  }

}

/// What a log is called: its title, else what kind of activity it was.
func shownTitle(of log: WorkoutLog) -> String {
  !log.title.isEmpty ? log.title : !log.activityType.isEmpty ? log.activityType : "Workout"
}

/// `15 Jun 2026`.
func dayText(_ day: CivilDay) -> String {
  let date = day.date
  return "\(date.day) \(monthNames[date.month - 1]) \(date.year)"
}
