internal import AuthorityServer
internal import CommandLineTool
internal import WatchTransfer

/// `wristwire status`
enum StatusCommand {
  static let description = CommandDescription(
    ["status"],
    summary:
      "Shows what a server is doing, with its limits and alarms; without one (serving: false), what "
      + "its directory holds.",
    options: [dataOption, waitOption, .flag("json", "Print one JSON object.")],
    examples: [.init("wristwire status --data d --json", "prints one line of JSON")])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    let data = try arguments.required("data")
    let connection = try await AdminConnection.open(directory: data)
    let isServing = if case .running = connection { true } else { false }
    let response = await connection.perform(.status, waitSeconds: try waitSeconds(arguments))
    await connection.close()
    if case .failed(let problem) = response { throw ToolFailure(problem) }
    guard case .status(let status) = response else {
      throw ToolFailure("the server gave another answer than was asked for")
    }
    if !isServing {
      printError("no server runs on \(data): this is what its files say")
    }
    let json = json(of: status, isServing: isServing)
    printLine(arguments.flag("json") ? json.json : text(of: json))
    return .ok
  }

  private static func json(of status: ServerStatus, isServing: Bool) -> JSONValue {
    .object([
      ("version", .string(toolVersion)), ("serving", .bool(isServing)),
      ("epoch", .string(status.epoch)),
      ("clock", .string(status.clock)), ("accounts", .whole(status.accounts)),
      ("devices", .whole(status.devices)), ("connections", .whole(status.connections)),
      ("commits", .whole(status.commits)), ("entries", .whole(status.entries)),
      (
        "actions",
        .object([
          ("received", .whole(status.actions.received)),
          ("durable", .whole(status.actions.durable)),
          ("applied", .whole(status.actions.applied)), ("refused", .whole(status.actions.refused)),
          ("expired", .whole(status.actions.expired)),
        ])
      ),
      ("held", .whole(status.held)), ("conflicts", .whole(status.conflicts)),
      ("settled", .whole(status.settled)), ("missing", .whole(status.missing)),
      ("fetched", .whole(status.fetched)),
      ("updates", .whole(status.updates)), ("pulses", .whole(status.pulses)),
      ("pulsesDropped", .whole(status.pulsesDropped)),
      ("recoveredRows", .whole(status.recoveredRows)),
      ("waiting", .whole(status.waiting)), ("shown", .whole(status.shown)),
      ("owedUpdates", .whole(status.owedUpdates)),
      ("unsentBytes", .whole(status.unsentBytes)),
      ("closed", counts(status.closed)),
      ("alarms", .array(status.alarms.map { .string($0) })),
      ("continuity", .string(status.continuity)), ("backedUpAt", .optional(status.backedUpAt)),
      ("freeBytes", .whole(status.freeBytes)), ("acceptsActs", .bool(status.acceptsActs)),
      ("limits", counts(status.limits)), ("limitUse", counts(status.limitUse)),
      ("limitRefusals", counts(status.limitRefusals)),
    ])
  }

  private static func counts(_ counts: [String: Int]) -> JSONValue {
    .object(counts.sorted { $0.key < $1.key }.map { ($0.key, .whole($0.value)) })
  }

  private static func text(of json: JSONValue) -> String {
    (json.members ?? []).map { "\($0.0): \($0.1.json)" }.joined(separator: "\n")
  }
}

/// `wristwire check`
enum CheckCommand {
  static let description = CommandDescription(
    ["check"],
    summary:
      "Checks a data directory or a backup: the databases' integrity, and that replay gives what is "
      + "kept. A running server goes on: a private copy is checked.",
    options: [dataOption],
    examples: [
      .init("wristwire check --data d", "prints ok, or what is wrong"),
      .init("wristwire check --data BACKUP", "also that every file is as it was made"),
    ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    let findings = try await findings(of: try arguments.required("data"))
    if findings.isEmpty {
      printLine("ok")
      return .ok
    }
    for finding in findings { printLine(finding) }
    return .failed
  }

  private static func findings(of directory: String) async throws -> [String] {
    guard let connection = AdminConnection.running(directory: directory) else {
      return try OfflineCheck.run(directory: directory)
    }
    let response = await connection.perform(.check)
    await connection.close()
    switch response {
    case .findings(let findings): return findings
    case .failed(let problem): throw ToolFailure(problem)
    default: throw ToolFailure("the server gave another answer than was asked for")
    }
  }
}

/// `wristwire clock set`
enum ClockSetCommand {
  static let description = CommandDescription(
    ["clock", "set"], summary: "Moves the wall clock of a server that runs with --test-clock.",
    positionals: [
      .init("INSTANT|+DURATION", "RFC 3339 with an offset, now, or a span such as +36h")
    ],
    options: [dataOption, waitOption],
    examples: [
      .init("wristwire clock set +36h --data d", "a day and a half later"),
      .init("wristwire clock set 2026-12-01T00:00:00+01:00 --data d", "to midnight in Berlin"),
    ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    let text = arguments.positionals[0]
    let request: AdminRequest
    if let instant = InstantArgument(text) {
      request = .setClock(to: instant.resolved(now: AuthorityClock().now()).milliseconds, by: nil)
    } else if let span = DurationArgument(text) {
      request = .setClock(to: nil, by: span.milliseconds)
    } else {
      throw UsageError.badValue(
        of: "INSTANT|+DURATION", given: text,
        expected: "RFC 3339 with an offset, now, or a span such as +36h")
    }
    guard let connection = AdminConnection.running(directory: try arguments.required("data"))
    else {
      throw ToolFailure("no server runs on this directory, so there is no clock to set")
    }
    let response = await connection.perform(
      request, waitSeconds: try waitSeconds(arguments))
    await connection.close()
    if case .failed(let problem) = response { throw ToolFailure(problem) }
    return .ok
  }
}
