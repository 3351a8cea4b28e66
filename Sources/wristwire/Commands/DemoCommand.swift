internal import CommandLineTool

/// `wristwire demo`
enum DemoCommand {
  static let description = CommandDescription(
    ["demo"], summary: "Shows what the authority promises, and checks each claim it prints.",
    examples: [.init("wristwire demo", "about 20 seconds; exit 0 only if every claim held")])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus { .failed }
}
