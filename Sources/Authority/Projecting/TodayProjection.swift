internal import WatchTransfer

/// What a person does on each day up to the horizon.
struct TodayProjection {
  let state: AccountState

  /// The facet.
  var facet: TodayFacet {
    TodayFacet(days: days, greetings: greetings)
  }

  /// One entry a day.
  var days: [TodayFacet.Day] {
    state.daysAhead.enumerated().map { index, ahead in
      let max =
        index < 2 ? AuthorityLimits.itemsShownNear : AuthorityLimits.itemsShownFar
      return TodayFacet.Day(from: ahead.from, day: ahead.day, items: items(on: ahead, max: max))
    }
  }

  /// What is planned on a day, and what was done that nothing planned; of the latter the newest
  /// when there is more than has room. In order of time.
  private func items(on ahead: DayAhead, max: Int) -> [TodayFacet.Item] {
    let start = state.zone.rules.start(of: ahead.day) ?? ahead.from
    let schedules = state.schedules.between(start, ahead.end).prefix(max)
    let shown = Set(schedules.map(\.id))
    let logs = state.logs.logs(on: ahead.day).filter { log in
      log.serves.map { !shown.contains($0) } ?? true
    }
    let items = schedules.map(item(of:)) + logs.suffix(max - schedules.count).map(item(of:))
    return items.sorted { $0.at == $1.at ? $0.id < $1.id : $0.at < $1.at }
  }

  private func item(of schedule: Schedule) -> TodayFacet.Item {
    let log = schedule.servedBy.flatMap { state.log($0) }
    let text =
      if let log {
        "done at \(state.clockText(log.end))"
      } else {
        "at \(state.clockText(schedule.at))"
      }
    return TodayFacet.Item(
      id: schedule.id.retagged(), title: Self.shown(schedule.title), kind: .scheduled,
      at: schedule.at, done: log != nil, text: text)
  }

  private func item(of log: WorkoutLog) -> TodayFacet.Item {
    TodayFacet.Item(
      id: log.id.retagged(), title: Self.shown(log.title.isEmpty ? log.activityType : log.title),
      kind: .logged, at: log.end, done: true, text: "done at \(state.clockText(log.end))")
  }

  /// A title, or a word for one that has not arrived.
  private static func shown(_ title: String) -> String { title.isEmpty ? "Workout" : title }

  /// Greetings by local hour: night until 5, morning until 12, afternoon until 18, evening until 22.
  private var greetings: [TodayFacet.Greeting] {
    let parts: [(hour: Int64, text: String)] = [
      (0, "Good night"), (5, "Good morning"), (12, "Good afternoon"), (18, "Good evening"),
      (22, "Good night"),
    ]
    var moments: [TodayFacet.Greeting] = []
    for ahead in state.daysAhead {
      for part in parts {
        let from = state.zone.rules.firstInstant(
          atOrAfter: ahead.day, millisecondsOfDay: part.hour * 3_600_000)
        guard let from, from < ahead.end, from <= state.horizon else { continue }
        moments.append(TodayFacet.Greeting(from: from, text: part.text))
      }
    }
    return inForce(moments, from: state.asOf) {
      sameBytes($0.text, $1.text)
    } at: {
      TodayFacet.Greeting(from: $1, text: $0.text)
    }
  }
}

/// Entries from `start` on, each unlike the one before: the last one before `start` holds from it.
func inForce<Entry: Timed>(
  _ entries: [Entry], from start: Instant, isSame: (Entry, Entry) -> Bool,
  at moved: (Entry, Instant) -> Entry
) -> [Entry] {
  var kept: [Entry] = []
  for entry in entries {
    if entry.from <= start {
      kept = [moved(entry, start)]
    } else if let last = kept.last, isSame(last, entry) {
      continue
    } else {
      kept.append(entry)
    }
  }
  return kept
}
