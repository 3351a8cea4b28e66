internal import AuthorityServer
internal import CommandLineTool
internal import Dispatch
internal import Glibc
internal import Transport

/// `wristwire serve`
enum ServeCommand {
  static let description = CommandDescription(
    ["serve"],
    summary: "Serves a data directory until SIGTERM, SIGINT or SIGQUIT; SIGHUP reads the"
      + " certificate again.",
    options: [
      newDataOption,
      .repeated(
        "listen", "ADDR",
        "Where to listen: HOST:PORT, or tls:HOST:PORT for TLS on loopback too; port 0 picks one. "
          + "Default: 127.0.0.1:7420."),
      .value("unix", "PATH", "A Unix socket to listen at as well."),
      .value("tls-certificate", "FILE", "The certificate in PEM; with it, TLS beyond loopback."),
      .value("tls-key", "FILE", "Its key in PEM; others must not be able to read it."),
      .flag("insecure", "Listen beyond loopback without TLS: tokens can be read on their way."),
      .value("partitions", "N", "Serial queues that share the accounts. Default: cores - 1."),
      .value("limits", "FILE", "Limits, one \"name = value\" a line; see below."),
      .value(
        "backup-to", "DIR",
        "Make verified backups there by itself; on another machine's disk or another medium."),
      .value("backup-every", "SPAN", "From one backup to the next. Default: 24h."),
      .value("backup-keep", "N", "Backups of this directory kept there. Default: 7."),
      .value("test-clock", "INSTANT", "The wall clock starts there and runs on; for tests."),
      .value(
        "record", "FILE",
        "Records what comes in and goes out, for wristwire replay; older parts: FILE.1 to FILE.3."),
      .value(
        "record-bytes", "N",
        "Most that all parts of the record may take. Default: \(RecordOptions.bytesDefault)."),
    ],
    sections: [
      .init("Limits", ServerLimits().lines.map { "\($0.name) = \($0.value)  \($0.explanation)" })
    ],
    examples: [
      .init("wristwire serve --data ~/.wristwire", "serves on 127.0.0.1:7420"),
      .init(
        "wristwire serve --data d --backup-to /mnt/nas --backup-every 6h --backup-keep 28",
        "a verified backup every six hours, of a week"),
      .init(
        "wristwire serve --data d --listen 127.0.0.1:0 --unix d/wristwire.sock",
        "picks a port, and listens at a Unix socket too"),
      .init(
        "wristwire serve --data d --listen 0.0.0.0:7420 --tls-certificate tls.crt --tls-key tls.key",
        "serves other machines over TLS 1.3, and prints the pin for their clients"),
      .init(
        "wristwire serve --data d --record d.record", "keeps what came last"),
    ],
    endings: [
      .init(.ok, "stopped cleanly by a signal"), .init(.failed, "failed; stderr says why"),
      .init(.usage, "the command line makes no sense"),
      .init(ExitStatus(rawValue: 74), "a commit's outcome is unknown: start it again"),
    ])

  /// What a clean stop may take; service managers kill after 90 s.
  private static let stopSecondsMax = 30.0

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    let configuration = try configuration(from: arguments)
    // Before anything can be signalled: a HUP that comes too early is ignored, never the end.
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
    for endpoint in server.endpoints {
      let pin = endpoint.isSecured ? server.pin.map { " pin \($0)" } : nil
      printLine("ready \(endpoint)\(pin ?? "")")
    }
    for endpoint in server.endpoints where !endpoint.isSecured && !endpoint.address.isLocal {
      printError("wristwire: \(endpoint) has no TLS: tokens can be read on their way to it")
    }
    let reloading = configuration.certificate == nil ? nil : reloadOnHangUp(server)
    defer { reloading?.cancel() }
    for await _ in interruption.signals { break }
    await server.stop(withinSeconds: stopSecondsMax) {
      printError("wristwire: a disk does not answer: ended without waiting; nothing told is lost")
      _exit(ExitStatus.failed.rawValue)
    }
    return .ok
  }

  /// Has SIGHUP read the certificate and the key again.
  private static func reloadOnHangUp(_ server: AuthorityServer) -> SignalSource {
    SignalSource([.hangUp], on: DispatchQueue(label: "wristwire.reload")) { _ in
      do {
        try server.reloadCertificate()
        printLine("reloaded pin \(server.pin.map(\.description) ?? "")")
      } catch {
        printError("wristwire: the certificate was not read anew, the old one stays: \(error)")
      }
    }
  }

  private static func configuration(
    from arguments: ParsedArguments
  ) throws -> ServerConfiguration {
    var endpoints: [EndpointAddress] = []
    for text in arguments.all("listen") {
      endpoints.append(try endpoint(text, of: "--listen"))
    }
    if endpoints.isEmpty { endpoints = [try endpoint("127.0.0.1:7420", of: "--listen")] }
    if let path = arguments.value("unix") {
      endpoints.append(try endpoint("unix:\(path)", of: "--unix"))
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
    var configuration = ServerConfiguration(
      directory: try arguments.required("data"),
      addresses: endpoints.filter { !$0.isSecured }.map(\.address),
      partitions: try arguments.integer("partitions", in: 1...64) ?? 0, limits: limits,
      testClock: try arguments.instant("test-clock")?.resolved(now: AuthorityClock().now()),
      backup: try plan(from: arguments))
    configuration.securedAddresses = endpoints.filter(\.isSecured).map(\.address)
    configuration.certificate = try certificate(arguments)
    configuration.isInsecure = arguments.flag("insecure")
    configuration.record = try record(from: arguments)
    return configuration
  }

  private static func plan(from arguments: ParsedArguments) throws -> BackupPlan? {
    let every = try arguments.duration("backup-every")
    let keep = try arguments.integer("backup-keep", in: 1...100_000)
    guard let target = arguments.value("backup-to") else {
      if every != nil || keep != nil {
        throw UsageError.contradiction("--backup-every and --backup-keep need --backup-to")
      }
      return nil
    }
    let span = every?.milliseconds ?? 86_400_000
    guard span >= 60_000 else {
      throw UsageError.badValue(
        of: "--backup-every", given: arguments.value("backup-every"), expected: "a minute or more")
    }
    return BackupPlan(target: absolute(target), everyMilliseconds: span, keep: keep ?? 7)
  }

  private static func record(from arguments: ParsedArguments) throws -> RecordOptions? {
    let bytes = try arguments.integer("record-bytes", in: RecordOptions.bytesMin...1 << 36)
    guard let path = arguments.value("record") else {
      if bytes != nil { throw UsageError.contradiction("--record-bytes needs --record") }
      return nil
    }
    return RecordOptions(
      path: path, bytesMax: bytes ?? RecordOptions.bytesDefault,
      program: "wristwire \(toolVersion)")
  }

  private static func certificate(
    _ arguments: ParsedArguments
  ) throws(UsageError) -> CertificateFiles? {
    switch (arguments.value("tls-certificate"), arguments.value("tls-key")) {
    case (nil, nil): return nil
    case (let certificate?, let key?):
      if arguments.flag("insecure") {
        throw .contradiction("--insecure and --tls-certificate exclude each other")
      }
      return CertificateFiles(certificate: certificate, key: key)
    case (nil, _?), (_?, nil):
      throw .contradiction("--tls-certificate FILE and --tls-key FILE go together")
    }
  }

  private static func endpoint(_ text: String, of option: String) throws(UsageError)
    -> EndpointAddress
  {
    do {
      return try EndpointAddress(parsing: text)
    } catch {
      throw .contradiction("\(option): \(error)")
    }
  }
}
