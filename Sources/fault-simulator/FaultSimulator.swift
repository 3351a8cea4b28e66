internal import AuthorityServer
internal import CommandLineTool
internal import Dispatch
internal import Foundation
internal import Guards
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
      .value("steps", "N", "Moves of a story, of about 30 events each. Default: 100."),
      .value("jobs", "N", "Stories told at once. Default: as many as there are processors."),
      .value("failures", "N", "Ends after so many broken promises. Default: 10."),
      .flag("whole", "Does not look for the fewest moves that break a promise too."),
      .flag("json", "Print one JSON object."),
    ],
    examples: [
      .init("fault-simulator --seeds 1..2000", "2,000 stories of 100 moves each"),
      .init("fault-simulator --seeds 1..1000000 --steps 10", "a million short ones"),
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
    let processors = ProcessInfo.processInfo.activeProcessorCount
    let jobs = min(try arguments.integer("jobs", in: 1...256) ?? processors, seeds.count)
    let failuresMax = try arguments.integer("failures", in: 1...1_000) ?? 10
    let folder =
      "\(Self.scratch)/wristwire-simulation-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let campaign = Campaign(
      moves: moves, folder: folder, zones: try MachineZones(), shortens: !arguments.flag("whole"))
    let start = SteadyClock.milliseconds
    let report = tell(campaign, seeds, jobs: jobs, failuresMax: failuresMax)
    let took = max(1, SteadyClock.milliseconds - start)
    printLine(
      arguments.flag("json") ? report.json(took).json : report.text(took, isWhole: seeds.count == 1)
    )
    return report.failures.isEmpty ? .ok : .failed
  }

  /// Tells the stories in order, several at once, until enough promises are broken.
  private static func tell(
    _ campaign: Campaign, _ seeds: ClosedRange<UInt64>, jobs: Int, failuresMax: Int
  ) -> Campaign.Report {
    let progress = Lock((next: seeds.first, report: Campaign.Report()))
    DispatchQueue.concurrentPerform(iterations: jobs) { _ in
      while true {
        let seed = progress.withLock { progress -> UInt64? in
          guard progress.report.failures.count < failuresMax, let seed = progress.next else {
            return nil
          }
          progress.next = seed < seeds.upperBound ? seed + 1 : nil
          return seed
        }
        guard let seed else { return }
        let story = campaign.tell(seed)
        let told = progress.withLock { progress in
          progress.report.add(story)
          return progress.report.seeds
        }
        if progressIsShown, told % 1_000 == 0 { printError("\(told) of \(seeds.count)") }
      }
    }
    var report = progress.withLock { $0.report }
    report.failures.sort { $0.seed < $1.seed }
    return report
  }

  /// Devices' files are real ones: in memory, where there is such a place, nothing waits for a
  /// disk.
  private static var scratch: String {
    access("/dev/shm", W_OK) == 0 ? "/dev/shm" : FileManager.default.temporaryDirectory.path
  }

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
      if ends.count == 2, let first = ends[0], let last = ends[1], first <= last,
        last - first < 1 << 40
      {
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
}
