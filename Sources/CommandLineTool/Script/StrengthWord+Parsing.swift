internal import WatchTransfer

extension StrengthWord {
  /// Reads the words behind `verb`; nil when the verb is none of these. Names with spaces stand in
  /// double quotes where something follows them.
  static func parse(
    _ verb: String, _ words: ArraySlice<ScriptWord>
  ) throws(ScriptError) -> StrengthWord? {
    switch verb {
    case "exercise":
      let form = "exercise NAME EQUIPMENT"
      let equipment = try equipment(words, form)
      return .exercise(name: try title(words.dropLast(), form), equipment)
    case "edit-exercise": return try editExercise(words)
    case "drop-exercise": return .dropExercise(name: try title(words, "drop-exercise NAME"))
    case "routine": return try routine(words)
    case "edit-routine": return try editRoutine(words)
    case "drop-routine": return .dropRoutine(title: try title(words, "drop-routine TITLE"))
    case "start": return try start(words)
    case "set": return try set(words)
    case "edit-set":
      guard (2...3).contains(words.count), let first = words.first else {
        throw .badForm("edit-set SET REPS [WEIGHT]")
      }
      let rest = Array(words.dropFirst())
      return .editSet(
        try setID(first), reps: try number(rest[0].text, "a number of repetitions"),
        weight: try rest.count == 2 ? weight(rest[1].text) : nil)
    case "undo-set":
      guard let word = words.first, words.count == 1 else { throw .badForm("undo-set SET") }
      return .undoSet(try setID(word))
    case "reps": return .reps(try number(only(words, "reps REPS"), "a number of repetitions"))
    case "weight": return .weight(try weight(only(words, "weight WEIGHT")))
    case "select": return try select(words)
    case "rest":
      let word = try only(words, "rest SECONDS|stop")
      return .rest(seconds: try word == "stop" ? nil : number(word, "a number of seconds"))
    case "pause", "resume", "finish", "discard":
      if !words.isEmpty { throw .badForm(verb) }
      return SessionControl.allCases.first { $0.word == verb }.map { .control($0) }
    case "take-session":
      if !words.isEmpty { throw .badForm("take-session") }
      return .takeOver
    case "add-exercise": return .addExercise(name: try title(words, "add-exercise NAME"))
    case "sample": return try sample(words)
    case "dismiss":
      if !words.isEmpty { throw .badForm("dismiss") }
      return .dismiss
    default: return nil
    }
  }

  /// Reads `100kg`, `82.25kg`, `-21kg`, `225lb`: the decimal is kept as it is written.
  static func weight(_ text: String) throws(ScriptError) -> Weight {
    let error = ScriptError.badNumber(text, expected: "a weight such as 82.25kg or 180lb")
    let unit: WeightUnit
    if text.hasSuffix("kg") {
      unit = .kilograms
    } else if text.hasSuffix("lb") {
      unit = .pounds
    } else {
      throw error
    }
    guard let weight = Weight(text.dropLast(2), unit: unit) else { throw error }
    return weight
  }

  private static func title(
    _ words: ArraySlice<ScriptWord>, _ form: String
  ) throws(ScriptError) -> String {
    if words.isEmpty { throw .badForm(form) }
    return words.map(\.text).joined(separator: " ")
  }

  private static func only(
    _ words: ArraySlice<ScriptWord>, _ form: String
  ) throws(ScriptError) -> String {
    guard let word = words.first, words.count == 1 else { throw .badForm(form) }
    return word.text
  }

  private static func number(_ text: String, _ expected: String) throws(ScriptError) -> Int {
    guard let number = Int(text), (0...1_000_000).contains(number) else {
      throw .badNumber(text, expected: expected)
    }
    return number
  }

  private static func setID(_ word: ScriptWord) throws(ScriptError) -> SetID {
    guard let id = SetID(hex: word.text) else { throw .badSet(word.text) }
    return id
  }

  private static func start(_ words: ArraySlice<ScriptWord>) throws(ScriptError) -> StrengthWord {
    let form = "start routine TITLE, or start activity TYPE"
    guard let what = words.first else { throw .badForm(form) }
    let rest = try title(words.dropFirst(), form)
    if what.isWord("routine") { return .startRoutine(title: rest) }
    if what.isWord("activity") { return .startActivity(type: rest) }
    throw .badForm(form)
  }

  private static func set(_ words: ArraySlice<ScriptWord>) throws(ScriptError) -> StrengthWord {
    var words = words
    let isWarmUp = words.last?.isWord("warm-up") ?? false
    if isWarmUp { words.removeLast() }
    guard let first = words.first, words.count <= 2 else {
      throw .badForm("set REPS [WEIGHT] [warm-up]")
    }
    let reps = try number(first.text, "a number of repetitions")
    let load = try words.count == 2 ? weight(words[words.startIndex + 1].text) : nil
    return .set(reps: reps, weight: load, isWarmUp: isWarmUp)
  }

  private static func select(_ words: ArraySlice<ScriptWord>) throws(ScriptError) -> StrengthWord {
    let word = try only(words, "select POSITION|next|previous")
    switch word {
    case "next": return .select(.next)
    case "previous": return .select(.previous)
    default: return .select(.number(try number(word, "a place, counted from 1")))
    }
  }

  private static func sample(_ words: ArraySlice<ScriptWord>) throws(ScriptError) -> StrengthWord {
    let words = Array(words)
    guard (2...3).contains(words.count), let block = UInt32(words[0].text) else {
      throw .badForm("sample NUMBER BPM [KCAL]")
    }
    let rate = try number(words[1].text, "beats a minute")
    let energy = try words.count == 3 ? number(words[2].text, "kilocalories") : nil
    return .sample(number: block, heartRate: Double(rate), energy: energy.map { Double($0) })
  }

  /// The last word, which is an equipment.
  private static func equipment(
    _ words: ArraySlice<ScriptWord>, _ form: String
  ) throws(ScriptError) -> Equipment {
    guard words.count >= 2, let last = words.last,
      let equipment = Equipment.allCases.first(where: { last.isWord($0.word) })
    else {
      throw .badForm(
        "\(form), EQUIPMENT is \(Equipment.allCases.map(\.word).joined(separator: "|"))")
    }
    return equipment
  }

  private static func editExercise(
    _ words: ArraySlice<ScriptWord>
  ) throws(ScriptError) -> StrengthWord {
    let form = "edit-exercise EXERCISE name NAME|equipment EQUIPMENT"
    guard words.count >= 3, let exercise = words.first?.text else { throw .badForm(form) }
    let field = words[words.startIndex + 1]
    let rest = words.dropFirst(2)
    if field.isWord("name") { return .renameExercise(name: exercise, as: try title(rest, form)) }
    guard field.isWord("equipment"), rest.count == 1 else { throw .badForm(form) }
    return .equip(name: exercise, with: try equipment(words, form))
  }

  private static func editRoutine(
    _ words: ArraySlice<ScriptWord>
  ) throws(ScriptError) -> StrengthWord {
    let form = "edit-routine ROUTINE title TITLE|plan EXERCISE PLAN [EXERCISE PLAN]"
    guard words.count >= 3, let routine = words.first?.text else { throw .badForm(form) }
    let field = words[words.startIndex + 1]
    let rest = words.dropFirst(2)
    if field.isWord("title") { return .retitleRoutine(title: routine, as: try title(rest, form)) }
    guard field.isWord("plan") else { throw .badForm(form) }
    return .planRoutine(title: routine, try plans(rest, form))
  }

  private static func routine(_ words: ArraySlice<ScriptWord>) throws(ScriptError) -> StrengthWord {
    let form = "routine TITLE EXERCISE PLAN [EXERCISE PLAN]"
    guard let title = words.first else { throw .badForm(form) }
    return .routine(title: title.text, try plans(words.dropFirst(), form))
  }

  /// Exercises, each with its plan; at least one.
  private static func plans(
    _ words: ArraySlice<ScriptWord>, _ form: String
  ) throws(ScriptError) -> [ScriptedPlan] {
    guard words.count >= 2, words.count % 2 == 0 else { throw .badForm(form) }
    let rest = Array(words)
    var plans: [ScriptedPlan] = []
    for index in stride(from: 0, to: rest.count, by: 2) {
      plans.append(
        ScriptedPlan(exercise: rest[index].text, sets: try sets(rest[index + 1].text)))
    }
    return plans
  }

  /// Reads `SETSxREPS[@WEIGHT][/REST]`, several of them with commas between.
  private static func sets(_ text: String) throws(ScriptError) -> [TargetSet] {
    let error = ScriptError.badNumber(
      text, expected: "a plan such as 3x5, 3x5@100kg or 1x5@60kg,3x5@100kg/90")
    var sets: [TargetSet] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let timed = part.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      let loaded = timed[0].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      let counts = loaded[0].split(separator: "x", omittingEmptySubsequences: false)
      guard counts.count == 2, let count = Int(counts[0]), (1...100).contains(count),
        let reps = Int(counts[1])
      else { throw error }
      var set = TargetSet(reps: reps)
      if loaded.count == 2 { set.weight = try weight(String(loaded[1])) }
      if timed.count == 2 {
        guard let seconds = Int(timed[1]) else { throw error }
        set.restSeconds = seconds
      }
      sets += repeatElement(set, count: count)
    }
    return sets
  }
}
