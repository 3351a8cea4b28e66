internal import AuthorityServer
internal import CommandLineTool

private let accountOption = OptionDescription.value(
  "account", "NAME", "The account's name.", isRequired: true)

/// `wristwire account add`
enum AccountAddCommand {
  static let description = CommandDescription(
    ["account", "add"], summary: "Adds an account.",
    positionals: [.init("NAME", "the account's name")],
    options: [
      .value("zone", "ZONE", "Its time zone, such as Europe/Berlin.", isRequired: true), dataOption,
    ],
    examples: [
      .init("wristwire account add anna --zone Europe/Berlin --data d", "adds the account anna")
    ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    _ = try await ask(
      .addAccount(name: arguments.positionals[0], zone: try arguments.required("zone")),
      of: try arguments.required("data"))
    return .ok
  }
}

/// `wristwire pair`
enum PairCommand {
  static let description = CommandDescription(
    ["pair"], summary: "Pairs a device and prints its token, alone, on stdout.",
    options: [
      accountOption,
      .value(
        "kind", "KIND", "phone, watch, widget, activity, health or controller.", isRequired: true),
      .value("name", "TEXT", "What people call it. Default: its kind."), dataOption,
    ],
    examples: [
      .init(
        "wristwire pair --account anna --kind watch --name Wrist --data d",
        "prints 64 hexadecimal digits; they are not shown again")
    ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    let response = try await ask(
      .pair(
        account: try arguments.required("account"), kind: try arguments.required("kind"),
        name: arguments.value("name")),
      of: try arguments.required("data"))
    guard case .paired(let token, _) = response else {
      throw ToolFailure("the server gave another answer than was asked for")
    }
    printLine(token)
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
    ],
    examples: [
      .init("wristwire revoke --account anna --device Wrist --data d", "Wrist may not come back")
    ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    _ = try await ask(
      .revoke(
        account: try arguments.required("account"), device: try arguments.required("device")),
      of: try arguments.required("data"))
    return .ok
  }
}
