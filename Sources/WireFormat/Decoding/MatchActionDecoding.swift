import CProtobufC
import CWireProto
import WatchTransfer

/// Actions on a match.
extension MessageDecoder {
  /// The action of `body` when it is one on a match.
  func matchAction(_ body: Wristwire__V1__ActionBody) throws(WireError) -> Action {
    switch body.action_case {
    case WRISTWIRE__V1__ACTION_BODY__ACTION_ADD_POINT:
      let point = try Check.message(body.add_point, "add_point")
      return .addPoint(
        entry: try Check.id(point.has_entry_id, point.entry_id, "entry_id"),
        match: try Check.id(point.has_match_id, point.match_id, "match_id"),
        team: try Check.choice(point.has_team, point.team.rawValue, "team"),
        insist: point.has_insist != 0 && point.insist != 0)
    case WRISTWIRE__V1__ACTION_BODY__ACTION_UNDO_POINT:
      let undo = try Check.message(body.undo_point, "undo_point")
      return .undoPoint(
        match: try Check.id(undo.has_match_id, undo.match_id, "match_id"),
        entry: try Check.id(undo.has_entry_id, undo.entry_id, "entry_id"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_CONTROL_CLOCK:
      let control = try Check.message(body.control_clock, "control_clock")
      return .controlClock(
        match: try Check.id(control.has_match_id, control.match_id, "match_id"),
        control: try Check.choice(control.has_control, control.control.rawValue, "control"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_NAME_TEAM:
      let name = try Check.message(body.name_team, "name_team")
      return .nameTeam(
        match: try Check.id(name.has_match_id, name.match_id, "match_id"),
        team: try Check.choice(name.has_team, name.team.rawValue, "team"),
        name: try Check.name(name.has_name, name.name, "name"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_NEW_MATCH:
      return try newMatch(try Check.message(body.new_match, "new_match"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_TAKE_OVER_MATCH:
      let taken = try Check.message(body.take_over_match, "take_over_match")
      return .takeOverMatch(match: try Check.id(taken.has_match_id, taken.match_id, "match_id"))
    default:
      return try lineUpAction(body)
    }
  }

  private func newMatch(_ match: Wristwire__V1__NewMatch) throws(WireError) -> Action {
    let halfLength: Int64
    if match.has_half_length_ms == 0 {
      halfLength = ValueLimits.halfLengthMilliseconds
    } else {
      halfLength = try Check.milliseconds(
        ActionLimits.halfLengthMilliseconds, 1, match.half_length_ms, "half_length_ms")
    }
    return .newMatch(
      id: try Check.id(match.has_id, match.id, "id"),
      home: try Check.name(match.has_home, match.home, "home"),
      away: try Check.name(match.has_away, match.away, "away"),
      halfLengthMilliseconds: halfLength,
      extraHalfMilliseconds: match.has_extra_half_ms == 0
        ? nil
        : try Check.milliseconds(
          ActionLimits.halfLengthMilliseconds, 1, match.extra_half_ms, "extra_half_ms"))
  }
}
