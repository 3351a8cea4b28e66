public import WatchTransfer

/// What an emulated device asks the authority, as a person writes it.
public enum ScriptedQuestion: Hashable, Sendable {
  /// So many of the newest logs.
  case history(Int)
  /// What days were for a streak.
  case trace(StreakTraceQuestion)
  /// Exercises by equipment and words of their names.
  case library(equipment: Equipment?, text: String)
  /// Workouts that were defined, by words of their titles.
  case workouts(text: String)
  /// What deleting a workout would do; by its id or title.
  case preview(workout: String)
  /// Personal records, of one exercise or of all.
  case records(exercise: String?)

  /// Its forms, for a person.
  public static let forms = [
    "history [COUNT]", traceForms[0], traceForms[1], traceForms[2],
    "library [in EQUIPMENT] [named NAME]", "records [NAME]",
    "workouts [TITLE]", "preview WORKOUT",
  ]

  private static let traceForms = ["last N", "from DAY N", "month DAY"].map {
    "trace \($0) [by daily|weekly:N|scheduled]"
  }

  /// Reads what follows `verb`; nil when the verb is none of these.
  init?(verb: String, _ words: ArraySlice<ScriptWord>) throws(ScriptError) {
    switch verb {
    case "history":
      self = .history(
        words.isEmpty ? 10 : try Self.number(words, in: 1...100_000, "history [COUNT]"))
    case "trace": self = .trace(try Self.trace(words))
    case "library": self = try Self.library(words)
    case "workouts":
      let text = words.map(\.text).joined(separator: " ")
      guard words.isEmpty || isTypedName(text, bytesMax: QueryLimits.searchBytesMax) else {
        throw .badForm("workouts [TITLE]")
      }
      self = .workouts(text: text)
    case "preview":
      if words.isEmpty { throw .badForm("preview WORKOUT") }
      self = .preview(workout: words.map(\.text).joined(separator: " "))
    case "records":
      self = .records(
        exercise: words.isEmpty ? nil : words.map(\.text).joined(separator: " "))
    default: return nil
    }
  }

  private static func number(
    _ words: ArraySlice<ScriptWord>, in range: ClosedRange<Int>, _ form: String
  ) throws(ScriptError) -> Int {
    guard let word = words.first, words.count == 1 else { throw .badForm(form) }
    guard let number = Int(word.text), range.contains(number) else {
      throw .badNumber(
        word.text, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func trace(
    _ words: ArraySlice<ScriptWord>
  ) throws(ScriptError) -> StreakTraceQuestion {
    let form = traceForms.joined(separator: ", or ")
    var words = words
    var policy: StreakPolicy?
    if let by = words.lastIndex(where: { $0.isWord("by") }) {
      guard by + 2 == words.endIndex, let known = Self.policy(words[by + 1].text) else {
        throw .badForm(form)
      }
      policy = known
      words = words[..<by]
    }
    guard let kind = words.popFirst() else { throw .badForm(form) }
    let days = QueryLimits.traceDays
    switch kind.text {
    case "last":
      return StreakTraceQuestion(.last(days: try number(words, in: days, form)), policy: policy)
    case "from":
      guard let first = words.popFirst() else { throw .badForm(form) }
      let day = try ScriptedConsistency.day(first.text)
      return StreakTraceQuestion(
        .from(day, days: try number(words, in: days, form)), policy: policy)
    case "month":
      guard let day = words.first, words.count == 1 else { throw .badForm(form) }
      return StreakTraceQuestion(
        .month(of: try ScriptedConsistency.day(day.text)), policy: policy)
    default: throw .badForm(form)
    }
  }

  /// A policy by its word.
  static func policy(_ text: String) -> StreakPolicy? {
    switch text {
    case "daily": return .daily
    case "scheduled": return .scheduled
    default:
      guard text.hasPrefix("weekly:"), let days = Int(text.dropFirst(7)) else { return nil }
      let policy = StreakPolicy.weekly(days: days)
      return policy.isValid ? policy : nil
    }
  }

  private static func library(
    _ words: ArraySlice<ScriptWord>
  ) throws(ScriptError) -> ScriptedQuestion {
    let form = "library [in EQUIPMENT] [named NAME]"
    var words = words
    var equipment: Equipment?
    if words.first?.isWord("in") == true {
      guard let word = words.dropFirst().first,
        let known = Equipment.allCases.first(where: { word.isWord($0.word) })
      else {
        throw .badForm(
          "\(form), EQUIPMENT is \(Equipment.allCases.map(\.word).joined(separator: "|"))")
      }
      equipment = known
      words = words.dropFirst(2)
    }
    if words.isEmpty { return .library(equipment: equipment, text: "") }
    guard words.first?.isWord("named") == true, words.count > 1 else { throw .badForm(form) }
    let text = words.dropFirst().map(\.text).joined(separator: " ")
    guard isTypedName(text, bytesMax: QueryLimits.searchBytesMax) else { throw .badForm(form) }
    return .library(equipment: equipment, text: text)
  }
}
