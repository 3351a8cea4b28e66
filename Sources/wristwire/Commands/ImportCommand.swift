internal import AuthorityServer
internal import CommandLineTool
internal import HealthImport

/// `wristwire import apple-health`
enum ImportCommand {
  static let description = CommandDescription(
    ["import", "apple-health"],
    summary: "Logs the workouts of an Apple Health export; what is there already stays as it is.",
    positionals: [.init("FILE", "export.xml, a folder that holds one, or - for stdin")],
    options: [
      .value("account", "NAME", "The account's name.", isRequired: true), dataOption,
      .flag("json", "Print one JSON object."),
    ],
    sections: [
      .init(
        "What becomes of each workout that was read",
        [
          "logged   it is there now",
          "known    it was there already, by source, type, start and end",
          "merged   it joined another copy of the same workout (not yet: 0)",
          "echo     it was written by us and came back (not yet: 0)",
          "skipped  it could not be read or was refused: see the problems",
        ])
    ],
    examples: [
      .init("wristwire import apple-health export.xml --account anna --data d", "logs its workouts")
    ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    let connection = try await AdminConnection.open(directory: try arguments.required("data"))
    do {
      let tally = try await run(arguments, through: connection)
      await connection.close()
      printLine(arguments.flag("json") ? json(of: tally).json : text(of: tally))
      guard tally.isCutOff else { return .ok }
      wristwire.fail("the export ends too early: what was whole is logged; fetch it again")
      return .failed
    } catch {
      await connection.close()
      throw error
    }
  }

  private static func run(_ arguments: ParsedArguments, through connection: AdminConnection)
    async throws -> ImportTally
  {
    var importing = WorkoutImport(
      connection: connection, account: try arguments.required("account"))
    let path = arguments.positionals[0]
    do {
      try await ExportSlices(path: path).handOn { slice in
        for item in slice where importing.take(item) { try await importing.send() }
      }
    } catch let error as HealthImportError {
      throw ToolFailure("\(path == "-" ? "stdin" : printable(path)): \(error)")
    }
    try await importing.send()
    return importing.tally
  }

  private static func json(of tally: ImportTally) -> JSONValue {
    .object([
      ("read", .whole(tally.read)), ("logged", .whole(tally.logged)),
      ("known", .whole(tally.known)), ("merged", .whole(tally.merged)),
      ("echo", .whole(tally.echo)), ("skipped", .whole(tally.skipped)),
      ("problems", .array(tally.problems.map { .string($0) })),
    ])
  }

  private static func text(of tally: ImportTally) -> String {
    var lines = [
      "\(tally.read) read: \(tally.logged) logged, \(tally.known) known, \(tally.skipped) skipped"
    ]
    lines += tally.problems.map { "  \(printable($0))" }
    return lines.joined(separator: "\n")
  }
}
