internal import WatchTransfer

extension AccountState {
  /// Sessions and their sets.
  mutating func applyToSessions(_ event: Event) {
    switch event {
    case .sessionStarted(let id, _, let by):
      openSession(id, at: by.at)
      take(event, in: id)
      if sessions[id] != nil { sessions.noteStart(of: id, at: by.at) }
    case .sessionStubOpened(let id, let by):
      openSession(id, at: by.at)
    case .sessionStubClosed(let id, let at):
      sessions.change(id) { session in
        if session.isStub, session.isOpen { session.closedAt = at }
      }
    case .sessionDiscarded(let id, _):
      discard(id)
    case .sessionDropped(let id):
      drop(id)
    case .setCompleted(let id, let set, _):
      take(event, in: id, set: set.id)
    case .setEdited(let id, let set, _, _, _), .setUncompleted(let id, let set, _):
      take(event, in: id, set: set)
    case .sessionMoved(let id, _, _, _, _), .setAdjusted(let id, _, _, _, _),
      .exerciseSelected(let id, _, _), .restSet(let id, _, _), .sessionExerciseAdded(let id, _, _),
      .samplesRecorded(let id, _, _), .summaryDismissed(let id, _):
      take(event, in: id)
    case .sessionLogged(let log, _):
      logSession(log)
    default:
      break
    }
  }

  private mutating func openSession(_ id: SessionID, at moment: Instant) {
    guard thing(id) == nil else { return }
    sessions[id] = WorkoutSession(stub: id, at: moment)
    things[id.retagged()] = .session(day: nil)
  }

  /// A fact of a session; one that makes a set gives its id a meaning.
  private mutating func take(_ event: Event, in id: SessionID, set: SetID? = nil) {
    guard let index = sessions.index(of: id) else { return }
    let session = sessions.all[index]
    if let set, session.set(set) == nil {
      // Only where the id is another thing's.
      if thing(set) != nil { return }
      if session.sealed == nil { things[set.retagged()] = .set(session: id) }
    }
    let wasEnded = session.isEnded
    sessions.change(id) { $0.take(event) }
    if !wasEnded, sessions[id]?.isEnded == true { sealOldest() }
  }

  /// Lets go of samples and set ids of all ended sessions but the newest.
  private mutating func sealOldest() {
    for session in sessions.unsealed.dropLast(AuthorityLimits.unsealedSessionsMax) {
      for set in session.sets { things[set.id.retagged()] = nil }
      sessions.change(session.id) { $0.seal() }
    }
  }

  /// Makes or amends the log of a session that has ended.
  private mutating func logSession(_ log: WorkoutLog) {
    guard case .session(let day) = thing(log.id), sessions[log.id.retagged()] != nil else { return }
    var logged = log
    let old = day.flatMap { logs.remove(log.id, on: $0) }
    if let old { logged = log.keepingEdits(of: old) }
    // What it did before it still does, as it was planned then.
    let isServing = old?.serves != nil && old?.serves == log.serves && old?.day == logged.day
    if !isServing {
      if let old { free(old) }
      logged.serves = nil
    }
    logs.insert(logged)
    things[log.id.retagged()] = .session(day: logged.day)
    if !isServing, let schedule = log.serves { serve(schedule, by: log.id) }
    if old == nil { endWaiting(for: log.id.retagged()) }
  }

  /// As if it had never been; its id stays used.
  private mutating func discard(_ id: SessionID) {
    switch thing(id) {
    case nil: break
    case .session(let day):
      forgetSets(of: id)
      if let day, let log = logs.remove(id.retagged(), on: day) { free(log) }
      sessions[id] = nil
    default: return
    }
    things[id.retagged()] = .gone(.session)
    endWaiting(for: id.retagged())
  }

  /// Makes room: the session goes, the log that it left stays.
  private mutating func drop(_ id: SessionID) {
    guard case .session(let day) = thing(id) else { return }
    forgetSets(of: id)
    sessions[id] = nil
    things[id.retagged()] = day.map { .log(day: $0) } ?? .gone(.session)
  }

  private mutating func forgetSets(of id: SessionID) {
    for set in sessions[id]?.sets ?? [] {
      if case .set(let session) = thing(set.id), session == id { things[set.id.retagged()] = nil }
    }
  }
}
