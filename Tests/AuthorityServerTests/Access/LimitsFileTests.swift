import Testing

@testable import AuthorityServer

@Suite struct LimitsFileTests {
  static let names = ServerLimits.table.map(\.name)

  func entry(_ name: String) throws -> LimitEntry {
    try #require(ServerLimits.table.first { $0.name == name })
  }

  /// Limits in which every relation leaves room for one to take any value.
  static func roomy(for name: String, value: Int) -> ServerLimits {
    var limits = ServerLimits()
    switch name {
    case "unsentBytesMax": limits.clientFrameBytesMax = min(65_536, value)
    case "leaseMilliseconds": limits.idleMilliseconds = 1_000
    case "idleMilliseconds": limits.leaseMilliseconds = 3_600_000
    case "inFlightMax": limits.commitQueueMax = 1_000_000
    case "commitQueueMax": limits.inFlightMax = 1
    case "actsPerSecond": limits.actsBurst = 10_000_000
    case "actsBurst": limits.actsPerSecond = 1
    case "fetchesPerSecond": limits.fetchesBurst = 10_000_000
    case "fetchesBurst": limits.fetchesPerSecond = 1
    case "resumesPerSecond": limits.resumesBurst = 1_000_000
    case "resumesBurst": limits.resumesPerSecond = 1
    case "queriesPerSecond": limits.queriesBurst = 1_000_000
    case "queriesBurst": limits.queriesPerSecond = 1
    case "pingsPerSecond": limits.pingsBurst = 1_000_000
    case "pingsBurst": limits.pingsPerSecond = 1
    case "chunksPerSecond": limits.chunksBurst = 1_000_000
    case "chunksBurst": limits.chunksPerSecond = 1
    case "pulsesPerSecond": limits.pulsesBurst = 1_000_000
    case "pulsesBurst": limits.pulsesPerSecond = 1
    case "replacementsPerSecond": limits.replacementsBurst = 1_000_000
    case "replacementsBurst": limits.replacementsPerSecond = 1
    default: break
    }
    return limits
  }

  @Test(arguments: names) func `each limit takes the values of its range and no others`(
    name: String
  )
    throws
  {
    let entry = try entry(name)
    let range = entry.range
    for value in [range.lowerBound, range.upperBound] {
      var limits = Self.roomy(for: name, value: value)
      try limits.read("\(name) = \(value)")
      #expect(limits[keyPath: entry.path] == value)
    }
    for value in [range.lowerBound - 1, range.upperBound + 1] {
      var limits = ServerLimits()
      let error = #expect(throws: LimitsError.self) { try limits.read("\(name) = \(value)") }
      #expect(error?.line == 1)
      #expect(error?.description.contains("\(range.lowerBound) to \(range.upperBound)") == true)
      #expect(limits == ServerLimits())
    }
  }

  @Test func `the defaults lie within their ranges and keep their relations`() {
    let limits = ServerLimits()
    #expect(limits.brokenRelation == nil)
    for entry in ServerLimits.table {
      #expect(entry.range.contains(limits[keyPath: entry.path]), "\(entry.name)")
      #expect(!entry.explanation.isEmpty)
    }
    #expect(Set(Self.names).count == Self.names.count)
    #expect(limits.lines.count == Self.names.count)
  }

  @Test(
    arguments: [
      ("inFlightMax 3", 1), ("inFlightMax =", 1), ("inFlightMax = 3 4", 1), ("= 3", 1),
      ("inFlightMax = three", 1), ("inFlightMax = 3.0", 1), ("inFlightMax = 0x3", 1),
      ("inFlightMax = 99999999999999999999", 1), ("\n# x\n\ninFlight = 3", 4),
      ("inflightmax = 3", 1), ("inFlightMax=3", 1), ("ballastBytes = 0\nnothing = 1", 2),
    ])
  func `a line that is no limit is named by its number`(text: String, line: Int) {
    var limits = ServerLimits()
    let error = #expect(throws: LimitsError.self) { try limits.read(text) }
    #expect(error?.line == line)
    #expect(error?.description.hasPrefix("line \(line): ") == true)
  }

  @Test func `comments, blank lines, tabs and line ends of other systems are skipped`() throws {
    var limits = ServerLimits()
    try limits.read("# all\r\n\r\n\tinFlightMax\t=\t3 # few\r\n   \nreofferMax = 7")
    #expect(limits.inFlightMax == 3)
    #expect(limits.reofferMax == 7)
  }

  @Test(
    arguments: [
      ("clientFrameBytesMax = 40960\nunsentBytesMax = 40960", true),
      ("unsentBytesMax = 65536", true), ("unsentBytesMax = 65535", false),
      ("idleMilliseconds = 180000", true), ("idleMilliseconds = 180002", false),
      ("leaseMilliseconds = 45000", true), ("leaseMilliseconds = 44999", false),
      ("commitQueueMax = 64", true), ("commitQueueMax = 63", false),
      ("actsBurst = 2000", true), ("actsBurst = 1999", false),
      ("fetchesBurst = 20000", true), ("fetchesBurst = 19999", false),
      ("resumesBurst = 50", true), ("resumesBurst = 49", false),
      ("pingsBurst = 500", true), ("pingsBurst = 499", false),
    ])
  func `relations between limits are kept, in whatever order they stand`(text: String, holds: Bool)
  {
    var limits = ServerLimits()
    let error: LimitsError?
    do throws(LimitsError) {
      try limits.read(text)
      error = nil
    } catch let broken {
      error = broken
    }
    #expect((error == nil) == holds)
    if let error { #expect(error.line == 0 && !error.description.hasPrefix("line")) }
  }
}
