import CProtobufC
import CWireProto
import WatchTransfer

/// Facets of who plays.
extension MessageEncoder {
  /// Squads and substitutions.
  func squads(_ value: SquadsFacet) -> UnsafeMutablePointer<Wristwire__V1__SquadsFacet> {
    let facet = arena.make(wristwire__v1__squads_facet__init)
    put(arena.id(value.match), &facet.pointee.has_match_id, &facet.pointee.match_id)
    facet.pointee.n_home = value.home.count
    facet.pointee.home = arena.messages(value.home) { self.member($0) }
    facet.pointee.n_away = value.away.count
    facet.pointee.away = arena.messages(value.away) { self.member($0) }
    facet.pointee.n_substitutions = value.substitutions.count
    facet.pointee.substitutions = arena.messages(value.substitutions) { value in
      let entry = arena.make(wristwire__v1__substitution_entry__init)
      put(arena.id(value.id), &entry.pointee.has_id, &entry.pointee.id)
      put(choice: value.team, &entry.pointee.has_team, &entry.pointee.team)
      put(arena.id(value.off), &entry.pointee.has_off, &entry.pointee.off)
      put(arena.id(value.on), &entry.pointee.has_on, &entry.pointee.on)
      put(arena.text(value.text), &entry.pointee.has_text, &entry.pointee.text)
      put(value.minute.map(arena.text), &entry.pointee.has_minute, &entry.pointee.minute)
      put(UInt32(clamping: value.half), &entry.pointee.has_half, &entry.pointee.half)
      put(arena.text(value.by), &entry.pointee.has_by, &entry.pointee.by)
      return entry
    }
    return facet
  }

  /// How long each has played.
  func playTime(_ value: PlayTimeFacet) -> UnsafeMutablePointer<Wristwire__V1__PlayTimeFacet> {
    let facet = arena.make(wristwire__v1__play_time_facet__init)
    put(arena.id(value.match), &facet.pointee.has_match_id, &facet.pointee.match_id)
    facet.pointee.n_players = value.entries.count
    facet.pointee.players = arena.messages(value.entries) { value in
      let time = arena.make(wristwire__v1__player_time__init)
      put(arena.id(value.player), &time.pointee.has_id, &time.pointee.id)
      put(choice: value.team, &time.pointee.has_team, &time.pointee.team)
      put(arena.text(value.name), &time.pointee.has_name, &time.pointee.name)
      put(
        UInt64(clamping: value.elapsedMilliseconds), &time.pointee.has_elapsed_ms,
        &time.pointee.elapsed_ms)
      put(
        value.runningSince?.milliseconds, &time.pointee.has_running_since_ms,
        &time.pointee.running_since_ms)
      return time
    }
    return facet
  }

  private func member(
    _ value: SquadsFacet.Member
  ) -> UnsafeMutablePointer<Wristwire__V1__SquadMember> {
    let member = arena.make(wristwire__v1__squad_member__init)
    put(arena.id(value.player.id), &member.pointee.has_id, &member.pointee.id)
    put(arena.text(value.player.name), &member.pointee.has_name, &member.pointee.name)
    put(
      value.player.number.map { UInt32(clamping: $0) }, &member.pointee.has_number,
      &member.pointee.number)
    put(flag: value.player.starts, &member.pointee.has_starts, &member.pointee.starts)
    put(flag: value.isOnField, &member.pointee.has_on_field, &member.pointee.on_field)
    return member
  }
}
