internal import AuthorityServer
internal import CommandLineTool

/// `wristwire account export`
enum AccountExportCommand {
  static let description = CommandDescription(
    ["account", "export"],
    summary:
      "Writes everything of an account into a new folder: account.json, tables of logs, sets and "
      + "weights (CSV), and photos.",
    positionals: [.init("NAME", "the account's name")],
    options: [
      .value("to", "FOLDER", "The folder; it must not be there yet.", isRequired: true),
      dataOption, waitOption,
    ],
    examples: [
      .init(
        "wristwire account export anna --to anna-export --data d",
        "while the server serves, or without one")
    ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    let folder = absolute(try arguments.required("to"))
    let response = try await ask(
      .exportAccount(name: arguments.positionals[0], to: folder), by: arguments)
    guard case .exported(let logs, let photos, let missing) = response else {
      throw ToolFailure("the server gave another answer than was asked for")
    }
    printLine("\(printable(folder)): \(logs) logs, \(photos) photos")
    if missing > 0 {
      printError("wristwire: \(missing) photos are missing; send them again from a device")
    }
    return .ok
  }
}
