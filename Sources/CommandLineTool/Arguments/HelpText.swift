/// The help of a program or a command, as text for a terminal of 80 columns and more.
struct HelpText {
  private static let width = 80
  private static let indent = "  "

  private(set) var text = ""

  /// The help of one command of `program`.
  init(of command: CommandDescription, program: String) {
    let call = ([program] + command.words).joined(separator: " ")
    paragraph(command.summary)
    heading("Usage")
    wrapped(usageParts(of: command), first: Self.indent + call, rest: Self.indent + "    ")
    if !command.positionals.isEmpty {
      heading("Arguments")
      table(command.positionals.map { ($0.name, $0.explanation) })
    }
    heading("Options")
    table(
      command.options.map { ($0.heading, explanation(of: $0)) }
        + [("--help", "Show this help."), ("--version", "Show the version.")])
    for section in command.sections {
      heading(section.title)
      for line in section.lines { text += "\(Self.indent)\(line)\n" }
    }
    if !command.examples.isEmpty {
      heading("Examples")
      for example in command.examples {
        text += "\(Self.indent)\(example.command)\n\(Self.indent)    \(example.explanation)\n"
      }
    }
    heading("Exit status")
    table(command.endings.map { ("\($0.status.rawValue)", $0.meaning) })
  }

  /// The list of `commands` of `program`.
  init(of commands: [CommandDescription], program: String, summary: String) {
    paragraph(summary)
    heading("Usage")
    text += "\(Self.indent)\(program) COMMAND …\n"
    heading("Commands")
    table(commands.map { ($0.name, $0.summary) })
    text += "\n\"\(program) COMMAND --help\" explains a command; --version shows the version.\n"
  }

  private func usageParts(of command: CommandDescription) -> [String] {
    command.positionals.map { $0.isRequired ? $0.name : "[\($0.name)]" }
      + command.options.map(\.usage)
  }

  private func explanation(of option: OptionDescription) -> String {
    option.form == .repeated ? option.explanation + " May be repeated." : option.explanation
  }

  private mutating func heading(_ title: String) {
    text += "\n\(title):\n"
  }

  private mutating func paragraph(_ sentence: String) {
    wrapped(sentence.split(separator: " ").map(String.init), first: "", rest: "")
  }

  /// Names on the left; explanations beside them, or below a long name.
  private mutating func table(_ rows: [(name: String, explanation: String)]) {
    let longest = rows.map(\.name.count).max() ?? 0
    let column = min(longest, 24)
    let margin = Self.indent + String(repeating: " ", count: column + 2)
    for row in rows {
      var first = Self.indent + row.name
      if row.name.count > column {
        text += first + "\n"
        first = margin
      } else {
        first += String(repeating: " ", count: column + 2 - row.name.count)
      }
      first.removeLast()
      wrapped(row.explanation.split(separator: " ").map(String.init), first: first, rest: margin)
    }
  }

  private mutating func wrapped(_ words: [String], first: String, rest: String) {
    var line = first
    var isFresh = first.isEmpty
    for word in words {
      if !isFresh, line.count + 1 + word.count > Self.width {
        text += line + "\n"
        line = rest
        isFresh = true
      }
      line += (isFresh ? "" : " ") + word
      isFresh = false
    }
    text += line + "\n"
  }
}
