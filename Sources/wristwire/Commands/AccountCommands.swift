internal import AuthorityServer
internal import CommandLineTool
internal import WatchTransfer

/// Accounts and devices that one command may make.
let countMax = 100_000

/// `NAME-1` to `NAME-N`.
func numbered(_ name: String, _ count: Int) -> [String] {
  (1...count).map { "\(name)-\($0)" }
}

/// `wristwire account add`
enum AccountAddCommand {
  static let description = CommandDescription(
    ["account", "add"], summary: "Adds an account.",
    positionals: [.init("NAME", "the account's name")],
    options: [
      .value("zone", "ZONE", "Its time zone, such as Europe/Berlin.", isRequired: true),
      .value("count", "N", "Add NAME-1 to NAME-N, for tests and loads."), newDataOption,
      waitOption,
    ],
    examples: [
      .init("wristwire account add anna --zone Europe/Berlin --data d", "adds the account anna"),
      .init("wristwire account add load --zone UTC --count 1000 --data d", "load-1 to load-1000"),
    ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    let name = arguments.positionals[0]
    let zone = try arguments.required("zone")
    let names = try arguments.integer("count", in: 1...countMax).map { numbered(name, $0) }
    try await askEach(
      (names ?? [name]).map { .addAccount(name: $0, zone: zone) },
      by: arguments, makesDirectory: true)
    return .ok
  }
}

/// `wristwire account readmit`
enum AccountReadmitCommand {
  static let description = CommandDescription(
    ["account", "readmit"],
    summary:
      "Tries an account again, at the server's next start, that was set aside for crashes, or"
      + " is left out when backups are verified.",
    positionals: [.init("NAME", "the account's name")],
    options: [dataOption, waitOption],
    examples: [
      .init("wristwire account readmit anna --data d", "one more crash sets anna aside again")
    ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    _ = try await ask(.readmit(account: arguments.positionals[0]), by: arguments)
    return .ok
  }
}

/// `wristwire account list`
enum AccountListCommand {
  static let description = CommandDescription(
    ["account", "list"],
    summary: "Lists all accounts, or with --account one of them and its devices.",
    options: [
      .value("account", "NAME", "List this one, with its devices."), dataOption, waitOption,
      .flag("json", "Print one JSON object a line."),
    ],
    examples: [
      .init("wristwire account list --data d", "one line an account"),
      .init(
        "wristwire account list --account anna --data d",
        "the account, then a line for each device: id, kind, name"),
    ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    let connection = try await AdminConnection.open(directory: try arguments.required("data"))
    do {
      try await list(
        arguments.value("account"), by: connection, wait: try waitSeconds(arguments),
        isJSON: arguments.flag("json"))
      await connection.close()
    } catch {
      await connection.close()
      throw error
    }
    return .ok
  }

  private static func list(
    _ name: String?, by connection: AdminConnection, wait: Int, isJSON: Bool
  ) async throws {
    var after: String?
    while true {
      let response = await connection.perform(
        .listAccounts(after: after, named: name), waitSeconds: wait)
      if case .failed(let problem) = response { throw ToolFailure(problem) }
      guard case .accounts(let page) = response else {
        throw ToolFailure("the server gave another answer than was asked for")
      }
      for account in page { show(account, isJSON: isJSON) }
      guard name == nil, page.count == AccountSummary.pageMax, let last = page.last else { return }
      after = last.name
    }
  }

  private static func show(_ account: AccountSummary, isJSON: Bool) {
    if isJSON { return printLine(json(of: account).json) }
    let devices = account.deviceCount == 1 ? "1 device" : "\(account.deviceCount) devices"
    printLine(
      "\(printable(account.name))  \(account.zone)  \(devices)  made \(account.created)  "
        + account.id)
    for device in account.devices ?? [] {
      printLine("  \(device.id)  \(device.kind)  \(printable(device.name))")
    }
  }

  private static func json(of account: AccountSummary) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("name", .string(account.name)), ("id", .string(account.id)),
      ("zone", .string(account.zone)), ("created", .string(account.created)),
      ("deviceCount", .whole(account.deviceCount)),
    ]
    if let devices = account.devices {
      let listed = devices.map { device in
        JSONValue.object([
          ("id", .string(device.id)), ("kind", .string(device.kind)),
          ("name", .string(device.name)),
        ])
      }
      members.append(("devices", .array(listed)))
    }
    return .object(members)
  }
}

/// `wristwire account zone`
enum AccountZoneCommand {
  static let description = CommandDescription(
    ["account", "zone"],
    summary: "Moves an account to another time zone, as of now; past days stay as they were.",
    positionals: [
      .init("NAME", "the account's name"), .init("ZONE", "an IANA id, such as Europe/Berlin"),
    ],
    options: [dataOption, waitOption],
    examples: [
      .init("wristwire account zone anna America/New_York --data d", "anna is in New York now")
    ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    _ = try await ask(
      .setZone(account: arguments.positionals[0], zone: arguments.positionals[1]), by: arguments)
    return .ok
  }
}

/// `wristwire account erase`
enum AccountEraseCommand {
  static let description = CommandDescription(
    ["account", "erase"],
    summary:
      "Erases an account for good: cuts its devices off, and takes everything of it out of the "
      + "journal. Backups made before still have it until they are deleted.",
    positionals: [.init("NAME", "the account's name")],
    options: [
      .value(
        "confirm", "NAME", "The same name once more: there is no way back.", isRequired: true),
      dataOption, waitOption,
    ],
    examples: [
      .init(
        "wristwire account erase anna --confirm anna --data d",
        "anna's devices are unpaired, and nothing of her is left in the data directory")
    ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    let name = arguments.positionals[0]
    let confirmed = try arguments.required("confirm")
    guard Array(confirmed.utf8) == Array(name.utf8) else {
      throw UsageError.contradiction("--confirm names another account than the one to erase")
    }
    _ = try await ask(.eraseAccount(name: name), by: arguments)
    return .ok
  }
}
