internal import Transport

/// What stands at the record while a piece of work runs again: tells the core what it was told, and
/// compares what it does.
///
/// Unchecked: one thread runs a replay.
final class ReplayHead: @unchecked Sendable {
  /// How the core's doings part from the record.
  struct Parting {
    /// Of the entries of its event.
    var entry: Int
    var connection: ConnectionID?
    /// What the record has; nil: nothing more.
    var expected: TapeEntry?
    /// What the core did or asked instead; nil: nothing.
    var got: Got?

    enum Got {
      case did(TapeEntry)
      case asked(String)
    }
  }

  /// The queue whose work runs; nil: none's.
  var running: ReplayQueue?
  /// The number of the committer's queue while that runs.
  var giver: Int?
  /// The first one; nil: none so far.
  private(set) var parting: Parting?
  /// What the core took of each input of the event.
  private(set) var taken: [[UInt8]] = []
  /// Those of the event; with what the core did in their places, where the record is made anew.
  private(set) var entries: [TapeEntry] = []
  /// Whether what the core did takes the place of what the record has; nil: the same is wanted.
  var accepts: ((_ did: TapeEntry, _ recorded: TapeEntry) -> Bool)?
  private var position = 0
  private var isInside = false
  private var lastNow: Int64 = 0
  private var lastWall: Int64 = 0

  /// Begins an event.
  func begin(_ event: TapeEvent) {
    entries = event.entries
    position = 0
    taken = []
    isInside = true
  }

  /// Ends it: nothing may be left.
  func end() {
    if position < entries.count { part(nil) }
    isInside = false
  }

  /// What the core is told; nil when the record has something else, or nothing was recorded.
  func told<Answer>(_ question: String, _ answer: (TapeEntry) -> Answer?) -> Answer? {
    guard isInside, parting == nil else { return nil }
    guard position < entries.count, let found = answer(entries[position]) else {
      part(.asked(question))
      return nil
    }
    position += 1
    return found
  }

  /// What the core does.
  func did(_ entry: @autoclosure () -> TapeEntry) {
    guard isInside, parting == nil else { return }
    let entry = entry()
    guard position < entries.count else { return part(.did(entry)) }
    if entries[position] != entry {
      guard let accepts, accepts(entry, entries[position]) else { return part(.did(entry)) }
      entries[position] = entry
    }
    position += 1
  }

  /// What the core took of an input.
  func took(_ bytes: [UInt8]) { taken.append(bytes) }

  /// The monotonic clock.
  func now() -> Int64 {
    lastNow =
      told("the monotonic clock") { if case .now(let value) = $0 { value } else { nil } }
      ?? lastNow
    return lastNow
  }

  /// The wall clock.
  func wall() -> Int64 {
    lastWall =
      told("the wall clock") { if case .wall(let value) = $0 { value } else { nil } }
      ?? lastWall
    return lastWall
  }

  /// The event itself cannot happen.
  func partAtOnce(_ question: String) { part(.asked(question)) }

  private func part(_ got: Parting.Got?) {
    let expected = position < entries.count ? entries[position] : nil
    var connection = expected?.connection
    if case .did(let entry) = got { connection = entry.connection ?? connection }
    parting = Parting(entry: position, connection: connection, expected: expected, got: got)
  }
}
