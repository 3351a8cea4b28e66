import CProtobufC
import CWireProto
internal import Guards
import WatchTransfer

/// Actions on who plays, and on buttons.
extension MessageEncoder {
  /// Makes `body` carry `action` when it is one on a line-up or on buttons.
  func fillLineUp(_ body: UnsafeMutablePointer<Wristwire__V1__ActionBody>, _ action: Action) {
    switch action {
    case .setSquad(let match, let team, let players):
      let squad = arena.make(wristwire__v1__set_squad__init)
      put(arena.id(match), &squad.pointee.has_match_id, &squad.pointee.match_id)
      put(choice: team, &squad.pointee.has_team, &squad.pointee.team)
      squad.pointee.n_players = players.count
      squad.pointee.players = arena.messages(players) { self.player($0) }
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_SET_SQUAD
      body.pointee.set_squad = squad
    case .substitute(let id, let match, let team, let off, let on):
      let entry = arena.make(wristwire__v1__substitute__init)
      put(arena.id(id), &entry.pointee.has_id, &entry.pointee.id)
      put(arena.id(match), &entry.pointee.has_match_id, &entry.pointee.match_id)
      put(choice: team, &entry.pointee.has_team, &entry.pointee.team)
      put(arena.id(off), &entry.pointee.has_off, &entry.pointee.off)
      put(arena.id(on), &entry.pointee.has_on, &entry.pointee.on)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_SUBSTITUTE
      body.pointee.substitute = entry
    case .undoSubstitution(let match, let id):
      let undo = arena.make(wristwire__v1__undo_substitution__init)
      put(arena.id(match), &undo.pointee.has_match_id, &undo.pointee.match_id)
      put(arena.id(id), &undo.pointee.has_id, &undo.pointee.id)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_UNDO_SUBSTITUTION
      body.pointee.undo_substitution = undo
    case .setKeymap(let bindings):
      let keymap = arena.make(wristwire__v1__set_keymap__init)
      keymap.pointee.n_bindings = bindings.count
      keymap.pointee.bindings = arena.messages(bindings) { self.binding($0) }
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_SET_KEYMAP
      body.pointee.set_keymap = keymap
    case .press(let button, let gesture):
      let press = arena.make(wristwire__v1__press__init)
      put(UInt32(button), &press.pointee.has_button, &press.pointee.button)
      put(choice: gesture, &press.pointee.has_gesture, &press.pointee.gesture)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_PRESS
      body.pointee.press = press
    default:
      invariant(false, "not an action on a line-up or on buttons")
    }
  }

  private func player(
    _ value: SquadPlayer
  ) -> UnsafeMutablePointer<Wristwire__V1__SquadPlayer> {
    let player = arena.make(wristwire__v1__squad_player__init)
    put(arena.id(value.id), &player.pointee.has_id, &player.pointee.id)
    put(arena.text(value.name), &player.pointee.has_name, &player.pointee.name)
    put(
      value.number.map { UInt32(clamping: $0) }, &player.pointee.has_number,
      &player.pointee.number)
    put(flag: value.starts, &player.pointee.has_starts, &player.pointee.starts)
    return player
  }

  private func binding(
    _ value: KeyBinding
  ) -> UnsafeMutablePointer<Wristwire__V1__KeyBinding> {
    let binding = arena.make(wristwire__v1__key_binding__init)
    put(UInt32(value.button), &binding.pointee.has_button, &binding.pointee.button)
    put(choice: value.gesture, &binding.pointee.has_gesture, &binding.pointee.gesture)
    let command: Wristwire__V1__KeyCommand
    switch value.command {
    case .point(.home): command = WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_POINT_HOME
    case .point(.away): command = WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_POINT_AWAY
    case .undoPoint: command = WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_UNDO_POINT
    case .clock(.start): command = WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_START_CLOCK
    case .clock(.pause): command = WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_PAUSE_CLOCK
    case .clock(.reset): command = WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_RESET_CLOCK
    case .clock(.nextHalf): command = WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_NEXT_HALF
    case .clock(.end): command = WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_END_MATCH
    case .markWorkout(let title):
      command = WRISTWIRE__V1__KEY_COMMAND__KEY_COMMAND_MARK_WORKOUT
      put(arena.text(title), &binding.pointee.has_title, &binding.pointee.title)
    }
    put(command, &binding.pointee.has_command, &binding.pointee.command)
    return binding
  }
}
