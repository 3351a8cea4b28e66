internal import AuthorityServer
internal import CommandLineTool
internal import Glibc
internal import Transport

/// `wristwire serve`
enum ServeCommand {
  static let description = CommandDescription(
    ["serve"],
    summary: "Serves a data directory until SIGTERM, SIGINT or SIGQUIT; SIGHUP is ignored.",
    options: [
      newDataOption,
      .value(
        "listen", "HOST:PORT", "Where to listen; port 0 picks one. Default: 127.0.0.1:7420."),
      .value("unix", "PATH", "A Unix socket to listen at as well."),
      .value("partitions", "N", "Serial queues that share the accounts. Default: cores - 1."),
      .value("limits", "FILE", "Limits, one \"name = value\" a line; see below."),
      .value("test-clock", "INSTANT", "The wall clock starts there and runs on; for tests."),
    ],
    sections: [
      .init("Limits", ServerLimits().lines.map { "\($0.name) = \($0.value)  \($0.explanation)" })
    ],
    examples: [
      .init("wristwire serve --data ~/.wristwire", "serves on 127.0.0.1:7420"),
      .init(
        "wristwire serve --data d --listen 127.0.0.1:0 --unix d/wristwire.sock",
        "picks a port, and listens at a Unix socket too"),
    ],
    endings: [
      .init(.ok, "stopped cleanly by a signal"), .init(.failed, "failed; stderr says why"),
      .init(.usage, "the command line makes no sense"),
      .init(ExitStatus(rawValue: 74), "a commit's outcome is unknown: start it again"),
    ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    let configuration = try configuration(from: arguments)
    let interruption = Interruption(outlivesTerminal: true)
    let server = try await AdminConnection.openServer(directory: configuration.directory) {
      try AuthorityServer(configuration) { error in
        if error.journalHasMoved {
          // Not to be started again by itself: it would begin anew beside what was taken away.
          printError("wristwire: \(error)")
          _exit(ExitStatus.failed.rawValue)
        }
        printError("wristwire: a commit failed, its outcome is unknown: \(error)")
        // The database is left as it is: only a fresh start can tell what is on disk.
        _exit(74)
      }
    }
    do {
      try server.listen()
    } catch {
      await server.stop()
      throw error
    }
    for address in server.addresses { printLine("ready \(address)") }
    for await _ in interruption.signals { break }
    await server.stop()
    return .ok
  }

  private static func configuration(
    from arguments: ParsedArguments
  ) throws -> ServerConfiguration {
    var addresses = [try address(arguments.value("listen") ?? "127.0.0.1:7420", of: "--listen")]
    if let path = arguments.value("unix") {
      addresses.append(try address("unix:\(path)", of: "--unix"))
    }
    var limits = ServerLimits()
    if let path = arguments.value("limits") {
      do {
        try limits.read(try SmallFile.read(path))
      } catch let error as LimitsError {
        throw UsageError.badValue(of: "--limits", given: path, expected: "right: \(error)")
      } catch let error as ToolFailure {
        throw UsageError.contradiction("--limits: \(error)")
      }
    }
    return ServerConfiguration(
      directory: try arguments.required("data"), addresses: addresses,
      partitions: try arguments.integer("partitions", in: 1...64) ?? 0, limits: limits,
      testClock: try arguments.instant("test-clock")?.resolved(now: AuthorityClock().now()))
  }

  private static func address(_ text: String, of option: String) throws(UsageError)
    -> SocketAddress
  {
    do {
      return try SocketAddress(parsing: text)
    } catch {
      throw .contradiction("\(option): \(error)")
    }
  }
}
