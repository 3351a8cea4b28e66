/// What the load tester is told on its command line.
public struct LoadOptions: Sendable {
  /// What every connection does, over and over.
  public enum Scenario: String, CaseIterable, Sendable {
    /// A widget asks for its snapshot.
    case fetch
    /// A watch sends a durable action.
    case act
    /// Nothing: what a connection costs the server while it is silent.
    case idle
    /// Watches that act and fetch at a given rate, whatever the answers do; all is checked.
    case paced
    /// A crowd of watches that behave badly, each in its way.
    case mixed

    /// Whether its devices act.
    public var acts: Bool { self != .fetch && self != .idle }
  }

  /// Where the devices come from.
  public enum Devices: Hashable, Sendable {
    /// A file of tokens, one a line.
    case file(String)
    /// A server of the program's own, with so many accounts.
    case spawned(accounts: Int)
  }

  /// `host:port` or `unix:PATH`; nil: a port that the spawned server picks.
  public let server: String?
  /// Where a server is that runs already, and whom to trust there.
  public let place: ServerPlace?
  public let devices: Devices
  public let scenario: Scenario
  /// Each with a device of its own, since the newest connection of a device wins.
  public let connections: Int
  /// Requests that a connection sends at once, and whose answers it waits for.
  public let pipeline: Int
  public let seconds: Int
  /// Of `paced`: requests a second, of all connections together.
  public let rate: Int
  /// Of `mixed`: who behaves how.
  public let mix: LoadMix
  /// Of `mixed`: decides who does, and when.
  public let seed: UInt64
  /// Of `mixed`: seconds between two stampedes.
  public let stampedeSeconds: Int
  public let isJSON: Bool

  /// Connections of one account that may act: each sets a goal of its own, and an account has room
  /// for so many.
  public static let actorsPerAccountMax = 32
  /// More would be held `busy`: an authority keeps 256 receipts above what is confirmed.
  public static let pipelineMax = 128

  /// Reads them.
  public init(_ arguments: ParsedArguments) throws(UsageError) {
    server = arguments.value("server")
    scenario =
      try arguments.choice("scenario", of: Scenario.allCases) { $0.rawValue } ?? .fetch
    connections = try arguments.integer("connections", in: 1...100_000) ?? 100
    pipeline = try arguments.integer("pipeline", in: 1...Self.pipelineMax) ?? 1
    seconds = try arguments.integer("seconds", in: 1...3_600) ?? 3
    rate = try arguments.integer("rate", in: 1...100_000) ?? 500
    mix = try Self.mix(arguments)
    seed = UInt64(try arguments.integer("seed", in: 0...1_000_000_000) ?? 1)
    stampedeSeconds = try arguments.integer("stampede", in: 1...60) ?? 10
    isJSON = arguments.flag("json")
    let devices = try Self.devices(arguments, scenario: scenario, connections: connections)
    self.devices = devices
    place = if case .file = devices { try ServerPlace(arguments) } else { nil }
    if place == nil, arguments.value("pin") ?? arguments.value("authority") != nil {
      throw .contradiction(
        "--spawn starts a server without TLS; --pin and --authority are for tls:")
    }
  }

  private static func mix(_ arguments: ParsedArguments) throws(UsageError) -> LoadMix {
    guard let text = arguments.value("mix") else { return .usual }
    guard let mix = LoadMix(text) else {
      let names = LoadBehaviour.allCases.map(\.rawValue).joined(separator: ", ")
      throw .badValue(
        of: "--mix", given: text, expected: "idle=60,slow=10 or the like, of \(names)")
    }
    return mix
  }

  private static func devices(
    _ arguments: ParsedArguments, scenario: Scenario, connections: Int
  ) throws(UsageError) -> Devices {
    let accounts = try arguments.integer("accounts", in: 1...connections)
    switch (arguments.value("tokens"), arguments.flag("spawn")) {
    case (let file?, false):
      if arguments.value("server") == nil {
        throw .contradiction("--tokens FILE needs the --server ADDR that knows them")
      }
      if accounts != nil {
        throw .contradiction("--accounts N is for --spawn: the tokens say whose they are")
      }
      return .file(file)
    case (nil, true):
      let accounts = accounts ?? connections
      if scenario.acts, connections > accounts * actorsPerAccountMax {
        throw .contradiction(
          "at most \(actorsPerAccountMax) connections of an account can act: "
            + "raise --accounts to \((connections - 1) / actorsPerAccountMax + 1)")
      }
      return .spawned(accounts: accounts)
    case (nil, false):
      throw .contradiction("one of --tokens FILE and --spawn is needed")
    case (_?, true):
      throw .contradiction("--tokens FILE and --spawn exclude each other")
    }
  }

  /// The program that takes them.
  public static let tool = Tool(
    name: "load-tester",
    command: CommandDescription(
      summary: "Loads an authority from many connections and says how fast it answers.",
      options: [
        .value(
          "server", "ADDR",
          "Where the authority listens: HOST:PORT, tls:HOST:PORT or unix:PATH. With --spawn: "
            + "where it shall."),
        .pin, .authority, .serverName,
        .value("tokens", "FILE", "Tokens of paired devices, 64 hexadecimal digits a line."),
        .flag("spawn", "Start a server of its own, with devices, and stop it at the end."),
        .value(
          "accounts", "N",
          "With --spawn: accounts that share the connections; one for each unless given."),
        .value(
          "scenario", "WHAT", "fetch, act, idle, paced or mixed; see below.", isRequired: true),
        .value("connections", "N", "Connections, each of a device of its own; 100 unless given."),
        .value("pipeline", "P", "Requests in flight on each connection; 1 unless given."),
        .value("seconds", "S", "How long to load; 3 unless given."),
        .value("rate", "R", "paced: requests a second of all together; 500 unless given."),
        .value(
          "mix", "SHARES",
          "mixed: parts of the crowd; unless given \(LoadMix.usual.text)."),
        .value("seed", "N", "mixed: decides who behaves how; 1 unless given."),
        .value("stampede", "S", "mixed: seconds between two stampedes; 10 unless given."),
        .flag("json", "Print one JSON object."),
      ],
      sections: [
        .init(
          "Scenarios",
          [
            "fetch  widgets ask for the streak, small, by day, as if they had nothing",
            "act    watches set a goal, again and again: durable when the receipt comes",
            "idle   connections that are silent, to look at the server meanwhile",
            "paced  watches act and fetch when it is due, and check every answer",
            "mixed  a crowd of watches that behave badly, each in its way:",
            "       idle (silent), slow (reads 300 bytes a second), mute (never reads),",
            "       storm (acts, fetches, pings without pause), flood (asks for everything",
            "       without pause), stampede (all leave and come back at once)",
          ]),
        .init(
          "Notes",
          [
            "A connection sends P requests at once, and the next P when all are answered.",
            "fetch wants tokens of widgets, act, paced and mixed of watches, one a connection.",
            "paced counts latency from when a request was due, not from when it was sent.",
            "mixed counts as answered what storms were, and as errors what no server should do;",
            "that it ends or holds up a connection is counted beside them.",
            "Refused, held and expired actions are errors, and so is a closed connection.",
          ]),
      ],
      examples: [
        .init(
          "load-tester --spawn --scenario fetch --connections 1000 --pipeline 16 --seconds 5",
          "Starts a server of its own and loads it."),
        .init(
          "load-tester --server 127.0.0.1:7420 --tokens watches --scenario act \\\n"
            + "    --connections 50 --json",
          "Loads a server that runs, with the devices whose tokens the file lists."),
      ],
      endings: [
        .init(.ok, "measured; errors are counted in what is printed"),
        .init(.failed, "not connected, not welcomed or nothing answered; stderr says why"),
        .init(.usage, "the command line makes no sense"),
        .init(.interrupted(by: 2), "interrupted; what was measured so far is printed"),
      ]))
}
