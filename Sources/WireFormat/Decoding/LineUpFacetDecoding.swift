import CProtobufC
import CWireProto
import WatchTransfer

/// Facets of who plays.
extension MessageDecoder {
  /// Squads and substitutions.
  func squads(_ facet: Wristwire__V1__SquadsFacet) throws(WireError) -> SquadsFacet {
    var value = SquadsFacet(
      match: try Check.id(facet.has_match_id, facet.match_id, "match_id"), home: [], away: [],
      substitutions: [])
    for pointer in UnsafeBufferPointer(start: facet.home, count: facet.n_home) {
      value.home.append(try member(try Check.message(pointer, "home")))
    }
    for pointer in UnsafeBufferPointer(start: facet.away, count: facet.n_away) {
      value.away.append(try member(try Check.message(pointer, "away")))
    }
    for pointer in UnsafeBufferPointer(
      start: facet.substitutions, count: facet.n_substitutions)
    {
      value.substitutions.append(
        try substitution(try Check.message(pointer, "substitutions")))
    }
    return value
  }

  /// How long each has played.
  func playTime(_ facet: Wristwire__V1__PlayTimeFacet) throws(WireError) -> PlayTimeFacet {
    var value = PlayTimeFacet(
      match: try Check.id(facet.has_match_id, facet.match_id, "match_id"), entries: [])
    for pointer in UnsafeBufferPointer(start: facet.players, count: facet.n_players) {
      let time = try Check.message(pointer, "players")
      value.entries.append(
        PlayTimeFacet.Entry(
          player: try Check.id(time.has_id, time.id, "players.id"),
          team: try Check.choice(time.has_team, time.team.rawValue, "players.team"),
          name: try Check.text(time.has_name, time.name, "players.name"),
          elapsedMilliseconds: try Check.milliseconds(
            ValueLimits.spans, time.has_elapsed_ms, time.elapsed_ms, "players.elapsed_ms"),
          runningSince: Check.optionalInstant(time.has_running_since_ms, time.running_since_ms)))
    }
    return value
  }

  private func member(
    _ member: Wristwire__V1__SquadMember
  ) throws(WireError) -> SquadsFacet.Member {
    let player = SquadPlayer(
      id: try Check.id(member.has_id, member.id, "members.id"),
      name: try Check.text(member.has_name, member.name, "members.name"),
      number: member.has_number == 0 ? nil : Int(member.number),
      starts: try Check.present(member.has_starts, member.starts, "members.starts") != 0)
    return SquadsFacet.Member(
      player: player,
      isOnField: try Check.present(member.has_on_field, member.on_field, "members.on_field") != 0)
  }

  private func substitution(
    _ entry: Wristwire__V1__SubstitutionEntry
  ) throws(WireError) -> SquadsFacet.Substitution {
    SquadsFacet.Substitution(
      id: try Check.id(entry.has_id, entry.id, "substitutions.id"),
      team: try Check.choice(entry.has_team, entry.team.rawValue, "substitutions.team"),
      off: try Check.id(entry.has_off, entry.off, "substitutions.off"),
      on: try Check.id(entry.has_on, entry.on, "substitutions.on"),
      text: try Check.text(entry.has_text, entry.text, "substitutions.text"),
      minute: try Check.optionalText(entry.has_minute, entry.minute, "substitutions.minute"),
      half: Int(try Check.present(entry.has_half, entry.half, "substitutions.half")),
      by: try Check.text(entry.has_by, entry.by, "substitutions.by"))
  }
}
