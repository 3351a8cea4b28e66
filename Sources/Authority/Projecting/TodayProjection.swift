internal import WatchTransfer

/// What a person does on each day up to the horizon.
struct TodayProjection {
  let state: AccountState

  /// The facet.
  var facet: TodayFacet {
    TodayFacet(days: days, greetings: greetings)
  }

  /// One entry a day.
  private var days: [TodayFacet.Day] {
    state.daysAhead.enumerated().map { index, ahead in
      TodayFacet.Day(
        from: ahead.from, day: ahead.day, items: items(on: ahead, dayIndex: index).map(\.item))
    }
  }

  /// An item with the moment that its text names.
  struct TimedItem {
    let item: TodayFacet.Item
    /// When it was done, or is to be.
    let shownAt: Instant
  }

  /// What is planned on a day, and what was done that nothing planned; of the latter the newest
  /// when there is more than has room. In order of time. `dayIndex` counts from the newest turn's.
  func items(on ahead: DayAhead, dayIndex: Int) -> [TimedItem] {
    let max =
      dayIndex < 2 ? AuthorityLimits.itemsShownNear : AuthorityLimits.itemsShownFar
    let start = state.zone.rules.start(of: ahead.day) ?? ahead.from
    let planned =
      state.schedules.between(start, ahead.end)
      + state.weeklies.schedules(on: ahead.day, in: state.zone.rules)
    let schedules = planned.sorted { $0.at == $1.at ? $0.id < $1.id : $0.at < $1.at }.prefix(max)
    let logs = state.logs.logs(on: ahead.day).filter { log in
      guard let served = log.serves else { return true }
      return !schedules.contains { $0.id == served }
    }
    let items = schedules.map(item(of:)) + logs.suffix(max - schedules.count).map(item(of:))
    return items.sorted {
      $0.item.at == $1.item.at ? $0.item.id < $1.item.id : $0.item.at < $1.item.at
    }
  }

  private func item(of schedule: Schedule) -> TimedItem {
    let log = schedule.servedBy.flatMap { state.log($0) }
    let shownAt = log?.end ?? schedule.at
    let item = TodayFacet.Item(
      id: schedule.id.retagged(), title: Self.shown(schedule.title), kind: .scheduled,
      at: schedule.at, done: log != nil,
      text: "\(log == nil ? "at" : "done at") \(state.clockText(shownAt))")
    return TimedItem(item: item, shownAt: shownAt)
  }

  private func item(of log: WorkoutLog) -> TimedItem {
    let item = TodayFacet.Item(
      id: log.id.retagged(), title: Self.shown(log.title.isEmpty ? log.activityType : log.title),
      kind: .logged, at: log.end, done: true, text: "done at \(state.clockText(log.end))")
    return TimedItem(item: item, shownAt: log.end)
  }

  /// A title, or a word for one that has not arrived.
  private static func shown(_ title: String) -> String { title.isEmpty ? "Workout" : title }

  /// Greetings by local hour: night until 5, morning until 12, afternoon until 18, evening until
  /// 22.
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
    return inForce(
      moments, from: state.asOf, isSame: { sameBytes($0.text, $1.text) },
      at: { TodayFacet.Greeting(from: $1, text: $0.text) })
  }
}
