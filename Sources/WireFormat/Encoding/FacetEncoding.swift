import CProtobufC
import CWireProto
import WatchTransfer

/// Facets of a match.
extension MessageEncoder {
  /// Who plays.
  func teams(_ value: TeamsFacet) -> UnsafeMutablePointer<Wristwire__V1__TeamsFacet> {
    let facet = arena.make(wristwire__v1__teams_facet__init)
    put(arena.id(value.match), &facet.pointee.has_match_id, &facet.pointee.match_id)
    put(arena.text(value.home), &facet.pointee.has_home, &facet.pointee.home)
    put(arena.text(value.away), &facet.pointee.has_away, &facet.pointee.away)
    return facet
  }

  /// The score and its newest entries.
  func score(_ value: ScoreFacet) -> UnsafeMutablePointer<Wristwire__V1__ScoreFacet> {
    let facet = arena.make(wristwire__v1__score_facet__init)
    put(arena.id(value.match), &facet.pointee.has_match_id, &facet.pointee.match_id)
    put(UInt32(clamping: value.home), &facet.pointee.has_home, &facet.pointee.home)
    put(UInt32(clamping: value.away), &facet.pointee.has_away, &facet.pointee.away)
    facet.pointee.n_entries = value.entries.count
    facet.pointee.entries = arena.messages(value.entries) { value in
      let entry = arena.make(wristwire__v1__score_entry__init)
      put(arena.id(value.id), &entry.pointee.has_id, &entry.pointee.id)
      put(choice: value.team, &entry.pointee.has_team, &entry.pointee.team)
      put(value.minute.map(arena.text), &entry.pointee.has_minute, &entry.pointee.minute)
      put(arena.text(value.by), &entry.pointee.has_by, &entry.pointee.by)
      put(UInt32(clamping: value.half), &entry.pointee.has_half, &entry.pointee.half)
      return entry
    }
    return facet
  }

  /// The match clock as an anchor.
  func matchClock(
    _ value: MatchClockFacet
  ) -> UnsafeMutablePointer<Wristwire__V1__MatchClockFacet> {
    let facet = arena.make(wristwire__v1__match_clock_facet__init)
    put(arena.id(value.match), &facet.pointee.has_match_id, &facet.pointee.match_id)
    put(choice: value.phase, &facet.pointee.has_phase, &facet.pointee.phase)
    put(UInt32(clamping: value.half), &facet.pointee.has_half, &facet.pointee.half)
    put(
      UInt64(clamping: value.elapsedMilliseconds), &facet.pointee.has_elapsed_ms,
      &facet.pointee.elapsed_ms)
    put(
      value.runningSince?.milliseconds, &facet.pointee.has_running_since_ms,
      &facet.pointee.running_since_ms)
    put(
      UInt64(clamping: value.halfLengthMilliseconds), &facet.pointee.has_half_length_ms,
      &facet.pointee.half_length_ms)
    put(
      value.halfOverAt?.milliseconds, &facet.pointee.has_half_over_at_ms,
      &facet.pointee.half_over_at_ms)
    put(
      value.recorder.map { arena.id($0) }, &facet.pointee.has_recorder, &facet.pointee.recorder)
    put(UInt32(clamping: value.halves), &facet.pointee.has_halves, &facet.pointee.halves)
    facet.pointee.stoppage = value.stoppage.map { stoppage($0) }
    return facet
  }

  private func stoppage(
    _ value: MatchClockFacet.Stoppage
  ) -> UnsafeMutablePointer<Wristwire__V1__MatchStoppage> {
    let stoppage = arena.make(wristwire__v1__match_stoppage__init)
    put(arena.text(value.text), &stoppage.pointee.has_text, &stoppage.pointee.text)
    put(value.from?.milliseconds, &stoppage.pointee.has_from_ms, &stoppage.pointee.from_ms)
    put(
      UInt64(clamping: value.elapsedMilliseconds), &stoppage.pointee.has_elapsed_ms,
      &stoppage.pointee.elapsed_ms)
    put(
      value.runningSince?.milliseconds, &stoppage.pointee.has_running_since_ms,
      &stoppage.pointee.running_since_ms)
    return stoppage
  }
}
