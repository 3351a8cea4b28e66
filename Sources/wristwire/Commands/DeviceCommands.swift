internal import AuthorityServer
internal import CommandLineTool
internal import WatchTransfer

private let accountOption = OptionDescription.value(
  "account", "NAME", "The account's name.", isRequired: true)

/// `wristwire pair`
enum PairCommand {
  static let description = CommandDescription(
    ["pair"],
    summary:
      "Pairs a device and prints its token, alone, on stdout; or prints a code that pairs one.",
    options: [
      accountOption,
      .value(
        "kind", "KIND", "phone, watch, widget, activity, health or controller.", isRequired: true),
      .value("name", "TEXT", "What people call it. Default: its kind."),
      .flag(
        "code",
        "Print a code of 8 digits, and until when it is good, instead: the device that redeems it "
          + "first is paired, with a secret of its own. It lives in the running server."),
      .value("accounts", "N", "Pair in each of the accounts NAME-1 to NAME-N."),
      .value("count", "N", "Pair so many in each account; one token a line."), dataOption,
      waitOption,
    ],
    examples: [
      .init(
        "wristwire pair --account anna --kind watch --name Wrist --data d",
        "prints 64 hexadecimal digits; they are not shown again"),
      .init(
        "wristwire pair --account anna --kind watch --code --data d",
        "prints such as: 12345678 until 2026-06-15T10:10:00Z"),
      .init(
        "wristwire pair --account load --accounts 1000 --kind widget --data d > tokens",
        "a widget for each of load-1 to load-1000"),
    ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    let account = try arguments.required("account")
    let kind = try arguments.required("kind")
    guard DeviceKind(word: kind) != nil else {
      let words = DeviceKind.allCases.map(\.word).joined(separator: ", ")
      throw UsageError.badValue(of: "--kind", given: kind, expected: "one of \(words)")
    }
    if arguments.flag("code") { return try await printCode(arguments, account, kind) }
    let accounts = try arguments.integer("accounts", in: 1...countMax).map { numbered(account, $0) }
    let count = try arguments.integer("count", in: 1...countMax) ?? 1
    guard count * (accounts?.count ?? 1) <= countMax else {
      throw UsageError.contradiction("one command pairs at most \(countMax) devices")
    }
    // Account by account within each round: the first tokens are of as many accounts as there are.
    let requests = (0..<count).flatMap { _ in
      (accounts ?? [account]).map {
        AdminRequest.pair(account: $0, kind: kind, name: arguments.value("name"))
      }
    }
    try await askEach(requests, by: arguments) { response in
      guard case .paired(let token, _) = response else {
        throw ToolFailure("the server gave another answer than was asked for")
      }
      printLine(token)
    }
    return .ok
  }
}

extension PairCommand {
  private static func printCode(
    _ arguments: ParsedArguments, _ account: String, _ kind: String
  ) async throws -> ExitStatus {
    for option in ["accounts", "count"] where arguments.value(option) != nil {
      throw UsageError.contradiction("--code makes one code: leave out --\(option)")
    }
    let connection = try await AdminConnection.open(directory: try arguments.required("data"))
    guard case .running = connection else {
      await connection.close()
      throw ToolFailure(
        "no server runs on this directory, and a code lives in the server: start wristwire serve, "
          + "or pair without --code")
    }
    let response = await connection.perform(
      .makeCode(account: account, kind: kind, name: arguments.value("name")),
      waitSeconds: try waitSeconds(arguments))
    await connection.close()
    switch response {
    case .code(let code, let until): printLine("\(code) until \(until)")
    case .failed(let problem): throw ToolFailure(problem)
    default: throw ToolFailure("the server gave another answer than was asked for")
    }
    return .ok
  }
}

/// `wristwire revoke`
enum RevokeCommand {
  static let description = CommandDescription(
    ["revoke"], summary: "Revokes a device's token and cuts its connections.",
    options: [
      accountOption,
      .value("device", "ID|NAME", "The device's id or name.", isRequired: true), dataOption,
      waitOption,
    ],
    examples: [
      .init("wristwire revoke --account anna --device Wrist --data d", "Wrist may not come back")
    ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    _ = try await ask(
      .revoke(
        account: try arguments.required("account"), device: try arguments.required("device")),
      by: arguments)
    return .ok
  }
}
