import CProtobufC
import CWireProto
import WatchTransfer

extension MessageDecoder {
  /// The value of a facet's bytes.
  func facetValue(_ facet: EncodedFacet) throws(WireError) -> Facet {
    let content = facet.content
    switch facet.kind {
    case .today: return .today(try today(try unpack(roots.today, content)))
    case .streak: return .streak(try streak(try unpack(roots.streak, content)))
    case .goals: return .goals(try goals(try unpack(roots.goals, content)))
    case .preferences: return .preferences(try preferences(try unpack(roots.preferences, content)))
    case .theme: return .theme(try theme(try unpack(roots.theme, content)))
    case .teams:
      return .teams(content.isEmpty ? nil : try teams(try unpack(roots.teams, content)))
    case .score:
      return .score(content.isEmpty ? nil : try score(try unpack(roots.score, content)))
    case .matchClock:
      return .matchClock(
        content.isEmpty ? nil : try matchClock(try unpack(roots.matchClock, content)))
    case .routines: return .routines(try routines(try unpack(roots.routines, content)))
    case .session:
      return .session(content.isEmpty ? nil : try session(try unpack(roots.session, content)))
    case .lastSession:
      return .lastSession(
        content.isEmpty ? nil : try lastSession(try unpack(roots.lastSession, content)))
    case .squads:
      return .squads(content.isEmpty ? nil : try squads(try unpack(roots.squads, content)))
    case .playTime:
      return .playTime(content.isEmpty ? nil : try playTime(try unpack(roots.playTime, content)))
    }
  }

  private func teams(_ facet: Wristwire__V1__TeamsFacet) throws(WireError) -> TeamsFacet {
    TeamsFacet(
      match: try Check.id(facet.has_match_id, facet.match_id, "match_id"),
      home: try Check.text(facet.has_home, facet.home, "home"),
      away: try Check.text(facet.has_away, facet.away, "away"))
  }

  private func score(_ facet: Wristwire__V1__ScoreFacet) throws(WireError) -> ScoreFacet {
    var value = ScoreFacet(
      match: try Check.id(facet.has_match_id, facet.match_id, "match_id"),
      home: Int(try Check.present(facet.has_home, facet.home, "home")),
      away: Int(try Check.present(facet.has_away, facet.away, "away")), entries: [])
    for pointer in UnsafeBufferPointer(start: facet.entries, count: facet.n_entries) {
      let entry = try Check.message(pointer, "entries")
      value.entries.append(
        ScoreFacet.Entry(
          id: try Check.id(entry.has_id, entry.id, "entries.id"),
          team: try Check.choice(entry.has_team, entry.team.rawValue, "entries.team"),
          minute: try Check.optionalText(entry.has_minute, entry.minute, "entries.minute"),
          by: try Check.text(entry.has_by, entry.by, "entries.by"),
          half: Int(try Check.present(entry.has_half, entry.half, "entries.half"))))
    }
    return value
  }

  private func matchClock(
    _ facet: Wristwire__V1__MatchClockFacet
  ) throws(WireError) -> MatchClockFacet {
    let spans = ValueLimits.spans
    var value = MatchClockFacet(
      match: try Check.id(facet.has_match_id, facet.match_id, "match_id"),
      phase: try Check.choice(facet.has_phase, facet.phase.rawValue, "phase"),
      half: Int(try Check.present(facet.has_half, facet.half, "half")),
      elapsedMilliseconds: try Check.milliseconds(
        spans, facet.has_elapsed_ms, facet.elapsed_ms, "elapsed_ms"),
      runningSince: Check.optionalInstant(facet.has_running_since_ms, facet.running_since_ms),
      halfLengthMilliseconds: try Check.milliseconds(
        spans, facet.has_half_length_ms, facet.half_length_ms, "half_length_ms"),
      halfOverAt: Check.optionalInstant(facet.has_half_over_at_ms, facet.half_over_at_ms),
      recorder: try Check.optionalID(facet.has_recorder, facet.recorder, "recorder"))
    if facet.has_halves != 0 { value.halves = Int(facet.halves) }
    if let stoppage = facet.stoppage?.pointee {
      value.stoppage = MatchClockFacet.Stoppage(
        text: try Check.text(stoppage.has_text, stoppage.text, "stoppage.text"),
        from: Check.optionalInstant(stoppage.has_from_ms, stoppage.from_ms),
        elapsedMilliseconds: try Check.milliseconds(
          spans, stoppage.has_elapsed_ms, stoppage.elapsed_ms, "stoppage.elapsed_ms"),
        runningSince: Check.optionalInstant(
          stoppage.has_running_since_ms, stoppage.running_since_ms))
    }
    return value
  }
}
