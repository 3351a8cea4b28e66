internal import CommandLineTool
internal import Transport

/// Carries out one command line: devices, connections, load, report.
func load(_ options: LoadOptions) async throws -> ExitStatus {
  let stop = StopFlag()
  switch options.devices {
  case .file(let path):
    let tokens = try TokenList.read(path, connections: options.connections)
    guard let place = options.place else { throw ToolFailure("--server ADDR is missing") }
    return try measure(
      options, at: place.endpoint.address, try place.client(), tokens: tokens, stop: stop)
  case .spawned(let accounts):
    let server = try SpawnedServer(stop: stop)
    defer { server.remove() }
    let place = try server.start(options)
    let tokens = try server.devices(for: options, accounts: accounts)
    if let signal = stop.signal { return .interrupted(by: signal) }
    return try measure(options, at: place, nil, tokens: tokens, stop: stop)
  }
}

/// Reads the address that was given.
func address(_ text: String) throws(UsageError) -> SocketAddress {
  do {
    return try SocketAddress(parsing: text)
  } catch {
    throw .contradiction("--server: \(error)")
  }
}

private func measure(
  _ options: LoadOptions, at address: SocketAddress, _ tls: TLSClient?, tokens: [[UInt8]],
  stop: StopFlag
) throws -> ExitStatus {
  let report: LoadReport
  switch options.scenario {
  case .fetch, .act, .idle:
    let run = try LoadRun(options, tokens: tokens, stop: stop)
    try run.connect(to: address, securedBy: tls)
    if stop.signal == nil { run.load() }
    report = run.report
  case .paced:
    let run = try PacedRun(options, tokens: tokens, stop: stop)
    try run.connect(to: address, securedBy: tls)
    if stop.signal == nil { run.load() }
    report = run.report
  case .mixed:
    // Slow readers leave the pool, and with it what speaks TLS.
    if tls != nil { throw UsageError.contradiction("--scenario mixed goes without TLS") }
    let run = try MixedRun(options, tokens: tokens, stop: stop)
    run.load(address)
    report = run.report
  }
  printLine(options.isJSON ? report.json.json : report.text)
  if let signal = stop.signal { return .interrupted(by: signal) }
  if report.answered == 0, options.scenario != .idle, options.scenario != .mixed {
    throw ToolFailure("nothing was answered")
  }
  return .ok
}
