internal import WatchTransfer

/// Puts a widget's frames on a timeline and cuts them to the family's room and to the bytes there
/// are.
struct TimelineBuilder {
  let state: AccountState
  let view: WidgetView
  let content: any WidgetContent

  /// A snapshot is ageing this long after the newest turn, in milliseconds. While anybody asks, a
  /// turn is made every day, so an older one means that the widget has heard nothing.
  static let ageingMilliseconds: Int64 = 2 * 86_400_000
  /// A snapshot is stale this long after the newest turn, in milliseconds.
  static let staleMilliseconds: Int64 = 7 * 86_400_000
  /// A surface fetches again this long after the newest turn: just when another one is due, so that
  /// it is answered with a new timeline.
  static let reloadMilliseconds: Int64 = 86_400_000 + 60_000
  /// Entries from here on are the first to lose detail, in milliseconds after the newest turn.
  static let nearMilliseconds: Int64 = 2 * 86_400_000

  /// How much an entry may say.
  private struct Detail {
    var linesMax: Int
    var lineBytesMax: Int
    var spokenBytesMax: Int
  }

  /// From all there is room for to what always fits: 30 entries of 98 bytes, and 67 more. The later
  /// days lose detail first.
  private static let details: [(near: Detail, far: Detail)] = [
    (
      Detail(linesMax: 8, lineBytesMax: 160, spokenBytesMax: 240),
      Detail(linesMax: 8, lineBytesMax: 160, spokenBytesMax: 240)
    ),
    (
      Detail(linesMax: 8, lineBytesMax: 128, spokenBytesMax: 160),
      Detail(linesMax: 3, lineBytesMax: 64, spokenBytesMax: 96)
    ),
    (
      Detail(linesMax: 8, lineBytesMax: 80, spokenBytesMax: 96),
      Detail(linesMax: 2, lineBytesMax: 40, spokenBytesMax: 48)
    ),
    (
      Detail(linesMax: 4, lineBytesMax: 48, spokenBytesMax: 64),
      Detail(linesMax: 1, lineBytesMax: 32, spokenBytesMax: 32)
    ),
    (
      Detail(linesMax: 2, lineBytesMax: 32, spokenBytesMax: 40),
      Detail(linesMax: 1, lineBytesMax: 24, spokenBytesMax: 24)
    ),
    (
      Detail(linesMax: 1, lineBytesMax: 24, spokenBytesMax: 24),
      Detail(linesMax: 1, lineBytesMax: 24, spokenBytesMax: 24)
    ),
  ]

  /// The timeline with the most detail that fits.
  var timeline: WidgetTimeline {
    let points = points
    let theme = ThemeProjection(state: state)
    let near = state.asOf.advanced(milliseconds: Self.nearMilliseconds)
    var timeline = WidgetTimeline(
      kind: view.kind, family: view.family,
      reloadAfter: state.asOf.advanced(milliseconds: Self.reloadMilliseconds),
      day: view.appearance == .night ? nil : theme.day,
      night: view.appearance == .day ? nil : theme.night, entries: [])
    timeline.domainMaximum = content.domainMaximum
    for detail in Self.details {
      timeline.entries = merged(
        points.map { ($0, entry(at: $0, $0.moment < near ? detail.near : detail.far)) })
      if encodedBytesMax(of: timeline) <= snapshotBytesMax { break }
    }
    return timeline
  }

  /// A moment of the timeline with what holds from it.
  private struct Point {
    let moment: Instant
    /// Midnights and theme flips stay even when nothing changes.
    let isKept: Bool
    let theme: Appearance
    let stale: Int
    let frame: WidgetFrame
  }

  private var points: [Point] {
    let flips = ThemeProjection(state: state).flips
    let kept = [state.asOf] + state.daysAhead.map(\.from) + flips.map(\.from)
    let ageing = state.asOf.advanced(milliseconds: Self.ageingMilliseconds)
    let stale = state.asOf.advanced(milliseconds: Self.staleMilliseconds)
    let moments = (kept + content.moments + [ageing, stale]).sorted()
    var points: [Point] = []
    for moment in moments where moment >= state.asOf && moment <= state.horizon {
      if points.last?.moment == moment { continue }
      points.append(
        Point(
          moment: moment, isKept: kept.contains(moment),
          theme: flips.current(at: moment)?.to ?? .day,
          stale: moment >= stale ? 2 : moment >= ageing ? 1 : 0,
          frame: content.frame(at: moment)))
    }
    return points
  }

  private func entry(at point: Point, _ detail: Detail) -> WidgetTimeline.Entry {
    let frame = point.frame
    let lines = frame.lines.prefix(min(detail.linesMax, view.family.linesMax)).map {
      fitted($0, characters: view.family.lineCharactersMax, bytes: detail.lineBytesMax)
    }
    var entry = WidgetTimeline.Entry(
      from: point.moment, lines: lines,
      spoken: fitted(frame.spoken, characters: 240, bytes: detail.spokenBytesMax),
      symbol: frame.symbol, stale: point.stale, theme: point.theme)
    entry.number = frame.number
    entry.progressPermille = frame.progressPermille
    entry.timerSince = frame.timerSince
    entry.timerElapsedMilliseconds = frame.timerElapsedMilliseconds
    entry.points = frame.points
    return entry
  }

  /// Without the entries that say what the one before says.
  private func merged(_ entries: [(Point, WidgetTimeline.Entry)]) -> [WidgetTimeline.Entry] {
    var kept: [WidgetTimeline.Entry] = []
    for (point, entry) in entries {
      if !point.isKept, var last = kept.last {
        last.from = entry.from
        if last == entry { continue }
      }
      kept.append(entry)
    }
    return kept
  }
}
