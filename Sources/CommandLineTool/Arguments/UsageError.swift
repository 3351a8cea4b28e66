/// Why a command line makes no sense. Descriptions are one line that says what to do; they never
/// contain the value of a secret option.
public enum UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknownCommand(String, known: [String])
  case missingCommand(after: String, known: [String])
  case unknownOption(String, nearest: String?)
  case missingValue(option: String, valueName: String)
  case unexpectedValue(option: String)
  case duplicateOption(String)
  case missingOption(String, valueName: String, variable: String?)
  case missingPositional(String)
  case unexpectedPositional(String)
  /// `given` is nil when the value must not be shown.
  case badValue(of: String, given: String?, expected: String)
  /// What is wrong with options that make no sense together, as a sentence.
  case contradiction(String)

  /// One line for a person.
  public var description: String {
    switch self {
    case .unknownCommand(let word, let known):
      "unknown command \"\(printable(word))\"; known: \(known.joined(separator: ", "))"
    case .missingCommand(let before, let known):
      "\(before) needs a command: \(known.joined(separator: ", "))"
    case .unknownOption(let name, let nearest):
      "unknown option \(printable(name))" + (nearest.map { " (did you mean \($0)?)" } ?? "")
    case .missingValue(let option, let valueName):
      "\(option) needs a value: \(option) \(valueName)"
    case .unexpectedValue(let option): "\(option) takes no value"
    case .duplicateOption(let option): "\(option) is given twice; give it once"
    case .missingOption(let option, let valueName, let variable):
      "\(option) \(valueName) is needed"
        + (variable.map { " (or the environment variable \($0))" } ?? "")
    case .missingPositional(let name): "\(name) is needed"
    case .unexpectedPositional(let text): "unexpected argument \"\(printable(text))\""
    case .badValue(let name, let given, let expected):
      name + (given.map { " \"\(printable($0))\"" } ?? "") + " is not \(expected)"
    case .contradiction(let sentence): sentence
    }
  }
}
