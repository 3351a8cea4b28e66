internal import AuthorityLink
public import WatchTransfer

/// Many stories, each of its own world: they may be told on several threads at once.
public struct Campaign: Sendable {
  /// Where devices' files are while their story is told; made if it is missing.
  private let folder: String
  private let moves: Int
  private let zones: any ZoneRulesSource
  private let flaw: Flaw?
  private let shortens: Bool

  /// What came of stories.
  public struct Report: Sendable {
    public var seeds = 0
    public var steps = 0
    public var projections = 0
    public var faults: [String: Int] = [:]
    /// How often each kind of action was applied, by its name.
    public var applied: [String: Int] = [:]
    public var failures: [Failure] = []

    /// Nothing was told yet.
    public init() {}

    /// Takes another's in.
    public mutating func add(_ other: Report) {
      seeds += other.seeds
      steps += other.steps
      projections += other.projections
      faults.merge(other.faults) { $0 + $1 }
      applied.merge(other.applied) { $0 + $1 }
      failures += other.failures
    }
  }

  /// A story that broke a promise.
  public struct Failure: Sendable {
    public let seed: UInt64
    /// The event at which it was noticed.
    public let step: Int
    public let promise: String
    /// What was done, in order.
    public let story: [String]
    /// The fewest moves that were found to break a promise too, of those of the whole story.
    public let shortest: Shortened?
  }

  /// A story with moves left out.
  public struct Shortened: Sendable {
    public let moves: Int
    public let promise: String
    public let story: [String]
  }

  /// Stories of `moves` moves each, with files below `folder`; with a `flaw`, to see whether it is
  /// noticed. `shortens`: one that breaks a promise is told again with ever fewer moves.
  public init(
    moves: Int, folder: String, zones: any ZoneRulesSource, flaw: Flaw? = nil,
    shortens: Bool = false
  ) {
    self.flaw = flaw
    self.moves = moves
    self.folder = folder
    self.zones = zones
    self.shortens = shortens
  }

  /// Tells the story of a seed; one that fails is told again for its log.
  public func tell(_ seed: UInt64) -> Report {
    let moves = Self.moves(of: seed, count: moves)
    let story = story(seed, moves, keepsLog: false)
    let promise = story.tell()
    var report = Report()
    report.seeds = 1
    report.steps = story.steps
    report.projections = story.checker.projections
    report.faults = story.network.faults.byKind
    report.applied = story.checker.applied
    guard let promise else { return report }
    let again = self.story(seed, moves, keepsLog: true)
    let repeated = again.tell()
    report.failures = [
      Failure(
        seed: seed, step: story.steps,
        promise: repeated == promise
          ? promise : "\(promise) (told again: \(repeated ?? "nothing wrong"))",
        story: again.log, shortest: shortens ? shorten(seed, moves) : nil)
    ]
    return report
  }

  /// Leaves out ever smaller parts of a story while what is left still breaks a promise
  /// (Zeller, Hildebrandt: Simplifying and isolating failure-inducing input, TSE 28(2), 2002,
  /// https://doi.org/10.1109/32.988498).
  private func shorten(_ seed: UInt64, _ whole: [UInt64]) -> Shortened? {
    var moves = whole
    var part = max(1, moves.count / 2)
    while true {
      var start = 0
      while start < moves.count {
        var fewer = moves
        fewer.removeSubrange(start..<min(start + part, moves.count))
        if story(seed, fewer, keepsLog: false).tell() != nil {
          moves = fewer
        } else {
          start += part
        }
      }
      if part == 1 { break }
      part /= 2
    }
    let shortest = story(seed, moves, keepsLog: true)
    return shortest.tell().map {
      Shortened(moves: moves.count, promise: $0, story: shortest.log)
    }
  }

  private static func moves(of seed: UInt64, count: Int) -> [UInt64] {
    // Another sequence than the world's, which the same seed decides.
    var chance = SplitMix64(seed: ~seed)
    return (0..<count).map { _ in chance.next() }
  }

  private func story(_ seed: UInt64, _ moves: [UInt64], keepsLog: Bool) -> Story {
    let story = Story(
      seed: seed, moves: moves, folder: "\(folder)/\(seed)", keepsLog: keepsLog, zones: zones)
    story.server.store.flaw = flaw
    return story
  }
}
