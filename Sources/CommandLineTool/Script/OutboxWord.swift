public import WatchTransfer

/// What an emulated device does about its own outbox: the authority hears of it only when something
/// is offered again.
public enum OutboxWord: Hashable, Sendable {
  /// Shows the newest actions, and how far each has come.
  case show
  /// Offers an action again, as a new one, whose outcome is unknown.
  case release(ActionNumber)
  /// Lets go of such an action.
  case forget(ActionNumber)

  /// Its forms, for a person.
  public static let forms = ["outbox", "release NUMBER", "forget NUMBER"]

  /// Actions that `outbox` shows.
  public static let shownMax = 32

  /// Reads what follows `verb`; nil when the verb is none of these.
  init?(verb: String, _ words: ArraySlice<ScriptWord>) throws(ScriptError) {
    switch verb {
    case "outbox":
      if !words.isEmpty { throw .badForm("outbox") }
      self = .show
    case "release": self = .release(try Self.number(words, "release NUMBER"))
    case "forget": self = .forget(try Self.number(words, "forget NUMBER"))
    default: return nil
    }
  }

  private static func number(
    _ words: ArraySlice<ScriptWord>, _ form: String
  ) throws(ScriptError) -> ActionNumber {
    guard let word = words.first, words.count == 1 else { throw .badForm(form) }
    guard let number = ActionNumber(word.text), (1..<ActionLimits.numberEnd).contains(number) else {
      throw .badNumber(word.text, expected: "the number of an action; \"outbox\" shows them")
    }
    return number
  }
}

extension Action {
  /// What it asks for, without what it holds: `markWorkout`.
  public var kindWord: String { String("\(self)".prefix { $0 != "(" }) }
}
