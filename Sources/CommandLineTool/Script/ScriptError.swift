/// Why text is not an action; one line that says what to write instead.
public enum ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  case unclosedQuote
  case unknownAction(String)
  /// The words do not have the action's form.
  case badForm(String)
  case badInstant(String)
  case badNumber(String, expected: String)
  case badEntry(String)
  case badSet(String)
  case badPlayer(String)
  case badBinding(String)
  case badID(String)
  case badLog(String)

  /// One line for a person.
  public var description: String {
    switch self {
    case .empty: "an action is empty; write one of: \(ScriptedAction.forms.joined(separator: ", "))"
    case .unclosedQuote: "a double quote is not closed"
    case .unknownAction(let word):
      "unknown action \"\(printable(word))\"; write one of: "
        + ScriptedAction.forms.joined(separator: ", ")
    case .badForm(let form): "write: \(form) (a name with spaces in double quotes)"
    case .badInstant(let text): "\"\(printable(text))\" is not \(InstantArgument.expected)"
    case .badNumber(let text, let expected): "\"\(printable(text))\" is not \(expected)"
    case .badSet(let text):
      "\"\(printable(text))\" is not a set's id; \"state\" shows them in session.sets"
    case .badEntry(let text):
      "\"\(printable(text))\" is not an entry's id; \"state\" shows them in score.entries"
        + " and squads.substitutions"
    case .badPlayer(let text):
      "\"\(printable(text))\" is not a player: NAME or NAME#NUMBER, a number to 999"
    case .badBinding(let text):
      "\"\(printable(text))\" is not a binding: BUTTON:press|hold|double=COMMAND, a button to 255"
    case .badLog(let text):
      "\"\(printable(text))\" is not a log's id, nor \"newest\"; \"history\" shows them with --json"
    case .badID(let text):
      "\"\(printable(text))\" is not an id; \"state\" shows them in today.items and goals.weight"
    }
  }
}
