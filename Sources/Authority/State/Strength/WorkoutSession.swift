package import WatchTransfer

/// What a session was started with. Names and targets are copies: no later edit of a routine or an
/// exercise changes them (DESIGN section 6, rule 8).
public struct SessionStart: Sendable, Equatable {
  public var title: String
  public var activityType: String
  public var exercises: [PlannedExercise]
  /// Another session ran when it arrived: it is kept beside that one, as a record.
  public var isBeside: Bool

  /// A start.
  public init(
    title: String, activityType: String, exercises: [PlannedExercise], isBeside: Bool = false
  ) {
    self.title = title
    self.activityType = activityType
    self.exercises = exercises
    self.isBeside = isBeside
  }
}

/// A session, running or ended: the log of its moves, its sets, and what was measured. All of it
/// goes by corrected times, so that facts add up to the same in any order of arrival.
package struct WorkoutSession: Sendable, Equatable {
  package let id: SessionID
  /// nil in a stub: its start has not arrived (DESIGN section 4, Late facts).
  package var start: SessionStart?
  /// In order of time, then device, then arrival.
  package var entries: [SessionEntry] = []
  /// In order of time, then device.
  package var added: [AddedExercise] = []
  /// In order of (madeAt, id).
  package var sets: [SessionSet] = []
  /// In order of place.
  package var drafts: [SetDraft] = []
  /// The place that was selected last.
  package var selected = Stamped(0)
  /// Seconds of the rest that was started last; nil: it was stopped.
  package var rest = Stamped<Int?>(nil)
  /// In order of (device, number).
  package var blocks: [RecordedBlock] = []
  /// Its samples were let go of; what they added up to.
  package var sealed: SampleFigures?
  package var isDismissed = false
  /// Corrected time of the first and of the latest fact.
  package var firstFact: Instant
  package var lastFact: Instant
  /// When a stub was closed for want of facts.
  package var closedAt: Instant?
  /// What the entries make of the timer; follows from them.
  package private(set) var clock = SessionClock()

  /// A stub, opened by a fact at `instant`.
  package init(stub id: SessionID, at instant: Instant) {
    self.id = id
    firstFact = instant
    lastFact = instant
  }

  /// Whether its start has not arrived.
  package var isStub: Bool { start == nil }

  /// Whether it was finished.
  package var isEnded: Bool { clock.phase == .ended }

  /// Whether it is neither finished nor a stub that was closed.
  var isOpen: Bool { !isEnded && closedAt == nil }

  /// Whether it runs, paused or not: a session that was started and has not ended.
  var isRunning: Bool { !isStub && !isEnded }

  /// When it began; of a stub, its first fact.
  var startedAt: Instant {
    let start = clock.startedAt ?? firstFact
    return clock.endedAt.map { min(start, $0) } ?? start
  }

  /// Its exercises: those it was started with, then those added, in order of time.
  package var exercises: [PlannedExercise] {
    (start?.exercises ?? []) + added.map { PlannedExercise($0.exercise) }
  }

  /// How many samples it keeps.
  var pointCount: Int { blocks.reduce(0) { $0 + $1.pointCount } }

  /// What its samples add up to.
  package var figures: SampleFigures {
    sealed
      ?? SampleFigures(of: blocks, clock: clock, from: startedAt, to: clock.endedAt ?? lastFact)
  }

  /// A set by its id.
  func set(_ id: SetID) -> SessionSet? { sets.first { $0.id == id } }

  /// The sets of a place that are done, in order.
  func sets(at position: Int) -> [SessionSet] {
    sets.filter { $0.counts && $0.position == position }
  }

  /// The place that is shown: selected, or worked at, last.
  var position: Int {
    var shown = selected
    for set in sets where set.completion != nil {
      if let stamp = set.completion, shown.stamp.map({ $0 < stamp }) ?? true {
        shown = Stamped(set.position, stamp: stamp)
      }
    }
    return shown.value
  }

  /// The rest that was started last, by hand or by completing a set that plans one; nil: none, or
  /// it was stopped, or another set has been done since.
  var currentRest: (since: Instant, seconds: Int)? {
    var newest: (stamp: FieldStamp, seconds: Int?)? = rest.stamp.map { ($0, rest.value) }
    let exercises = exercises
    var done: [Int: Int] = [:]
    for set in sets where set.counts {
      let target = exercises.indices.contains(set.position) ? exercises[set.position].sets : []
      let index = done[set.position, default: 0]
      if !set.isWarmUp { done[set.position] = index + 1 }
      guard let stamp = set.completion, newest.map({ $0.stamp < stamp }) ?? true else { continue }
      let planned = set.isWarmUp || !target.indices.contains(index) ? nil : target[index]
      newest = (stamp, planned?.restSeconds)
    }
    guard isOpen, let newest, let seconds = newest.seconds else { return nil }
    return (newest.stamp.at, seconds)
  }

  /// Puts a move in at its time.
  mutating func insert(_ entry: SessionEntry) {
    entries.insert(entry, at: entries.partitionIndex { !(entry.stamp < $0.stamp) })
    clock = SessionClock(entries)
    noteFact(at: entry.stamp.at)
  }

  /// Replays the entries, which were read or moved.
  package mutating func replay() { clock = SessionClock(entries) }

  /// Notes that something happened at `instant`; a closed stub opens again for what came after.
  mutating func noteFact(at instant: Instant) {
    firstFact = min(firstFact, instant)
    lastFact = max(lastFact, instant)
    if let closed = closedAt, instant > closed { closedAt = nil }
  }

  /// Puts the sets in order again after one was made or moved.
  mutating func sortSets() {
    sets.sort { $0.madeAt == $1.madeAt ? $0.id < $1.id : $0.madeAt < $1.madeAt }
  }

  /// Lets go of the samples; what they add up to stays.
  mutating func seal() {
    guard sealed == nil else { return }
    sealed = figures
    blocks = []
  }

  /// The clock went back to `moment`: nothing is later than that. Moves keep their order, a
  /// millisecond apart.
  mutating func bringBack(to moment: Instant) {
    let late = entries.count { $0.stamp.at > moment }
    for (rank, index) in entries.indices.suffix(late).enumerated() {
      let at = moment.advanced(milliseconds: Int64(rank + 1 - late))
      entries[index].stamp.at = index > 0 ? max(at, entries[index - 1].stamp.at) : at
    }
    blocks = blocks.map { $0.broughtBack(to: moment) }
    for index in added.indices { added[index].stamp.bringBack(to: moment) }
    for index in sets.indices { sets[index].bringBack(to: moment) }
    sortSets()
    for index in drafts.indices {
      drafts[index].reps.stamp?.bringBack(to: moment)
      drafts[index].weight.stamp?.bringBack(to: moment)
    }
    selected.stamp?.bringBack(to: moment)
    rest.stamp?.bringBack(to: moment)
    firstFact = min(firstFact, moment)
    lastFact = min(lastFact, moment)
    closedAt = closedAt.map { min($0, moment) }
    replay()
  }
}
