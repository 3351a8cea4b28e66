public import HealthImport
internal import WireFormat

/// How an import went: `read` is the sum of the other five.
public struct ImportTally: Sendable {
  public var logged = 0
  /// There already, by natural key.
  public var known = 0
  /// Joined to another copy of the same workout; decided by a later version, so far 0.
  public var merged = 0
  /// Our own workout coming back; decided by a later version, so far 0.
  public var echo = 0
  public var skipped = 0
  /// Whether the export ends before its end: what is missing nobody knows.
  public var isCutOff = false
  /// One line each, the first 100.
  public var problems: [String] = []

  /// Problems that are listed.
  public static let problemsMax = 100

  /// Nothing read yet.
  public init() {}

  /// Workouts that were read.
  public var read: Int { logged + known + merged + echo + skipped }

  /// Takes down a problem.
  public mutating func add(problem: String) {
    if problems.count < Self.problemsMax { problems.append(problem) }
  }
}

/// Sends the workouts of a health export through the authority, a slice at a time.
public struct WorkoutImport {
  private let connection: AdminConnection
  private let account: String
  private let encoder = MessageEncoder()
  private var bodies: [[UInt8]] = []
  private var bytes = 0

  /// What has happened so far.
  public private(set) var tally = ImportTally()

  /// Bodies sent together stay well under the admin socket's message limit.
  static let sliceBytesMax = 65_536

  /// Into the account of that name.
  public init(connection: AdminConnection, account: String) {
    self.connection = connection
    self.account = account
  }

  /// Takes one item of an export; true when `send` is due.
  public mutating func take(_ item: ImportItem) -> Bool {
    switch item {
    case .skipped(let problem):
      tally.skipped += 1
      if problem.reason == .truncated { tally.isCutOff = true }
      tally.add(problem: "line \(problem.line): \(problem.reason)")
    case .workout(let workout):
      let body = encoder.encode(workout.actionBody)
      bodies.append(body)
      bytes += body.count
    }
    return bytes >= Self.sliceBytesMax
  }

  /// Has what was taken decided, durably.
  ///
  /// - Throws: `WorkoutImportError` when the server did not take it.
  public mutating func send() async throws {
    if bodies.isEmpty { return }
    let response = await connection.perform(.importing(bodies, into: account))
    switch response {
    case .imported(let logged, let known, let refused):
      tally.logged += logged
      tally.known += known
      tally.skipped += refused.count
      for reason in refused { tally.add(problem: "refused: \(reason)") }
    case .failed(let problem):
      throw WorkoutImportError(problem: problem)
    default:
      throw WorkoutImportError(problem: "the server gave another answer than was asked for")
    }
    bodies = []
    bytes = 0
  }
}

/// Why an import ended early.
public struct WorkoutImportError: Error, Sendable, CustomStringConvertible {
  public let problem: String

  /// One line.
  public var description: String { problem }
}
