/// The version of every program of the project.
public let toolVersion = "0.1.0"

/// A program with its commands: help, version and usage errors are handled here, for all of them.
public struct Tool: Sendable {
  /// What a command line asks for.
  public enum Request: Sendable {
    /// Text for stdout, and done.
    case show(String)
    case run(ParsedArguments)
  }

  /// As it is called.
  public let name: String
  /// One sentence.
  public let summary: String
  /// One without words of its own, or several with.
  public let commands: [CommandDescription]

  /// A program of one command.
  public init(name: String, command: CommandDescription) {
    self.init(name: name, summary: command.summary, commands: [command])
  }

  /// A program of several commands, each with words of its own.
  public init(name: String, summary: String, commands: [CommandDescription]) {
    self.name = name
    self.summary = summary
    self.commands = commands
  }

  /// What `arguments` (without the program's name) ask for; `variable` looks up the environment.
  public func interpret(
    _ arguments: [String], variable: (String) -> String?
  ) throws(UsageError) -> Request {
    let beforeEnd = arguments.prefix { $0 != "--" }
    if beforeEnd.contains("--help") || beforeEnd.contains("-h") {
      return .show(help(for: Array(beforeEnd)))
    }
    if beforeEnd.contains("--version") { return .show("\(name) \(toolVersion)\n") }
    let command = try command(of: arguments)
    var parser = ArgumentParser(command)
    return .run(try parser.parse(arguments.dropFirst(command.words.count), variable: variable))
  }

  /// The command whose words `arguments` begin with.
  private func command(of arguments: [String]) throws(UsageError) -> CommandDescription {
    if let found = commands.first(where: { arguments.starts(with: $0.words) }) { return found }
    guard let first = arguments.first else {
      throw .missingCommand(after: name, known: firstWords)
    }
    let family = commands.filter { $0.words.first == first }
    if family.isEmpty { throw .unknownCommand(first, known: firstWords) }
    let known = family.map { $0.words.dropFirst().joined(separator: " ") }
    guard arguments.count > 1, arguments[1].utf8.first != UInt8(ascii: "-") else {
      throw .missingCommand(after: "\(name) \(first)", known: known)
    }
    throw .unknownCommand("\(first) \(arguments[1])", known: known.map { "\(first) \($0)" })
  }

  /// The first word of each command, once.
  private var firstWords: [String] {
    var words: [String] = []
    for word in commands.compactMap(\.words.first) where !words.contains(word) {
      words.append(word)
    }
    return words
  }

  /// The help of the command that `arguments` name, else of the family, else of the program.
  private func help(for arguments: [String]) -> String {
    if let command = commands.first(where: { arguments.starts(with: $0.words) }) {
      return HelpText(of: command, program: name).text
    }
    let family = commands.filter { $0.words.first == arguments.first }
    return HelpText(
      of: family.isEmpty ? commands : family, program: name, summary: summary
    ).text
  }
}
