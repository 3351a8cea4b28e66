public import WatchTransfer

/// What the watch emulator is told on its command line.
public struct WatchOptions: Sendable {
  /// As it was given.
  public let server: String
  /// Where it is, and whom to trust there.
  public let place: ServerPlace
  /// 32 bytes; nil: from the pairing that is kept.
  public let token: [UInt8]?
  /// To be redeemed; goes before a token.
  public let code: PairingCode?
  /// Directory of the outbox and of the last state.
  public let outbox: String
  /// Only queue; do not connect.
  public let isOffline: Bool
  /// Where the emulated wall clock starts; nil: the machine's clocks.
  public let deviceClock: InstantArgument?
  /// How long to listen on after the script, in seconds.
  public let staySeconds: Int
  /// How long to wait for the receipts, in seconds.
  public let timeoutSeconds: Int
  public let isJSON: Bool
  public let script: [ScriptedAction]

  /// Reads them; every action is read before anything happens.
  public init(_ arguments: ParsedArguments) throws(UsageError) {
    server = try arguments.required("server")
    place = try ServerPlace(arguments)
    token = try arguments.token()
    code = try arguments.code()
    outbox = try arguments.required("outbox")
    isOffline = arguments.flag("offline")
    deviceClock = try arguments.instant("device-clock")
    staySeconds = try arguments.integer("stay", in: 0...86_400) ?? 0
    timeoutSeconds = try arguments.integer("timeout", in: 0...86_400) ?? 30
    isJSON = arguments.flag("json")
    var script: [ScriptedAction] = []
    for text in arguments.all("do") {
      do throws(ScriptError) {
        script.append(try ScriptedAction(parsing: text))
      } catch {
        throw .contradiction("--do \"\(printable(text))\": \(error)")
      }
    }
    self.script = script
  }

  /// Whether the script acts on a match before it makes one, so that there must be one already.
  public var needsKnownMatch: Bool {
    for action in script {
      if action.needsMatch { return true }
      if case .match = action { return false }
    }
    return false
  }

  /// Whether the script names exercises, routines or a session of the last state.
  public var needsKnownRoutines: Bool {
    script.contains { action in
      switch action {
      case .strength, .pulse: true
      default: false
      }
    }
  }

  /// The program that takes them.
  public static let tool = Tool(
    name: "watch-emulator",
    command: CommandDescription(
      summary:
        "Emulates a watch: queues actions durably, sends them, shows what the authority says.",
      options: [
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
      ],
      sections: [
        .init("Actions", ScriptedAction.forms),
        .init(
          "Notes",
          [
            "INSTANT, START and END: RFC 3339 with an offset, or \"now\".",
            "HOME and AWAY: a name with spaces stands in double quotes.",
            "ENTRY: an id from score.entries. The match is the newest one in the",
            "outbox or in the last state. \"state\" shows the whole state at its place.",
          ] + ScriptedAction.lineUpNotes),
      ],
      examples: [
        .init(
          "watch-emulator --server 127.0.0.1:7420 --outbox wrist --do \"mark Morning run\"",
          "Marks a workout done; the token is in WRISTWIRE_TOKEN."),
        .init(
          "watch-emulator --server unix:run.sock --outbox wrist --offline \\\n"
            + "    --do 'match \"Red Lions\" \"Blue Stars\" half-length 30' --do 'clock start'",
          "Queues two actions without a connection."),
        .init(
          "watch-emulator --server tls:192.0.2.7:7420 --pin sha256:… --outbox wrist --do state",
          "Asks a server on another machine whose key is the pinned one."),
        .init(
          "wristwire pair --account anna --kind watch --code --data d | \\\n"
            + "    watch-emulator --server 127.0.0.1:7420 --outbox wrist --code -",
          "Pairs by a code that no process list shows."),
        .init(
          "watch-emulator --server 127.0.0.1:7420 --outbox wrist --json --do state --stay 60",
          "Shows the state, then every update for a minute."),
      ],
      endings: [
        .init(.ok, "every action has its receipt"),
        .init(.failed, "failed, or an action's outcome is unknown; stderr says why"),
        .init(.usage, "the command line makes no sense; nothing was queued"),
        .init(.queued, "some actions remain queued"),
        .init(.interrupted(by: 2), "interrupted; what is queued stays queued"),
      ]))
}
