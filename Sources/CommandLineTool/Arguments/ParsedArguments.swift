public import WatchTransfer

/// What a command line gave, by the names of its command's description.
///
/// Asking for a name that the description lacks is a mistake of the program, and traps.
public struct ParsedArguments: Sendable {
  /// What the values belong to.
  public let command: CommandDescription
  /// Arguments without a name, in order.
  public let positionals: [String]
  private let flags: Set<String>
  private let values: [String: [String]]

  /// Values that a parser found.
  init(
    command: CommandDescription, positionals: [String], flags: Set<String>,
    values: [String: [String]]
  ) {
    self.command = command
    self.positionals = positionals
    self.flags = flags
    self.values = values
  }

  /// Whether the switch stands there.
  public func flag(_ name: String) -> Bool {
    flags.contains(declared(name).name)
  }

  /// The option's value, if it stands there.
  public func value(_ name: String) -> String? {
    values[declared(name).name]?.first
  }

  /// The values of a repeated option, in order.
  public func all(_ name: String) -> [String] {
    values[declared(name).name] ?? []
  }

  /// The option's value; a parser has made sure of it where the option is required.
  public func required(_ name: String) throws(UsageError) -> String {
    let option = declared(name)
    guard let value = value(name) else {
      throw .missingOption(option.spelling, valueName: option.valueName, variable: option.variable)
    }
    return value
  }

  /// A whole number within `range`.
  public func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
      throw bad(name, text, expected)
    }
    return number
  }

  /// One of the words that `choices` give.
  public func choice<Value>(
    _ name: String, of choices: [Value], word: (Value) -> String
  ) throws(UsageError) -> Value? {
    guard let text = value(name) else { return nil }
    for choice in choices where Array(word(choice).utf8) == Array(text.utf8) { return choice }
    throw bad(name, text, "one of " + choices.map(word).joined(separator: ", "))
  }

  /// An instant: RFC 3339 with an offset, or `now`.
  public func instant(_ name: String) throws(UsageError) -> InstantArgument? {
    guard let text = value(name) else { return nil }
    guard let instant = InstantArgument(text) else {
      throw bad(name, text, InstantArgument.expected)
    }
    return instant
  }

  /// A span of time, in milliseconds.
  public func duration(_ name: String) throws(UsageError) -> DurationArgument? {
    guard let text = value(name) else { return nil }
    guard let duration = DurationArgument(text) else {
      throw bad(name, text, DurationArgument.expected)
    }
    return duration
  }

  /// The 32 bytes of the option `token`; never shown in an error.
  public func token() throws(UsageError) -> [UInt8]? {
    guard let text = value("token") else { return nil }
    guard let bytes = hexadecimalBytes(of: text), bytes.count == 32 else {
      throw bad("token", text, "64 hexadecimal digits")
    }
    return bytes
  }

  /// The code of the options `code` and `code-file`, or of standard input; never shown in an error.
  public func code() throws(UsageError) -> PairingCode? {
    let typed = value("code")
    if let path = value("code-file") {
      if typed != nil { throw .contradiction("--code and --code-file are two codes; give one") }
      return try code(in: try text(of: path), "code-file")
    }
    guard let typed else { return nil }
    if typed != "-" { return try code(in: typed, "code") }
    let line = firstInputLine()
    guard !line.isEmpty else {
      throw .badValue(
        of: declared("code").spelling, given: "-", expected: "8 digits on standard input")
    }
    return try code(in: line, "code")
  }

  /// A code as a person types it, or a line as `wristwire pair --code` prints it.
  private func code(in text: String, _ name: String) throws(UsageError) -> PairingCode {
    let line = text.prefix { !$0.isNewline }
    let word = line.prefix { $0 != " " }
    guard let code = PairingCode(typed: String(line)) ?? PairingCode(typed: String(word)) else {
      throw .badValue(
        of: declared(name).spelling, given: nil,
        expected: name == "code" ? "8 digits" : "a file that begins with 8 digits")
    }
    return code
  }

  private func text(of path: String) throws(UsageError) -> String {
    do throws(ToolFailure) {
      return try SmallFile.read(path)
    } catch {
      throw .contradiction(error.description)
    }
  }

  private func bad(_ name: String, _ given: String, _ expected: String) -> UsageError {
    let option = declared(name)
    return .badValue(
      of: option.spelling, given: option.isSecret ? nil : given, expected: expected)
  }

  private func declared(_ name: String) -> OptionDescription {
    guard let option = command.options.first(where: { $0.name == name }) else {
      fatalError("the command \"\(command.name)\" declares no option \(name)")
    }
    return option
  }
}
