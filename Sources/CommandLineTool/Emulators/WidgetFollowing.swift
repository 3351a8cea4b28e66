public import WatchTransfer

/// What a widget that stays does next by itself.
public enum WidgetFollowing {
  /// Shortest and longest wait for a fetch that nobody asked for, in milliseconds.
  public static let fetchMilliseconds: ClosedRange<Int64> = 60_000...86_400_000

  /// How long to wait at `now`, and whether to fetch then: else another entry of the timeline is to
  /// be drawn, which needs nobody. What is kept, as nobody answers, is asked for again in a minute.
  /// `showsNow`: the moment that is shown goes on with the clock.
  public static func next(
    of timeline: WidgetTimeline, isFromCache: Bool, showsNow: Bool, at now: Instant
  ) -> (milliseconds: Int64, fetches: Bool) {
    let bounds = fetchMilliseconds
    let wanted = isFromCache ? bounds.lowerBound : timeline.reloadAfter.milliseconds(since: now)
    let fetch = min(max(wanted, bounds.lowerBound), bounds.upperBound)
    // The first entry is shown before its moment, too, which brings nothing new.
    let later = timeline.entries.dropFirst((timeline.index(at: now) ?? 0) + 1)
    if showsNow, let draw = later.map(\.from).min()?.milliseconds(since: now), draw < fetch {
      return (draw, false)
    }
    return (fetch, true)
  }
}
