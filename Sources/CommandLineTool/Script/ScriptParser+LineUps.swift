public import WatchTransfer

/// Who plays, and what buttons do. A script has no place for ids of players: one is made of the
/// player's name, so that the same name is the same player in every match.
extension ScriptedAction {
  /// `squad home Ada#7 Ben bench Cem`.
  static func squad(_ words: Words) throws(ScriptError) -> ScriptedAction {
    let team = try choice(words.prefix(1), Team.allCases, squadForm) { $0.word }
    var players: [SquadPlayer] = []
    var starts = true
    for word in words.dropFirst() {
      if starts, word.isWord("bench") {
        starts = false
      } else {
        players.append(try player(word.text, starts: starts))
      }
    }
    return .squad(team, players: players)
  }

  /// `sub home Ben Cem`.
  static func sub(_ words: Words) throws(ScriptError) -> ScriptedAction {
    guard words.count == 3 else { throw .badForm(subForm) }
    let team = try choice(words.prefix(1), Team.allCases, subForm) { $0.word }
    let names = words.dropFirst().map(\.text)
    return .sub(team, off: names[0], on: names[1])
  }

  /// `keymap 1:press=point-home 2:hold=mark:"Morning run"`.
  static func keymap(_ words: Words) throws(ScriptError) -> ScriptedAction {
    if words.isEmpty { throw .badForm(keymapForm) }
    if words.count == 1, words.first?.isWord("none") == true { return .keymap([]) }
    var bindings: [KeyBinding] = []
    for word in words { bindings.append(try binding(word.text)) }
    return .keymap(bindings)
  }

  /// `press 1`, `hold 1`, `double 1`.
  static func press(_ words: Words, _ gesture: Gesture) throws(ScriptError) -> ScriptedAction {
    let text = try only(words, "\(gesture.word) BUTTON")
    guard let button = UInt8(text) else {
      throw .badNumber(text, expected: "a button from 0 to 255")
    }
    return .press(button: button, gesture)
  }

  /// The id that scripts have for a player.
  public static func playerID(named name: String) -> PlayerID { PlayerID(hashing: name.utf8) }

  private static func player(
    _ text: String, starts: Bool
  ) throws(ScriptError) -> SquadPlayer {
    guard let mark = text.utf8.lastIndex(of: UInt8(ascii: "#")) else {
      return SquadPlayer(id: playerID(named: text), name: text, starts: starts)
    }
    let name = String(text[..<mark])
    guard let number = Int(text[text.utf8.index(after: mark)...]),
      ActionLimits.shirtNumbers.contains(number), !name.isEmpty
    else { throw .badPlayer(text) }
    return SquadPlayer(id: playerID(named: name), name: name, number: number, starts: starts)
  }

  private static func binding(_ text: String) throws(ScriptError) -> KeyBinding {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
      let equals = text.utf8[colon...].firstIndex(of: UInt8(ascii: "=")),
      let button = UInt8(text[..<colon])
    else { throw .badBinding(text) }
    let gestureWord = Array(text.utf8[text.utf8.index(after: colon)..<equals])
    let commandText = text.utf8[text.utf8.index(after: equals)...]
    guard let gesture = Gesture.allCases.first(where: { Array($0.word.utf8) == gestureWord }),
      let command = command(Array(commandText))
    else { throw .badBinding(text) }
    return KeyBinding(button: button, gesture: gesture, command: command)
  }

  private static func command(_ text: [UInt8]) -> KeyCommand? {
    let mark = Array("mark:".utf8)
    if text.starts(with: mark) {
      return .markWorkout(title: String(decoding: text.dropFirst(mark.count), as: UTF8.self))
    }
    return commandWords.first { Array($0.word.utf8) == text }?.command
  }
}
