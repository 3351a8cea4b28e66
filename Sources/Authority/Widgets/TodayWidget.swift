internal import WatchTransfer

/// What a person does today on a widget.
struct TodayWidget: WidgetContent {
  let family: WidgetFamily
  private let isEmpty: Bool
  private let days: [Day]

  /// One day, with the clock time that each item shows.
  private struct Day: Timed {
    let from: Instant
    let items: [(item: TodayFacet.Item, time: String)]
  }

  /// The days of an account.
  init(state: AccountState, family: WidgetFamily) {
    self.family = family
    isEmpty = state.logs.count == 0 && state.schedules.all.isEmpty && state.weeklies.all.isEmpty
    let projection = TodayProjection(state: state)
    days = state.daysAhead.enumerated().map { index, ahead in
      Day(
        from: ahead.from,
        items: projection.items(on: ahead, dayIndex: index).map {
          ($0.item, state.clockText($0.shownAt))
        })
    }
  }

  /// Only midnights change it.
  var moments: [Instant] { [] }

  /// The day at a moment. "Today" and "tomorrow" hold until the next midnight's entry.
  func frame(at moment: Instant) -> WidgetFrame {
    guard !isEmpty, let index = days.lastIndex(where: { $0.from <= moment }) else {
      return placeholder
    }
    let items = days[index].items
    let open = items.filter { !$0.item.done }
    let doneCount = items.count - open.count
    let tomorrow = (index + 1 < days.count ? days[index + 1].items : [])
      .first { !$0.item.done }
      .map { "Tomorrow \($0.time) \($0.item.title)" }
    let summary =
      items.isEmpty ? "Nothing planned" : "\(doneCount) of \(items.count) done"
    var frame = WidgetFrame(
      lines: [], spoken: spoken(summary, next: open.first, tomorrow: tomorrow),
      symbol: items.isEmpty || !open.isEmpty ? "calendar" : "calendar.done")
    switch family {
    case .circular, .corner:
      frame.lines = [items.isEmpty ? "–" : "\(doneCount)/\(items.count)"]
    case .inline:
      frame.lines = [open.first.map { "\($0.time) \($0.item.title)" } ?? tomorrow ?? summary]
    case .small, .medium, .large, .rectangular:
      frame.lines = [summary] + open.map { "\($0.time) \($0.item.title)" }
      frame.lines += items.filter(\.item.done).map { "✓ \($0.time) \($0.item.title)" }
      if let tomorrow { frame.lines.append(tomorrow) }
    }
    frame.number = open.count
    if !items.isEmpty { frame.progressPermille = doneCount * 1_000 / items.count }
    return frame
  }

  private func spoken(
    _ summary: String, next: (item: TodayFacet.Item, time: String)?, tomorrow: String?
  ) -> String {
    var text = "\(summary) today."
    if let next {
      text += " Next: \(next.item.title) at \(next.time)."
    } else if let tomorrow {
      text += " \(tomorrow)."
    }
    return text
  }

  private var placeholder: WidgetFrame {
    let lines: [String] =
      switch family {
      case .circular, .corner: ["None"]
      case .inline: ["No workouts yet"]
      case .small, .medium, .large, .rectangular: ["No workouts yet", "Plan or mark one"]
      }
    return WidgetFrame(lines: lines, spoken: "No workouts yet.", symbol: "calendar")
  }
}
