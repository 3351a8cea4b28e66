internal import CommandLineTool
internal import Dispatch
internal import FaultProxy
internal import Transport

/// Runs the proxy until a signal comes.
enum FaultProxyProgram {
  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    let configuration = try configuration(from: arguments)
    let interruption = Interruption()
    ignoreBrokenPipes()
    _ = try? DescriptorLimit.raiseToHard()
    let proxy = try FaultProxy(configuration)
    printLine("ready \(try await proxy.listen())")
    let asJSON = arguments.flag("json")
    if arguments.flag("control") { obey(proxy, asJSON: asJSON) }
    for await _ in interruption.signals { break }
    let statistics = await proxy.statistics
    await proxy.stop()
    show(statistics, asJSON: asJSON)
    return .ok
  }

  private static func show(_ statistics: ProxyStatistics, asJSON: Bool) {
    let figures = statistics.figures
    if asJSON {
      printLine(JSONValue.object(figures.map { ($0.name, .whole($0.value)) }).json)
    } else {
      for (name, value) in figures { printLine("\(value) \(name)") }
    }
  }

  /// Does what stdin says, a line at a time, on a thread of its own, until stdin ends.
  private static func obey(_ proxy: FaultProxy, asJSON: Bool) {
    DispatchQueue(label: "fault-proxy.control").async {
      while let line = readLine() {
        let word = line.split(separator: " ").first.map(String.init) ?? ""
        if word.isEmpty { continue }
        let done = DispatchSemaphore(value: 0)
        Task {
          await obey(word, proxy, asJSON: asJSON)
          done.signal()
        }
        done.wait()
      }
    }
  }

  private static func obey(_ word: String, _ proxy: FaultProxy, asJSON: Bool) async {
    if let command = ProxyCommand(rawValue: word) {
      await proxy.perform(command)
      printLine("done \(word)")
    } else if word == "stats" {
      show(await proxy.statistics, asJSON: asJSON)
    } else {
      let known = ProxyCommand.allCases.map(\.rawValue) + ["stats"]
      printError(
        "fault-proxy: unknown command \"\(printable(word))\"; known: "
          + known.joined(separator: ", "))
    }
  }

  private static func configuration(
    from arguments: ParsedArguments
  ) throws(UsageError) -> ProxyConfiguration {
    let faults = try faults(from: arguments)
    var seed: UInt64 = 1
    if let text = arguments.value("seed") {
      guard let number = UInt64(text) else {
        throw .badValue(of: "--seed", given: text, expected: "a number")
      }
      seed = number
    }
    var configuration = ProxyConfiguration(
      listen: try address("listen", arguments.value("listen") ?? "127.0.0.1:7421"),
      server: try address("server", try arguments.required("server")), faults: faults, seed: seed)
    let (up, down) = (arguments.flag("up"), arguments.flag("down"))
    if down, !up { configuration.up = Faults() }
    if up, !down { configuration.down = Faults() }
    if let count = try arguments.integer("first", in: 0...1_000_000_000) {
      configuration.faultyConnections = UInt64(count)
    }
    return configuration
  }

  private static func faults(from arguments: ParsedArguments) throws(UsageError) -> Faults {
    var faults = Faults()
    faults.delay = try range("delay", "a range such as 20ms..80ms", arguments) { text in
      DurationArgument(text).map { Duration.milliseconds($0.milliseconds) }
    }
    faults.split = try range("split", "a range of bytes such as 1..7", arguments) { text in
      Int(text).flatMap { (1...65_536).contains($0) ? $0 : nil }
    }
    faults.corrupt = try point("corrupt", arguments)
    faults.cut = try point("cut-after", arguments)
    faults.reset = try point("reset", arguments)
    faults.halfClose = try point("half-close", arguments)
    faults.stall = try point("stall", arguments)
    return faults
  }

  private static func address(
    _ name: String, _ text: String
  ) throws(UsageError) -> SocketAddress {
    do throws(SocketAddressError) {
      return try SocketAddress(parsing: text)
    } catch {
      throw .contradiction("--\(name): \(error)")
    }
  }

  private static func point(
    _ name: String, _ arguments: ParsedArguments
  ) throws(UsageError) -> FaultPoint? {
    guard let text = arguments.value(name) else { return nil }
    guard let point = FaultPoint(text) else {
      throw .badValue(of: "--\(name)", given: text, expected: FaultPoint.expected)
    }
    return point
  }

  /// One value, or two with dots between them, the smaller first.
  private static func range<Bound: Comparable>(
    _ name: String, _ expected: String, _ arguments: ParsedArguments,
    bound: (Substring) -> Bound?
  ) throws(UsageError) -> ClosedRange<Bound>? {
    guard let text = arguments.value(name) else { return nil }
    let ends: [Substring]
    if let dots = text.firstRange(of: "..") {
      ends = [text[..<dots.lowerBound], text[dots.upperBound...]]
    } else {
      ends = [text[...]]
    }
    let bounds = ends.compactMap(bound)
    guard bounds.count == ends.count, let first = bounds.first, let last = bounds.last,
      first <= last
    else { throw .badValue(of: "--\(name)", given: text, expected: expected) }
    return first...last
  }
}
