/// What a command takes and does: its parser and its help follow from it.
public struct CommandDescription: Hashable, Sendable {
  /// An argument that is known by its place.
  public struct Positional: Hashable, Sendable {
    public var name: String
    public var explanation: String
    public var isRequired: Bool

    /// An argument in its place; optional ones come last.
    public init(_ name: String, _ explanation: String, isRequired: Bool = true) {
      self.name = name
      self.explanation = explanation
      self.isRequired = isRequired
    }
  }

  /// A command line that works, with what it does.
  public struct Example: Hashable, Sendable {
    public var command: String
    public var explanation: String

    /// An example.
    public init(_ command: String, _ explanation: String) {
      self.command = command
      self.explanation = explanation
    }
  }

  /// One way to end.
  public struct Ending: Hashable, Sendable {
    public var status: ExitStatus
    public var meaning: String

    /// `status` means `meaning`.
    public init(_ status: ExitStatus, _ meaning: String) {
      self.status = status
      self.meaning = meaning
    }
  }

  /// A part of the help with a heading of its own, such as the words of a small language.
  public struct Section: Hashable, Sendable {
    public var title: String
    public var lines: [String]

    /// Lines, printed as they are, indented.
    public init(_ title: String, _ lines: [String]) {
      self.title = title
      self.lines = lines
    }
  }

  /// The words after the program's name: `["account", "add"]`; empty for a program of one command.
  public var words: [String]
  /// One sentence.
  public var summary: String
  public var positionals: [Positional]
  public var options: [OptionDescription]
  public var sections: [Section]
  public var examples: [Example]
  public var endings: [Ending]

  /// A command; without `endings` it ends ok, failed or with a usage error.
  public init(
    _ words: [String] = [], summary: String, positionals: [Positional] = [],
    options: [OptionDescription] = [], sections: [Section] = [], examples: [Example] = [],
    endings: [Ending] = [
      Ending(.ok, "done"), Ending(.failed, "failed; stderr says why"),
      Ending(.usage, "the command line makes no sense"),
    ]
  ) {
    self.words = words
    self.summary = summary
    self.positionals = positionals
    self.options = options
    self.sections = sections
    self.examples = examples
    self.endings = endings
  }

  /// The words as a person types them: `account add`.
  public var name: String { words.joined(separator: " ") }
}
