internal import AuthorityServer
internal import CommandLineTool

/// `wristwire audit`
enum AuditCommand {
  static let description = CommandDescription(
    ["audit"],
    summary:
      "Prints the audit log: pairing, codes, revocations, refusals; no token, code or payload.",
    options: [dataOption, .flag("json", "Print the lines as they are kept: a JSON object each.")],
    sections: [
      .init(
        "Events",
        [
          "started, stopped     the server; a server that was killed says nothing",
          "accountAdded         an account",
          "paired               a device, by a command",
          "codeMade             a pairing code",
          "codeRedeemed         a device, by a code",
          "codeExpired          a code whose time is over",
          "codeKilled           a code whose tries were spent on wrong ones",
          "revoked              a device",
          "goodbye              connections that were told this reason, counted",
          "refused              actions that were refused for this reason, counted",
          "lost                 lines that could not be written",
        ])
    ],
    examples: [.init("wristwire audit --data d --json", "prints a JSON object a line")])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    for line in try AuditReader.lines(directory: try arguments.required("data")) {
      printLine(arguments.flag("json") ? line : text(of: line))
    }
    return .ok
  }

  /// `2026-06-15T10:00:00Z paired account=… kind=watch`; the line itself where it is no JSON.
  private static func text(of line: String) -> String {
    guard let members = (try? JSONParser.parse(line))?.members else { return printable(line) }
    return members.enumerated().map { index, member in
      let value = if case .string(let text) = member.1 { text } else { member.1.json }
      return printable(index < 2 ? value : "\(member.0)=\(value)")
    }.joined(separator: " ")
  }
}
