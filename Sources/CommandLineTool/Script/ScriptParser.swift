internal import WatchTransfer

extension ScriptedAction {
  /// Reads one action. A title is all words between the action's word and its next fixed part, so
  /// it needs no quotes; where two names follow each other, a name with spaces stands in double
  /// quotes (`\"` and `\\` inside mean themselves).
  ///
  /// Only the form is checked: what the authority would refuse can be asked for.
  public init(parsing text: String) throws(ScriptError) {
    var words = try ScriptWord.split(text)[...]
    guard let verb = words.popFirst(), !verb.isQuoted else { throw .empty }
    switch verb.text {
    case "define": self = .define(title: try Self.title(words, "define TITLE"))
    case "mark": self = .mark(title: try Self.title(words, "mark TITLE"))
    case "unmark": self = .unmark(title: try Self.title(words, "unmark TITLE"))
    case "schedule": self = try Self.schedule(words)
    case "log": self = try Self.log(words)
    case "match": self = try Self.match(words)
    case "point": self = try Self.point(words)
    case "name-team": self = try Self.nameTeam(words)
    case "clock":
      let form = "clock start|pause|reset|next-half|end"
      self = .clock(try Self.choice(words, ClockControl.allCases, form) { $0.word })
    case "theme":
      self = .theme(try Self.choice(words, ThemeMode.allCases, "theme auto|day|night") { $0.word })
    case "palette":
      let form = "palette \(PaletteName.allCases.map(\.word).joined(separator: "|"))"
      self = .palette(try Self.choice(words, PaletteName.allCases, form) { $0.word })
    case "undo": self = .undo(try Self.entry(words, "undo ENTRY"))
    case "undo-sub": self = .undoSub(try Self.entry(words, "undo-sub ENTRY"))
    case "take-over":
      if !words.isEmpty { throw .badForm("take-over") }
      self = .takeOver
    case "squad": self = try Self.squad(words)
    case "sub": self = try Self.sub(words)
    case "keymap": self = try Self.keymap(words)
    case "press": self = try Self.press(words, .press)
    case "hold": self = try Self.press(words, .hold)
    case "double": self = try Self.press(words, .double)
    case "goal": self = try Self.goal(words)
    case "zone": self = .zone(try Self.only(words, "zone ZONE"))
    case "state":
      if !words.isEmpty { throw .badForm("state") }
      self = .state
    case "pulse": self = .pulse(try ScriptedPulse(words))
    default:
      if let question = try ScriptedQuestion(verb: verb.text, words) {
        self = .ask(question)
      } else if let word = try OutboxWord(verb: verb.text, words) {
        self = .outbox(word)
      } else if let word = try StrengthWord.parse(verb.text, words) {
        self = .strength(word)
      } else if let wish = try ScriptedConsistency(verb: verb.text, words) {
        self = .consistency(wish)
      } else if let word = try WorkoutWord(verb: verb.text, words) {
        self = .workout(word)
      } else if let word = try LogWord(verb: verb.text, words) {
        self = .onLog(word)
      } else {
        throw .unknownAction(verb.text)
      }
    }
  }

  typealias Words = ArraySlice<ScriptWord>

  private static func entry<Tag>(
    _ words: Words, _ form: String
  ) throws(ScriptError) -> Identifier<Tag> {
    let text = try only(words, form)
    guard let entry = Identifier<Tag>(hex: text) else { throw .badEntry(text) }
    return entry
  }

  /// All words, as one title.
  private static func title(_ words: Words, _ form: String) throws(ScriptError) -> String {
    if words.isEmpty { throw .badForm(form) }
    return words.map(\.text).joined(separator: " ")
  }

  /// The only word.
  static func only(_ words: Words, _ form: String) throws(ScriptError) -> String {
    guard let word = words.first, words.count == 1 else { throw .badForm(form) }
    return word.text
  }

  static func choice<Value>(
    _ words: Words, _ choices: [Value], _ form: String, word: (Value) -> String
  ) throws(ScriptError) -> Value {
    let given = try only(words, form)
    for choice in choices where Array(word(choice).utf8) == Array(given.utf8) { return choice }
    throw .badForm(form)
  }

  private static func instant(_ word: ScriptWord) throws(ScriptError) -> InstantArgument {
    guard let instant = InstantArgument(word.text) else { throw .badInstant(word.text) }
    return instant
  }

  /// The last ` at ` divides, so that a title may have an `at` of its own.
  private static func schedule(_ words: Words) throws(ScriptError) -> ScriptedAction {
    let form = "schedule TITLE at INSTANT"
    guard let place = words.lastIndex(where: { $0.isWord("at") }), place + 2 == words.endIndex
    else { throw .badForm(form) }
    let title = try title(words[..<place], form)
    return .schedule(title: title, at: try instant(words[place + 1]))
  }

  private static func log(_ words: Words) throws(ScriptError) -> ScriptedAction {
    let form = "log TYPE START END"
    guard words.count >= 3 else { throw .badForm(form) }
    let type = try title(words.dropLast(2), form)
    let span = Array(words.suffix(2))
    return .log(type: type, start: try instant(span[0]), end: try instant(span[1]))
  }

  private static func match(_ words: Words) throws(ScriptError) -> ScriptedAction {
    guard words.count >= 2 else { throw .badForm(matchForm) }
    let names = words.prefix(2).map(\.text)
    var rest = words.dropFirst(2)
    let length = try minutes("half-length", &rest)
    let extra = try minutes("extra-half", &rest)
    if !rest.isEmpty { throw .badForm(matchForm) }
    return .match(
      home: names[0], away: names[1], halfLengthMinutes: length, extraHalfMinutes: extra)
  }

  private static func point(_ words: Words) throws(ScriptError) -> ScriptedAction {
    let insists = words.count == 2 && words.last?.isWord("insist") == true
    let team = try choice(insists ? words.dropLast() : words, Team.allCases, pointForm) { $0.word }
    return .point(team, insist: insists)
  }

  private static func nameTeam(_ words: Words) throws(ScriptError) -> ScriptedAction {
    guard words.count >= 2 else { throw .badForm(nameTeamForm) }
    let team = try choice(words.prefix(1), Team.allCases, nameTeamForm) { $0.word }
    return .nameTeam(team, name: try title(words.dropFirst(), nameTeamForm))
  }

  /// The number behind the keyword `word`, when that comes next.
  private static func minutes(
    _ word: String, _ rest: inout Words
  ) throws(ScriptError) -> Int64? {
    guard rest.first?.isWord(word) == true else { return nil }
    guard let text = rest.dropFirst().first?.text else { throw .badForm(matchForm) }
    guard let number = Int64(text), (0...100_000).contains(number) else {
      throw .badNumber(text, expected: "a whole number of minutes")
    }
    rest = rest.dropFirst(2)
    return number
  }

  private static func goal(_ words: Words) throws(ScriptError) -> ScriptedAction {
    let form = "goal NAME VALUE|none"
    guard words.count >= 2, let last = words.last else { throw .badForm(form) }
    let name = try title(words.dropLast(), form)
    if last.isWord("none") { return .goal(name: name, value: nil) }
    // Double also reads hexadecimal, "inf" and "nan".
    let isDecimal = last.text.utf8.allSatisfy { "0123456789.-+eE".utf8.contains($0) }
    guard isDecimal, let value = Double(last.text), value.isFinite else {
      throw .badNumber(last.text, expected: "a number, or \"none\" to remove the goal")
    }
    return .goal(name: name, value: value)
  }
}
