package import WatchTransfer

/// All sessions, running and ended, in order of id.
package struct SessionBook: Sendable, Equatable {
  /// At most `AuthorityLimits.sessionsMax`.
  package private(set) var all: [WorkoutSession] = []
  /// Those that are neither finished nor closed, in order of id: few, so that what is asked after
  /// each action does not go through years of history.
  package private(set) var open: [SessionID] = []
  /// The one that ended last; of equal ends the one with the highest id.
  private var lastEndedID: SessionID?
  /// The latest start of all: from then on no earlier summary is shown.
  package var lastStart: Instant?
  /// Whose start that was.
  package var lastStarted: SessionID?

  /// No sessions.
  package init() {}

  /// A session by its id; nil leaves it out.
  package subscript(id: SessionID) -> WorkoutSession? {
    get { index(of: id).map { all[$0] } }
    set {
      let position = all.partitionIndex { $0.id < id }
      let isKnown = position < all.count && all[position].id == id
      switch (isKnown, newValue) {
      case (true, let session?): all[position] = session
      case (true, nil): all.remove(at: position)
      case (false, let session?): all.insert(session, at: position)
      case (false, nil): break
      }
      noteChange(of: id)
    }
  }

  /// Where a session is.
  func index(of id: SessionID) -> Int? {
    let position = all.partitionIndex { $0.id < id }
    return position < all.count && all[position].id == id ? position : nil
  }

  /// Changes a session in place; nothing happens when there is none.
  mutating func change(_ id: SessionID, _ change: (inout WorkoutSession) -> Void) {
    guard let index = index(of: id) else { return }
    change(&all[index])
    noteChange(of: id)
  }

  /// Keeps what is known of all sessions right after one has changed or gone.
  private mutating func noteChange(of id: SessionID) {
    let session = self[id]
    let position = open.partitionIndex { $0 < id }
    let isListed = position < open.count && open[position] == id
    if isListed, session?.isOpen != true { open.remove(at: position) }
    if !isListed, session?.isOpen == true { open.insert(id, at: position) }
    if let session, session.isEnded, id != lastEndedID {
      if lastEnded.map({ Self.endsBefore($0, session) }) ?? true { lastEndedID = id }
    } else if id == lastEndedID {
      // Its end may have moved, or it is gone.
      lastEndedID = all.lazy.filter(\.isEnded).max { Self.endsBefore($0, $1) }?.id
    }
  }

  /// Notes a start.
  mutating func noteStart(of id: SessionID, at moment: Instant) {
    if let known = lastStart, let other = lastStarted,
      moment < known || (moment == known && id < other)
    {
      return
    }
    lastStart = moment
    lastStarted = id
  }

  /// The clock went back to `moment`: nothing is later than that.
  mutating func bringBack(to moment: Instant) {
    lastStart = lastStart.map { min($0, moment) }
    for index in all.indices { all[index].bringBack(to: moment) }
    lastEndedID = all.lazy.filter(\.isEnded).max { Self.endsBefore($0, $1) }?.id
  }

  /// A session that runs, other than `id`.
  func running(besides id: SessionID) -> WorkoutSession? {
    openSessions.first { $0.id != id && $0.isRunning }
  }

  /// The session that surfaces show: the one that runs, not one that was put beside another; of
  /// several the one started last; a stub only while nothing runs (DESIGN section 4, Late facts).
  package var shown: WorkoutSession? {
    func newest(_ isWanted: (WorkoutSession) -> Bool) -> WorkoutSession? {
      openSessions.filter(isWanted).max {
        $0.startedAt == $1.startedAt ? $0.id < $1.id : $0.startedAt < $1.startedAt
      }
    }
    return newest { $0.isRunning && $0.start?.isBeside == false } ?? newest { $0.isRunning }
      ?? newest { $0.isStub && $0.isOpen }
  }

  /// The sessions that are open.
  var openSessions: [WorkoutSession] { open.compactMap { self[$0] } }

  /// Sets of all sessions.
  var setCount: Int { all.reduce(0) { $0 + $1.sets.count } }

  /// The session that ended last.
  var lastEnded: WorkoutSession? { lastEndedID.flatMap { self[$0] } }

  /// The ended sessions whose samples and set ids are still kept, in order of their ends.
  var unsealed: [WorkoutSession] {
    all.filter { $0.isEnded && $0.sealed == nil }.sorted { Self.endsBefore($0, $1) }
  }

  /// The one that makes room when all are as many as there may be: the one that ended first.
  var oldestEnded: WorkoutSession? {
    all.lazy.filter(\.isEnded).min { Self.endsBefore($0, $1) }
  }

  /// The stub that makes room for another session: closed, else without a fact for as long as
  /// closes one; of several, the one heard of last the longest ago.
  func expendableStub(now: Instant) -> WorkoutSession? {
    let idleSince = now.advanced(milliseconds: -AuthorityLimits.stubIdleMilliseconds)
    return all.lazy.filter {
      $0.isStub && !$0.isEnded && ($0.closedAt != nil || $0.lastFact <= idleSince)
    }.min { $0.lastFact == $1.lastFact ? $0.id < $1.id : $0.lastFact < $1.lastFact }
  }

  private static func endsBefore(_ left: WorkoutSession, _ right: WorkoutSession) -> Bool {
    guard let first = left.clock.endedAt, let second = right.clock.endedAt else { return false }
    return first == second ? left.id < right.id : first < second
  }
}
