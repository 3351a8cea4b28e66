internal import AuthorityServer
internal import CommandLineTool

/// The program: a server, and what one does with it.
let wristwire = Tool(
  name: "wristwire",
  summary: "A phone authority: owns workouts and matches while watches and widgets ask and show.",
  commands: [
    ServeCommand.description, DemoCommand.description, AccountAddCommand.description,
    AccountListCommand.description, AccountZoneCommand.description,
    AccountEraseCommand.description, AccountExportCommand.description,
    AccountReadmitCommand.description,
    PairCommand.description, RevokeCommand.description, ImportCommand.description,
    StatusCommand.description, AuditCommand.description, CheckCommand.description,
    ClockSetCommand.description, CertificateCommand.description, PinCommand.description,
    ReplayCommand.description,
    BackupCommand.description, RestoreCommand.description,
  ])

/// The option that names the data directory.
let dataOption = OptionDescription.value("data", "DIR", "The data directory.", isRequired: true)

/// The option that names the data directory, which need not be there.
let newDataOption = OptionDescription.value(
  "data", "DIR", "The data directory; made (mode 0700) if it is missing.", isRequired: true)

/// How long a command waits for an answer that takes no time; read it with `waitSeconds`.
let waitOption = OptionDescription.value(
  "wait", "SECONDS",
  "How long to wait for the server's answer; \(AdminConnection.waitSeconds) unless given.")

/// What `waitOption` says.
func waitSeconds(_ arguments: ParsedArguments) throws(UsageError) -> Int {
  try arguments.integer("wait", in: 1...86_400) ?? AdminConnection.waitSeconds
}

/// Carries out the command that was named.
func perform(_ arguments: ParsedArguments) async throws -> ExitStatus {
  switch arguments.command.words {
  case ServeCommand.description.words: try await ServeCommand.run(arguments)
  case DemoCommand.description.words: try await DemoCommand.run(arguments)
  case AccountAddCommand.description.words: try await AccountAddCommand.run(arguments)
  case AccountListCommand.description.words: try await AccountListCommand.run(arguments)
  case AccountZoneCommand.description.words: try await AccountZoneCommand.run(arguments)
  case AccountEraseCommand.description.words: try await AccountEraseCommand.run(arguments)
  case AccountExportCommand.description.words: try await AccountExportCommand.run(arguments)
  case AccountReadmitCommand.description.words: try await AccountReadmitCommand.run(arguments)
  case PairCommand.description.words: try await PairCommand.run(arguments)
  case RevokeCommand.description.words: try await RevokeCommand.run(arguments)
  case ImportCommand.description.words: try await ImportCommand.run(arguments)
  case StatusCommand.description.words: try await StatusCommand.run(arguments)
  case AuditCommand.description.words: try await AuditCommand.run(arguments)
  case CheckCommand.description.words: try await CheckCommand.run(arguments)
  case CertificateCommand.description.words: try CertificateCommand.run(arguments)
  case PinCommand.description.words: try PinCommand.run(arguments)
  case BackupCommand.description.words: try await BackupCommand.run(arguments)
  case RestoreCommand.description.words: try await RestoreCommand.run(arguments)
  case ReplayCommand.description.words: try ReplayCommand.run(arguments)
  default: try await ClockSetCommand.run(arguments)
  }
}

/// Asks the server of a directory, or the directory itself, for one thing.
func ask(
  _ request: AdminRequest, of directory: String, waitSeconds: Int = AdminConnection.waitSeconds
) async throws -> AdminResponse {
  let connection = try await AdminConnection.open(directory: directory)
  let response = await connection.perform(request, waitSeconds: waitSeconds)
  await connection.close()
  if case .failed(let problem) = response { throw ToolFailure(problem) }
  return response
}

/// The same for a command with `dataOption` and `waitOption`.
func ask(_ request: AdminRequest, by arguments: ParsedArguments) async throws -> AdminResponse {
  try await ask(
    request, of: try arguments.required("data"), waitSeconds: try waitSeconds(arguments))
}

/// Asks for many things, one after the other; the first that fails ends it. On a terminal it says
/// once in a while how far it has come.
func askEach(
  _ requests: [AdminRequest], by arguments: ParsedArguments, makesDirectory: Bool = false,
  _ take: (AdminResponse) throws -> Void = { _ in }
) async throws {
  let wait = try waitSeconds(arguments)
  let directory = try arguments.required("data")
  let connection = try await AdminConnection.open(
    directory: directory, makesDirectory: makesDirectory)
  do {
    for (index, request) in requests.enumerated() {
      let response = await connection.perform(request, waitSeconds: wait)
      if case .failed(let problem) = response { throw ToolFailure(problem) }
      try take(response)
      if progressIsShown, index % 1_000 == 999 { printError("\(index + 1) of \(requests.count)") }
    }
    await connection.close()
  } catch {
    await connection.close()
    throw error
  }
}
