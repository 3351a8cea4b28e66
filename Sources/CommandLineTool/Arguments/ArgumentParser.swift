/// Reads the arguments of one command: `--name value`, `--name=value`, switches, repeated options,
/// positional arguments, and `--` before arguments that begin with dashes.
struct ArgumentParser {
  private let command: CommandDescription
  private var positionals: [String] = []
  private var flags: Set<String> = []
  private var values: [String: [String]] = [:]

  /// A parser for `command`.
  init(_ command: CommandDescription) {
    self.command = command
  }

  /// What `arguments` give; `variable` looks up the environment.
  mutating func parse(
    _ arguments: some Collection<String>, variable: (String) -> String?
  ) throws(UsageError) -> ParsedArguments {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        for word in rest { try takePositional(word) }
        break
      }
      if argument.utf8.first == UInt8(ascii: "-"), argument.utf8.count > 1 {
        try takeOption(argument, rest: &rest)
      } else {
        try takePositional(argument)
      }
    }
    try complete(variable)
    return ParsedArguments(
      command: command, positionals: positionals, flags: flags, values: values)
  }

  private mutating func takeOption(
    _ argument: String, rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let spelling = String(parts[0])
    guard let option = command.options.first(where: { $0.spelling == spelling }) else {
      throw .unknownOption(spelling, nearest: nearest(to: spelling))
    }
    if option.form == .flag {
      if parts.count > 1 { throw .unexpectedValue(option: spelling) }
      flags.insert(option.name)
      return
    }
    if option.form == .single, values[option.name] != nil { throw .duplicateOption(spelling) }
    values[option.name, default: []].append(try value(of: option, parts: parts, rest: &rest))
  }

  /// A word that begins with `--` is the next option, not the value that was forgotten; such a
  /// value is written `--name=--value`.
  private func value(
    of option: OptionDescription, parts: [Substring], rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    if parts.count > 1 { return String(parts[1]) }
    guard let next = rest.first, !next.utf8.starts(with: "--".utf8) else {
      throw .missingValue(option: option.spelling, valueName: option.valueName)
    }
    rest = rest.dropFirst()
    return next
  }

  private mutating func takePositional(_ word: String) throws(UsageError) {
    guard positionals.count < command.positionals.count else { throw .unexpectedPositional(word) }
    positionals.append(word)
  }

  private mutating func complete(_ variable: (String) -> String?) throws(UsageError) {
    for option in command.options where values[option.name] == nil {
      if let name = option.variable, let text = variable(name), !text.isEmpty {
        values[option.name] = [text]
      } else if option.isRequired {
        throw .missingOption(
          option.spelling, valueName: option.valueName, variable: option.variable)
      }
    }
    if positionals.count < command.positionals.count,
      command.positionals[positionals.count].isRequired
    {
      throw .missingPositional(command.positionals[positionals.count].name)
    }
  }

  private func nearest(to spelling: String) -> String? {
    let known = command.options.map(\.spelling) + ["--help", "--version"]
    let ranked = known.map { (distance: editDistance($0, spelling), spelling: $0) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= 2 else {
      return nil
    }
    return best.spelling
  }
}

/// How many letters must be put in, left out or replaced to make `target` of `source`
/// (Levenshtein).
func editDistance(_ source: String, _ target: String) -> Int {
  let target = Array(target.utf8)
  var row = Array(0...target.count)
  for (index, letter) in source.utf8.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in target.indices {
      let replaced = diagonal + (target[column] == letter ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
    }
  }
  return row[target.count]
}
