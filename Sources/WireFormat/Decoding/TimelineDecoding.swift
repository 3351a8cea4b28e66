import CProtobufC
import CWireProto
import WatchTransfer

extension MessageDecoder {
  /// Lines that one entry may hold; the largest family shows 8.
  private static let linesMax = 16
  /// Points of one curve: a day each for a year, and a leap day.
  private static let pointsMax = 366

  /// Only the kind and the family must be there; see `decodeTimeline`.
  func timeline(_ timeline: Wristwire__V1__WidgetTimeline) throws(WireError) -> WidgetTimeline {
    var entries: [WidgetTimeline.Entry] = []
    for pointer in UnsafeBufferPointer(start: timeline.entries, count: timeline.n_entries) {
      do throws(WireError) {
        entries.append(try entry(try Check.message(pointer, "entries")))
      } catch {
        continue
      }
    }
    // Without a moment to fetch again: when the last entry that is there has come.
    let last = entries.last?.from ?? Instant(milliseconds: 0)
    var value = WidgetTimeline(
      kind: try Check.choice(timeline.has_kind, timeline.kind.rawValue, "kind"),
      family: try Check.choice(timeline.has_family, timeline.family.rawValue, "family"),
      reloadAfter: Check.optionalInstant(
        timeline.has_reload_after_ms, timeline.reload_after_ms) ?? last,
      day: optionalPalette(timeline.day), night: optionalPalette(timeline.night), entries: entries)
    if timeline.has_domain_max != 0 { value.domainMaximum = Int(timeline.domain_max) }
    return value
  }

  /// A palette that cannot be read is absent: the surface has colours of its own.
  private func optionalPalette(_ pointer: UnsafeMutablePointer<Wristwire__V1__Palette>?) -> Palette?
  {
    guard let pointer else { return nil }
    return try? palette(pointer.pointee, "palette")
  }

  /// An entry without a moment makes no sense; neither does one with a value out of its range.
  private func entry(
    _ entry: Wristwire__V1__WidgetEntry
  ) throws(WireError) -> WidgetTimeline.Entry {
    guard entry.n_lines <= Self.linesMax else { throw Check.invalid("lines") }
    guard entry.n_points <= Self.pointsMax else { throw Check.invalid("points") }
    var lines: [String] = []
    for line in UnsafeBufferPointer(start: entry.lines, count: entry.n_lines) {
      lines.append(try Check.text(1, line, "lines"))
    }
    var value = WidgetTimeline.Entry(
      from: try Check.instant(entry.has_at_ms, entry.at_ms, "at_ms"), lines: lines,
      spoken: try Check.optionalText(entry.has_spoken, entry.spoken, "spoken") ?? "",
      symbol: try Check.optionalText(entry.has_symbol, entry.symbol, "symbol") ?? "",
      stale: entry.has_stale == 0
        ? 0 : try Check.within(0...2, 1, Int(entry.stale), "stale"),
      theme: entry.has_theme == 0
        ? .day : try currentAppearance(1, entry.theme.rawValue, "theme"))
    if entry.has_number != 0 { value.number = Int(entry.number) }
    if entry.has_progress_permille != 0 {
      value.progressPermille = try Check.within(
        0...1_000, 1, Int(entry.progress_permille), "progress_permille")
    }
    value.timerSince = Check.optionalInstant(entry.has_timer_since_ms, entry.timer_since_ms)
    if entry.has_timer_elapsed_ms != 0 {
      value.timerElapsedMilliseconds = try Check.milliseconds(
        0...Int64(ActionLimits.numberEnd), 1, entry.timer_elapsed_ms, "timer_elapsed_ms")
    }
    for point in UnsafeBufferPointer(start: entry.points, count: entry.n_points) {
      value.points.append(try Check.within(0...1_000, 1, Int(point), "points"))
    }
    return value
  }
}
