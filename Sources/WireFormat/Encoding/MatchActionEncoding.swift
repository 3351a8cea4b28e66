import CProtobufC
import CWireProto
internal import Guards
import WatchTransfer

/// Actions on a match.
extension MessageEncoder {
  /// Makes `body` carry `action` when it is one on a match.
  func fillMatch(_ body: UnsafeMutablePointer<Wristwire__V1__ActionBody>, _ action: Action) {
    switch action {
    case .newMatch(let id, let home, let away, let halfLength, let extraHalf):
      let match = arena.make(wristwire__v1__new_match__init)
      put(arena.id(id), &match.pointee.has_id, &match.pointee.id)
      put(arena.text(home), &match.pointee.has_home, &match.pointee.home)
      put(arena.text(away), &match.pointee.has_away, &match.pointee.away)
      put(
        UInt64(clamping: halfLength), &match.pointee.has_half_length_ms,
        &match.pointee.half_length_ms)
      put(
        extraHalf.map { UInt64(clamping: $0) }, &match.pointee.has_extra_half_ms,
        &match.pointee.extra_half_ms)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_NEW_MATCH
      body.pointee.new_match = match
    case .nameTeam(let match, let team, let name):
      let naming = arena.make(wristwire__v1__name_team__init)
      put(arena.id(match), &naming.pointee.has_match_id, &naming.pointee.match_id)
      put(choice: team, &naming.pointee.has_team, &naming.pointee.team)
      put(arena.text(name), &naming.pointee.has_name, &naming.pointee.name)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_NAME_TEAM
      body.pointee.name_team = naming
    case .addPoint(let entry, let match, let team, let insist):
      let point = arena.make(wristwire__v1__add_point__init)
      put(arena.id(entry), &point.pointee.has_entry_id, &point.pointee.entry_id)
      put(arena.id(match), &point.pointee.has_match_id, &point.pointee.match_id)
      put(choice: team, &point.pointee.has_team, &point.pointee.team)
      if insist { put(flag: true, &point.pointee.has_insist, &point.pointee.insist) }
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_ADD_POINT
      body.pointee.add_point = point
    case .undoPoint(let match, let entry):
      let undo = arena.make(wristwire__v1__undo_point__init)
      put(arena.id(match), &undo.pointee.has_match_id, &undo.pointee.match_id)
      put(arena.id(entry), &undo.pointee.has_entry_id, &undo.pointee.entry_id)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_UNDO_POINT
      body.pointee.undo_point = undo
    case .controlClock(let match, let control):
      let message = arena.make(wristwire__v1__control_clock__init)
      put(arena.id(match), &message.pointee.has_match_id, &message.pointee.match_id)
      put(choice: control, &message.pointee.has_control, &message.pointee.control)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_CONTROL_CLOCK
      body.pointee.control_clock = message
    case .takeOverMatch(let match):
      let message = arena.make(wristwire__v1__take_over_match__init)
      put(arena.id(match), &message.pointee.has_match_id, &message.pointee.match_id)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_TAKE_OVER_MATCH
      body.pointee.take_over_match = message
    default:
      invariant(false, "not an action on a match")
    }
  }
}
