internal import AuthorityServer
internal import CommandLineTool
internal import Foundation
internal import Simulation

/// The program: server and devices on simulated time, network and disk, from seeds.
let faultSimulator = Tool(
  name: "fault-simulator",
  command: CommandDescription(
    summary:
      "Runs server and devices on simulated time, network and disk, and checks the promises.",
    options: [
      .value("seeds", "A..B", "The stories to tell, such as 1..2000."),
      .value("seed", "N", "One story, told again with everything that was done in it."),
      .value("steps", "N", "Moves of a story. Default: 100."),
      .flag("json", "Print one JSON object."),
    ],
    examples: [
      .init("fault-simulator --seeds 1..2000", "2,000 stories of 100 moves each"),
      .init("fault-simulator --seed 17", "story 17 again, move by move"),
    ],
    endings: [
      .init(.ok, "every promise held"), .init(.failed, "a promise was broken, or something failed"),
      .init(.usage, "the command line makes no sense"),
    ]))

enum FaultSimulator {
  static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
    try makeHashingStable()
    let seeds = try seeds(from: arguments)
    let moves = try arguments.integer("steps", in: 1...100_000) ?? 100
    let folder =
      "\(Self.scratch)/wristwire-simulation-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let campaign = Campaign(moves: moves, folder: folder, zones: try MachineZones())
    var report = Campaign.Report()
    let start = SteadyClock.milliseconds
    for seed in seeds {
      campaign.tell(seed, into: &report)
      if report.failures.count >= failuresMax { break }
      if progressIsShown, report.seeds % 1_000 == 0 {
        printError("\(report.seeds) of \(seeds.count)")
      }
    }
    let took = max(1, SteadyClock.milliseconds - start)
    printLine(
      arguments.flag("json") ? json(of: report, took).json : text(of: report, took))
    return report.failures.isEmpty ? .ok : .failed
  }

  /// Devices' files are real ones: in memory, where there is such a place, nothing waits for a
  /// disk.
  private static var scratch: String {
    access("/dev/shm", W_OK) == 0 ? "/dev/shm" : FileManager.default.temporaryDirectory.path
  }

  /// After so many broken promises there is no use in more.
  private static let failuresMax = 10

  /// The order of dictionaries follows from the seed only where hashing does not differ from
  /// process to process: the program begins again in such an environment.
  private static func makeHashingStable() throws {
    let variable = "SWIFT_DETERMINISTIC_HASHING"
    if environmentVariable(variable) != nil { return }
    setenv(variable, "1", 1)
    var arguments = CommandLine.unsafeArgv.withMemoryRebound(
      to: UnsafeMutablePointer<CChar>?.self, capacity: Int(CommandLine.argc) + 1
    ) { Array(UnsafeBufferPointer(start: $0, count: Int(CommandLine.argc))) }
    arguments.append(nil)
    execv("/proc/self/exe", &arguments)
    throw ToolFailure("the program could not begin again: \(String(cString: strerror(errno)))")
  }

  private static func seeds(from arguments: ParsedArguments) throws -> ClosedRange<UInt64> {
    switch (arguments.value("seeds"), arguments.value("seed")) {
    case (let range?, nil):
      let ends = range.components(separatedBy: "..").map { UInt64($0) }
      if ends.count == 2, let first = ends[0], let last = ends[1], first <= last {
        return first...last
      }
      throw UsageError.badValue(of: "--seeds", given: range, expected: "a range such as 1..2000")
    case (nil, let seed?):
      guard let number = UInt64(seed) else {
        throw UsageError.badValue(of: "--seed", given: seed, expected: "a number")
      }
      return number...number
    default: throw UsageError.contradiction("one of --seeds A..B and --seed N is needed")
    }
  }

  private static func json(of report: Campaign.Report, _ took: Int64) -> JSONValue {
    .object([
      ("seeds", .whole(report.seeds)), ("steps", .whole(report.steps)),
      ("projections", .whole(report.projections)),
      ("stepsPerSecond", .whole(report.steps * 1_000 / Int(took))),
      (
        "faults",
        .object(report.faults.sorted { $0.key < $1.key }.map { ($0.key, .whole($0.value)) })
      ),
      ("failures", .array(report.failures.map { json(of: $0) })),
    ])
  }

  private static func json(of failure: Campaign.Failure) -> JSONValue {
    .object([
      ("seed", .string("\(failure.seed)")), ("step", .whole(failure.step)),
      ("promise", .string(failure.promise)),
      ("story", .array(failure.story.map { .string($0) })),
    ])
  }

  private static func text(of report: Campaign.Report, _ took: Int64) -> String {
    var lines = [
      "\(report.seeds) seeds, \(report.steps) steps, \(report.projections) fresh projections, "
        + "\(report.steps * 1_000 / Int(took)) steps/s"
    ]
    for (kind, count) in report.faults.sorted(by: { $0.key < $1.key }) {
      lines.append("  \(count) × \(kind)")
    }
    for failure in report.failures {
      lines.append(
        "seed \(failure.seed) broke a promise at step \(failure.step): \(failure.promise)")
      lines += failure.story.suffix(report.seeds == 1 ? 10_000 : 40).map { "    \($0)" }
    }
    if report.failures.isEmpty { lines.append("every promise held") }
    return lines.joined(separator: "\n")
  }
}
