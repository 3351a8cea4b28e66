import CProtobufC
import CWireProto
import WatchTransfer

/// Actions on who plays, and on buttons.
extension MessageDecoder {
  /// The action of `body` when it is one on a line-up or on buttons.
  func lineUpAction(_ body: Wristwire__V1__ActionBody) throws(WireError) -> Action {
    switch body.action_case {
    case WRISTWIRE__V1__ACTION_BODY__ACTION_SET_SQUAD:
      return try setSquad(try Check.message(body.set_squad, "set_squad"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_SUBSTITUTE:
      let entry = try Check.message(body.substitute, "substitute")
      return .substitute(
        id: try Check.id(entry.has_id, entry.id, "id"),
        match: try Check.id(entry.has_match_id, entry.match_id, "match_id"),
        team: try Check.choice(entry.has_team, entry.team.rawValue, "team"),
        off: try Check.id(entry.has_off, entry.off, "off"),
        on: try Check.id(entry.has_on, entry.on, "on"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_UNDO_SUBSTITUTION:
      let undo = try Check.message(body.undo_substitution, "undo_substitution")
      return .undoSubstitution(
        match: try Check.id(undo.has_match_id, undo.match_id, "match_id"),
        id: try Check.id(undo.has_id, undo.id, "id"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_SET_KEYMAP:
      return try setKeymap(try Check.message(body.set_keymap, "set_keymap"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_PRESS:
      let press = try Check.message(body.press, "press")
      return .press(
        button: try button(press.has_button, press.button, "button"),
        gesture: try Check.choice(press.has_gesture, press.gesture.rawValue, "gesture"))
    default:
      return try strengthAction(body)
    }
  }

  private func setSquad(_ squad: Wristwire__V1__SetSquad) throws(WireError) -> Action {
    var players: [SquadPlayer] = []
    for pointer in UnsafeBufferPointer(start: squad.players, count: squad.n_players) {
      let player = try Check.message(pointer, "players")
      players.append(
        SquadPlayer(
          id: try Check.id(player.has_id, player.id, "id"),
          name: try Check.name(player.has_name, player.name, "name"),
          number: player.has_number == 0
            ? nil
            : try Check.within(
              ActionLimits.shirtNumbers, 1, Int(player.number), "number"),
          starts: player.has_starts != 0 && player.starts != 0))
    }
    return .setSquad(
      match: try Check.id(squad.has_match_id, squad.match_id, "match_id"),
      team: try Check.choice(squad.has_team, squad.team.rawValue, "team"), players: players)
  }

  private func setKeymap(_ keymap: Wristwire__V1__SetKeymap) throws(WireError) -> Action {
    var bindings: [KeyBinding] = []
    for pointer in UnsafeBufferPointer(start: keymap.bindings, count: keymap.n_bindings) {
      let binding = try Check.message(pointer, "bindings")
      bindings.append(
        KeyBinding(
          button: try button(binding.has_button, binding.button, "button"),
          gesture: try Check.choice(
            binding.has_gesture, binding.gesture.rawValue, "gesture"),
          command: try command(binding)))
    }
    return .setKeymap(bindings: bindings)
  }

  private func button(
    _ has: protobuf_c_boolean, _ value: UInt32, _ field: StaticString
  ) throws(WireError) -> UInt8 {
    guard has != 0, let button = UInt8(exactly: value) else { throw Check.invalid(field) }
    return button
  }

  private func command(_ binding: Wristwire__V1__KeyBinding) throws(WireError) -> KeyCommand {
    guard binding.has_command != 0 else { throw Check.invalid("command") }
    switch binding.command {
    case WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_POINT_HOME: return .point(.home)
    case WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_POINT_AWAY: return .point(.away)
    case WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_UNDO_POINT: return .undoPoint
    case WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_START_CLOCK: return .clock(.start)
    case WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_PAUSE_CLOCK: return .clock(.pause)
    case WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_RESET_CLOCK: return .clock(.reset)
    case WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_NEXT_HALF: return .clock(.nextHalf)
    case WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_END_MATCH: return .clock(.end)
    case WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_MARK_WORKOUT:
      return .markWorkout(
        title: try Check.name(binding.has_title, binding.title, "title"))
    default: throw Check.invalid("command")
    }
  }
}
