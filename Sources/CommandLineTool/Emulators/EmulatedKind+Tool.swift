extension EmulatedKind {
  /// The program that plays it.
  public var tool: Tool {
    Tool(
      name: program,
      command: CommandDescription(
        summary:
          "Emulates a \(rawValue): queues actions durably, sends them, shows what the authority "
          + "says.",
        options: options,
        sections: [
          .init("Actions", ScriptedAction.forms(on: self)),
          .init("Notes", notes),
        ],
        examples: examples,
        endings: [
          .init(.ok, "every action has its receipt"),
          .init(.failed, "failed, or an action's outcome is unknown; stderr says why"),
          .init(.usage, "the command line makes no sense; nothing was queued"),
          .init(.queued, "some actions remain queued"),
          .init(.interrupted(by: 2), "interrupted; what is queued stays queued"),
        ]))
  }

  private var options: [OptionDescription] {
    let shared: [OptionDescription] = [
      .server, .pin, .authority, .serverName, .token, .code(keptIn: "the outbox directory"),
      .codeFile,
      .value(
        "outbox", "DIR", "Directory of the outbox and the last state; made if missing.",
        isRequired: true),
      .repeated("do", "ACTION", "What to do, in order; see below."),
      .flag("offline", "Do not connect: only queue."),
      .value(
        "device-clock", "INSTANT",
        "Start the emulated wall clock at INSTANT, with a boot of its own that is kept in DIR; a "
          + "start before the last one is a new boot."),
      .value("stay", "SECONDS", "Listen on after the script and print updates."),
      .value("timeout", "SECONDS", "How long to wait for the receipts; 30 unless given."),
      .flag("json", "Print one JSON object a line."),
    ]
    guard self == .watch else { return shared }
    return shared + [
      .flag(
        "interactive",
        "A screen on the terminal, worked by keys; so it is too on a terminal without --do.")
    ]
  }

  private var notes: [String] {
    [
      "INSTANT, START and END: RFC 3339 with an offset, or \"now\".",
      "HOME and AWAY: a name with spaces stands in double quotes.",
      "ENTRY: an id from score.entries. The match is the newest one in the",
      "outbox or in the last state. \"state\" shows the whole state at its place.",
      "NUMBER of \"release\" and \"forget\": an action whose outcome is unknown, as",
      "\"outbox\" shows it: it goes again as a new one, or is let go.",
      "WORKOUT: an id or a title, see \"workouts\". EXERCISE and ROUTINE: names, in double",
      "quotes where they have spaces; \"exercises\" takes any number of them.",
    ] + (self == .phone ? ScriptedAction.lineUpNotes : []) + ScriptedAction.buttonNotes
      + LogWord.notes
  }

  private var examples: [CommandDescription.Example] {
    let place = "--server 127.0.0.1:7420 --outbox \(directory)"
    return [
      .init(
        "\(program) \(place) --do \"mark Morning run\"",
        "Marks a workout done; the token is in WRISTWIRE_TOKEN."),
      .init(
        "\(program) --server unix:run.sock --outbox \(directory) --offline \\\n"
          + "    --do 'match \"Red Lions\" \"Blue Stars\" half-length 30' --do 'clock start'",
        "Queues two actions without a connection."),
      .init(
        "\(program) --server tls:192.0.2.7:7420 --pin sha256:… --outbox \(directory) --do state",
        "Asks a server on another machine whose key is the pinned one."),
      .init(
        "wristwire pair --account anna --kind \(rawValue) --code --data d | \\\n"
          + "    \(program) \(place) --code -",
        "Pairs by a code that no process list shows."),
      .init(
        "\(program) \(place) --json --do state --stay 60",
        "Shows the state, then every update for a minute."),
      self == .watch
        ? .init("\(program) \(place) --interactive", "A watch on the terminal; h shows its keys.")
        : .init(
          "\(program) \(place) --do 'squad home Ada#7 Ben bench Cem' --do 'sub home Ben Cem'",
          "Says who plays."),
    ]
  }

  /// An outbox of the examples.
  private var directory: String { self == .watch ? "wrist" : "pocket" }
}
