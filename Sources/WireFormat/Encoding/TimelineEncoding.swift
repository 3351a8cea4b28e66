import CProtobufC
import CWireProto
import WatchTransfer

extension MessageEncoder {
  /// A widget's entries.
  func timeline(_ value: WidgetTimeline) -> UnsafeMutablePointer<Wristwire__V1__WidgetTimeline> {
    let timeline = arena.make(wristwire__v1__widget_timeline__init)
    put(choice: value.kind, &timeline.pointee.has_kind, &timeline.pointee.kind)
    put(choice: value.family, &timeline.pointee.has_family, &timeline.pointee.family)
    put(
      value.reloadAfter.milliseconds, &timeline.pointee.has_reload_after_ms,
      &timeline.pointee.reload_after_ms)
    timeline.pointee.day = value.day.map(palette)
    timeline.pointee.night = value.night.map(palette)
    put(
      value.domainMaximum.map { UInt32(clamping: $0) }, &timeline.pointee.has_domain_max,
      &timeline.pointee.domain_max)
    timeline.pointee.n_entries = value.entries.count
    timeline.pointee.entries = arena.messages(value.entries, entry)
    return timeline
  }

  private func entry(
    _ value: WidgetTimeline.Entry
  ) -> UnsafeMutablePointer<Wristwire__V1__WidgetEntry> {
    let entry = arena.make(wristwire__v1__widget_entry__init)
    put(value.from.milliseconds, &entry.pointee.has_at_ms, &entry.pointee.at_ms)
    entry.pointee.n_lines = value.lines.count
    entry.pointee.lines = arena.list(value.lines, arena.text)
    put(arena.text(value.spoken), &entry.pointee.has_spoken, &entry.pointee.spoken)
    put(arena.text(value.symbol), &entry.pointee.has_symbol, &entry.pointee.symbol)
    put(value.number.map { Int64($0) }, &entry.pointee.has_number, &entry.pointee.number)
    put(
      value.progressPermille.map { UInt32(clamping: $0) }, &entry.pointee.has_progress_permille,
      &entry.pointee.progress_permille)
    put(UInt32(clamping: value.stale), &entry.pointee.has_stale, &entry.pointee.stale)
    put(choice: value.theme, &entry.pointee.has_theme, &entry.pointee.theme)
    put(
      value.timerSince?.milliseconds, &entry.pointee.has_timer_since_ms,
      &entry.pointee.timer_since_ms)
    put(
      value.timerElapsedMilliseconds.map { UInt64(clamping: $0) },
      &entry.pointee.has_timer_elapsed_ms, &entry.pointee.timer_elapsed_ms)
    entry.pointee.n_points = value.points.count
    entry.pointee.points = arena.list(value.points) { UInt32(clamping: $0) }
    return entry
  }
}
