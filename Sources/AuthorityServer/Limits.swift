internal import WireFormat

/// Every bound of the server, in one place; each is a line `name = value` of a limits file and
/// stands in `wristwire status`.
public struct ServerLimits: Sendable, Equatable {
  /// Largest frame an authenticated client may send.
  public var clientFrameBytesMax = 65_536
  /// Largest frame before a client is authenticated.
  public var greetingFrameBytesMax = 1_024
  /// From accept to a readable greeting.
  public var greetingMilliseconds = 5_000
  /// From the first byte of a frame to its last.
  public var frameMilliseconds = 10_000
  /// Silence after which a connection is closed.
  public var idleMilliseconds = 90_000
  /// How long a device counts as present after it was last heard.
  public var leaseMilliseconds = 90_000
  /// Requests of one connection whose answers are not yet in the socket.
  public var inFlightMax = 64
  /// Bytes owed to one connection before it is not read any more.
  public var unsentBytesMax = 262_144
  /// Memory for the unsent output and the unread input of all connections; beyond it those that
  /// hold most are cut off, first of all those that have not greeted. What TLS and the kernel hold
  /// comes on top.
  public var bufferedBytesMax = 536_870_912
  /// No progress of owed bytes for so long ends a connection.
  public var stalledMilliseconds = 30_000
  /// All connections; 0: what the descriptor limit leaves.
  public var connectionsMax = 0
  /// Connections that have not greeted yet; the oldest gives way.
  public var greetingConnectionsMax = 1_024
  /// Connections of one account.
  public var connectionsPerAccountMax = 64
  /// Connections from one address.
  public var connectionsPerAddressMax = 512
  /// Wrong tokens from one address within a minute before it is turned away.
  public var wrongTokensPerAddressMax = 20
  /// 1: address limits hold for loopback and Unix sockets too.
  public var addressLimitsOnLoopback = 0
  /// Devices of one account that are not revoked.
  public var devicesPerAccountMax = 256
  /// Pairing codes that live at the same time.
  public var codesMax = 16
  /// How long a pairing code lives, in seconds.
  public var codeSeconds = 600
  /// Wrong codes, from wherever, that the codes which live meanwhile survive but for the last.
  public var codeTriesMax = 5
  /// How long an address waits after its first wrong code; twice as long after each further one, up
  /// to a minute. Loopback and Unix sockets wait too.
  public var codeDelayMilliseconds = 1_000
  /// Acts of one device a second, in the long run.
  public var actsPerSecond = 2_000
  /// Acts of one device at once.
  public var actsBurst = 8_000
  /// Fetches of one device a second, in the long run; more are read later.
  public var fetchesPerSecond = 20_000
  /// Fetches of one device at once.
  public var fetchesBurst = 40_000
  /// Queries of one device a second, in the long run; more are read later.
  public var queriesPerSecond = 50
  /// Queries of one device at once.
  public var queriesBurst = 500
  /// Chunks of attachments of one device a second, in the long run; more are read later.
  public var chunksPerSecond = 64
  /// Chunks of one device at once: three of the largest photos.
  public var chunksBurst = 256
  /// Resumes of one device a second, in the long run; more are read later.
  public var resumesPerSecond = 50
  /// Resumes of one device at once.
  public var resumesBurst = 500
  /// Pings and pongs of one device a second, in the long run; more are read later.
  public var pingsPerSecond = 500
  /// Pings and pongs of one device at once.
  public var pingsBurst = 5_000
  /// Pulses of one device a second, in the long run; more are read later.
  public var pulsesPerSecond = 20
  /// Pulses of one device at once.
  public var pulsesBurst = 100
  /// How often a second a device's connection may replace its older one, in the long run.
  public var replacementsPerSecond = 1
  /// How often at once.
  public var replacementsBurst = 60
  /// How often a day, in local time, one device is told to fetch its widgets again; a fifth is
  /// kept for big moments.
  public var reloadsPerDay = 40
  /// A widget that was told to fetch, and has not, is told of a further change after so long, and
  /// without one again after 5, 15, 60 and each further 240 times as long.
  public var reloadPauseMilliseconds = 60_000
  /// Acts and turns of one batch.
  public var batchEntriesMax = 512
  /// Bytes of one batch.
  public var batchBytesMax = 262_144
  /// Acts that wait for their commit before more are held `busy`.
  public var commitQueueMax = 65_536
  /// Free space under which acts are held.
  public var freeSpaceReserveBytes = 67_108_864
  /// Size of the ballast file, freed at a start that finds no room.
  public var ballastBytes = 33_554_432
  /// Accounts kept in memory while nobody uses them.
  public var idleAccountsMax = 4_096
  /// How long an account counts as used after it was.
  public var usedMilliseconds = 10_000
  /// Seconds after which a changed account is checkpointed.
  public var checkpointSeconds = 60
  /// Changed accounts of one slice of a checkpoint.
  public var checkpointAccountsMax = 64
  /// How long a device may take to answer the first clock sample before its greeting, or else its
  /// wall clock, decides.
  public var measureMilliseconds = 5_000
  /// Receipted actions that clients are asked to keep, to offer them again after a restore.
  public var reofferMax = 1_000
  /// Size at which the audit log is begun anew; one older file is kept.
  public var auditFileBytes = 1_048_576
  /// The same where there are backups: above what the newest verified copy holds.
  public var reofferWithBackupMax = 10_000
  /// Pages of 4 KiB that a backup copies between two rounds of commits: a millisecond's work.
  public var backupPagesPerStep = 128
  /// Days for which journal rows are kept that every backup has.
  public var journalDaysKept = 30

  /// The defaults.
  public init() {}
}

/// One line of a limits file.
struct LimitEntry: Sendable {
  let name: String
  let path: any WritableKeyPath<ServerLimits, Int> & Sendable
  let range: ClosedRange<Int>
  let explanation: String
}

extension ServerLimits {
  /// All limits with their bounds, in the order of `serve --help`.
  static var table: [LimitEntry] {
    func entry(
      _ name: String, _ path: any WritableKeyPath<ServerLimits, Int> & Sendable,
      _ range: ClosedRange<Int>, _ explanation: String
    ) -> LimitEntry {
      LimitEntry(name: name, path: path, range: range, explanation: explanation)
    }
    return [
      entry(
        "clientFrameBytesMax", \.clientFrameBytesMax, FrameLimits.clientFrameBytesMin...65_536,
        "largest frame of a client"),
      entry(
        "greetingFrameBytesMax", \.greetingFrameBytesMax, 256...1_024, "largest frame before Hello"),
      entry("greetingMilliseconds", \.greetingMilliseconds, 100...60_000, "from accept to Hello"),
      entry(
        "frameMilliseconds", \.frameMilliseconds, 100...120_000,
        "from a frame's first byte to its last"),
      entry(
        "idleMilliseconds", \.idleMilliseconds, 1_000...3_600_000,
        "silence before a connection is closed"),
      entry(
        "leaseMilliseconds", \.leaseMilliseconds, 1_000...3_600_000,
        "presence after a device was last heard"),
      entry("inFlightMax", \.inFlightMax, 1...1_024, "unanswered requests of a connection"),
      entry(
        "unsentBytesMax", \.unsentBytesMax, FrameLimits.clientFrameBytesMin...2_097_152,
        "bytes owed before a connection is not read"),
      entry(
        "bufferedBytesMax", \.bufferedBytesMax, 1_048_576...1_099_511_627_776,
        "unsent and unread bytes of all connections"),
      entry(
        "stalledMilliseconds", \.stalledMilliseconds, 100...600_000, "owed bytes without progress"),
      entry(
        "connectionsMax", \.connectionsMax, 0...1_000_000, "all connections; 0: by descriptors"),
      entry(
        "greetingConnectionsMax", \.greetingConnectionsMax, 1...100_000, "connections without Hello"
      ),
      entry(
        "connectionsPerAccountMax", \.connectionsPerAccountMax, 1...100_000,
        "connections of an account"),
      entry(
        "connectionsPerAddressMax", \.connectionsPerAddressMax, 1...100_000,
        "connections of an address"),
      entry(
        "wrongTokensPerAddressMax", \.wrongTokensPerAddressMax, 1...100_000,
        "wrong tokens of an address a minute"),
      entry(
        "addressLimitsOnLoopback", \.addressLimitsOnLoopback, 0...1,
        "1: address limits hold on loopback too"),
      entry(
        "devicesPerAccountMax", \.devicesPerAccountMax, 1...100_000, "devices of an account"),
      entry("codesMax", \.codesMax, 1...1_000, "live pairing codes"),
      entry("codeSeconds", \.codeSeconds, 1...86_400, "life of a pairing code"),
      entry("codeTriesMax", \.codeTriesMax, 1...1_000, "wrong codes until the live ones die"),
      entry(
        "codeDelayMilliseconds", \.codeDelayMilliseconds, 0...60_000,
        "wait of an address after a wrong code, doubled each time"),
      entry("actsPerSecond", \.actsPerSecond, 1...10_000_000, "acts of a device a second"),
      entry("actsBurst", \.actsBurst, 1...10_000_000, "acts of a device at once"),
      entry(
        "fetchesPerSecond", \.fetchesPerSecond, 1...10_000_000, "fetches of a device a second"),
      entry("fetchesBurst", \.fetchesBurst, 1...10_000_000, "fetches of a device at once"),
      entry(
        "queriesPerSecond", \.queriesPerSecond, 1...1_000_000, "queries of a device a second"),
      entry("queriesBurst", \.queriesBurst, 1...1_000_000, "queries of a device at once"),
      entry(
        "chunksPerSecond", \.chunksPerSecond, 1...1_000_000, "photo chunks of a device a second"),
      entry("chunksBurst", \.chunksBurst, 1...1_000_000, "photo chunks of a device at once"),
      entry(
        "resumesPerSecond", \.resumesPerSecond, 1...1_000_000, "resumes of a device a second"),
      entry("resumesBurst", \.resumesBurst, 1...1_000_000, "resumes of a device at once"),
      entry("pingsPerSecond", \.pingsPerSecond, 1...1_000_000, "pings of a device a second"),
      entry("pingsBurst", \.pingsBurst, 1...1_000_000, "pings of a device at once"),
      entry("pulsesPerSecond", \.pulsesPerSecond, 1...1_000_000, "pulses of a device a second"),
      entry("pulsesBurst", \.pulsesBurst, 1...1_000_000, "pulses of a device at once"),
      entry(
        "replacementsPerSecond", \.replacementsPerSecond, 1...100_000,
        "replaced connections of a device a second"),
      entry(
        "replacementsBurst", \.replacementsBurst, 1...1_000_000,
        "replaced connections of a device at once"),
      entry(
        "reloadsPerDay", \.reloadsPerDay, 0...100_000,
        "reloads a device is told in a local day; a fifth kept for goals and done workouts"),
      entry(
        "reloadPauseMilliseconds", \.reloadPauseMilliseconds, 0...86_400_000,
        "between two reloads of a device that does not fetch"),
      entry("batchEntriesMax", \.batchEntriesMax, 1...4_096, "entries of a batch"),
      entry("batchBytesMax", \.batchBytesMax, 1_024...4_194_304, "bytes of a batch"),
      entry("commitQueueMax", \.commitQueueMax, 1...1_000_000, "acts that wait for their commit"),
      entry(
        "freeSpaceReserveBytes", \.freeSpaceReserveBytes, 0...1_099_511_627_776, "free space kept"),
      entry("ballastBytes", \.ballastBytes, 0...1_073_741_824, "size of the ballast file"),
      entry("idleAccountsMax", \.idleAccountsMax, 0...10_000_000, "unused accounts in memory"),
      entry(
        "usedMilliseconds", \.usedMilliseconds, 10...3_600_000, "an account counts as used"),
      entry(
        "checkpointSeconds", \.checkpointSeconds, 1...86_400,
        "age of a change before its checkpoint"),
      entry(
        "checkpointAccountsMax", \.checkpointAccountsMax, 1...4_096,
        "accounts of a checkpoint slice"),
      entry("measureMilliseconds", \.measureMilliseconds, 10...60_000, "wait for a device's clock"),
      entry("reofferMax", \.reofferMax, 0...10_000, "receipted actions clients keep"),
      entry(
        "auditFileBytes", \.auditFileBytes, 4_096...1_073_741_824,
        "audit log before it is begun anew"),
      entry(
        "reofferWithBackupMax", \.reofferWithBackupMax, 0...10_000,
        "the same where there are backups"),
      entry(
        "backupPagesPerStep", \.backupPagesPerStep, 1...65_536,
        "pages a backup copies between commits"),
      entry(
        "journalDaysKept", \.journalDaysKept, 0...36_500,
        "days of journal rows kept that backups have"),
    ]
  }

  /// `name value explanation` of every limit, for `--help` and `status`.
  public var lines: [(name: String, value: Int, explanation: String)] {
    Self.table.map { ($0.name, self[keyPath: $0.path], $0.explanation) }
  }

  /// Reads lines `name = value`; `#` starts a comment.
  public mutating func read(_ text: String) throws(LimitsError) {
    // To Swift a carriage return and its line feed are one character.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var given: Set<String> = []
    for (index, line) in lines.enumerated() {
      let content = line.prefix { $0 != "#" }
      let words = content.split { $0 == " " || $0 == "\t" }
      if words.isEmpty { continue }
      guard words.count == 3, words[1] == "=" else {
        throw LimitsError(line: index + 1, problem: "expected: name = value")
      }
      guard let entry = Self.table.first(where: { $0.name == words[0] }) else {
        throw LimitsError(line: index + 1, problem: "there is no limit of that name")
      }
      guard let value = Int(words[2]), entry.range.contains(value) else {
        throw LimitsError(
          line: index + 1,
          problem: "\(entry.name) is from \(entry.range.lowerBound) to \(entry.range.upperBound)")
      }
      guard given.insert(entry.name).inserted else {
        throw LimitsError(line: index + 1, problem: "\(entry.name) stands twice")
      }
      self[keyPath: entry.path] = value
    }
    if let relation = brokenRelation { throw LimitsError(line: 0, problem: relation) }
  }

  /// The first relation between limits that does not hold; nil when all do.
  var brokenRelation: String? {
    if clientFrameBytesMax > unsentBytesMax {
      return "clientFrameBytesMax is at most unsentBytesMax"
    }
    if unsentBytesMax > bufferedBytesMax { return "unsentBytesMax is at most bufferedBytesMax" }
    if leaseMilliseconds < idleMilliseconds / 2 {
      return "leaseMilliseconds is at least half of idleMilliseconds"
    }
    if inFlightMax > commitQueueMax { return "inFlightMax is at most commitQueueMax" }
    if replacementsPerSecond > replacementsBurst {
      return "replacementsPerSecond is at most replacementsBurst"
    }
    if actsPerSecond > actsBurst { return "actsPerSecond is at most actsBurst" }
    if fetchesPerSecond > fetchesBurst { return "fetchesPerSecond is at most fetchesBurst" }
    if queriesPerSecond > queriesBurst { return "queriesPerSecond is at most queriesBurst" }
    if chunksPerSecond > chunksBurst { return "chunksPerSecond is at most chunksBurst" }
    if resumesPerSecond > resumesBurst { return "resumesPerSecond is at most resumesBurst" }
    if pingsPerSecond > pingsBurst { return "pingsPerSecond is at most pingsBurst" }
    if pulsesPerSecond > pulsesBurst { return "pulsesPerSecond is at most pulsesBurst" }
    return nil
  }
}

/// What is wrong with a limits file.
public struct LimitsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// 1-based; 0: of the whole.
  public let line: Int
  public let problem: String

  /// Line and problem.
  public var description: String { line == 0 ? problem : "line \(line): \(problem)" }
}
