internal import WatchTransfer

extension Decider {
  /// Starts a session, or fills the stub that a fact of it has opened. Refused `running` only while
  /// the person is there to be told: a start that arrives late opens its session beside the one
  /// that runs, as a record (DESIGN section 4, Late facts).
  func startSession(_ id: SessionID, _ plan: SessionPlan) throws(Rejection) -> [Event] {
    var start = try start(plan)
    let known = try existing(id)
    if known?.isStub == false { throw .refused(.taken) }
    if known == nil { try requireFree(id, for: .session) }
    if state.sessions.running(besides: id) != nil {
      let age = context.now.milliseconds(since: by.at)
      if age <= AuthorityLimits.liveMilliseconds, !context.isReoffered { throw .refused(.running) }
      start.isBeside = true
    }
    try requireRoomForLog(of: id)
    let room = try known == nil ? room() : []
    return room + amending(id, [.sessionStarted(id: id, start, by: by)])
  }

  /// Pauses, resumes, finishes or discards a session. What its recorder did is a fact, put in at
  /// its time however late it arrives; what another device presses is a wish about now. A second
  /// finish is a duplicate (DESIGN section 6, rule 8).
  func controlSession(
    _ id: SessionID, _ control: SessionControl
  ) throws(Rejection) -> [Event] {
    let known = try existing(id)
    if control == .finish, let known, known.isOver(at: by.at) { return [] }
    if let known { try requireFactOrWish(known) }
    try requireOpen(known)
    guard let move = control.move else {
      if known == nil {
        try requireRoom(state.things.count, AuthorityLimits.identifiersMax, of: "ids")
      }
      let freed = state.log(id.retagged()).map { servicesOfWhatIsFree(without: $0) } ?? []
      return removalOfPhoto(of: id.retagged()) + [.sessionDiscarded(id: id, by: by)] + freed
    }
    // The last place is for the finish, so that a session can always be ended.
    let places = AuthorityLimits.movesMax - (move == .finish ? 0 : 1)
    try requireRoom(known?.entries.count ?? 0, places, of: "moves")
    // One that was started had its room then, and can always be ended.
    if move == .finish, known?.isStub ?? true { try requireRoomForLog(of: id) }
    var moved = Event.sessionMoved(id: id, move: move, day: nil, zoneID: nil, by: by)
    if move == .finish {
      let place = place(ofActAt: by.at)
      moved = .sessionMoved(
        id: id, move: move, day: place.day(at: by.at), zoneID: place.rules.id, by: by)
    }
    return try opening(id, known) + amending(id, [moved])
  }

  /// The acting device drives the session from its own corrected time on.
  func takeOverSession(_ id: SessionID) throws(Rejection) -> [Event] {
    let known = try existing(id)
    if !context.isReoffered { try requireInTime() }
    if let known {
      try requireNewest(known)
      try requireOpen(known)
      if known.clock.recorder(at: by.at) == by.device { return [] }
      try requireRoom(known.entries.count, AuthorityLimits.movesMax - 1, of: "moves")
    }
    return try opening(id, known)
      + amending(
        id, [.sessionMoved(id: id, move: .takeOver, day: nil, zoneID: nil, by: by)])
  }

  /// Starts a rest, or stops it: always a wish about now.
  func restSession(_ id: SessionID, seconds: Int?) throws(Rejection) -> [Event] {
    if let seconds, !ActionLimits.restSeconds.contains(seconds) {
      throw .refused(.invalid(field: "seconds"))
    }
    let known = try existing(id)
    if !context.isReoffered { try requireInTime() }
    try requireOpen(known)
    if let known, !context.isReoffered { try requireWinner(known.rest.yields(to: by.stamp)) }
    return try opening(id, known) + [.restSet(session: id, seconds: seconds, by: by)]
  }

  /// Puts the summary of a session that has ended away.
  func dismissSummary(_ id: SessionID) throws(Rejection) -> [Event] {
    guard let known = try existing(id), known.isEnded else { throw .refused(.notFound) }
    return known.isDismissed ? [] : [.summaryDismissed(session: id, by: by)]
  }

  /// The session that `id` names; nil when it names nothing yet.
  func existing(_ id: SessionID) throws(Rejection) -> WorkoutSession? {
    if let session = state.sessions[id] { return session }
    switch state.thing(id) {
    case nil: return nil
    case .gone(.session), .gone(.log): throw .refused(.gone)
    case .log where state.log(id.retagged())?.origin == .session: throw .refused(.gone)
    default: throw .refused(.taken)
    }
  }

  /// Opens a stub where the session is not known yet.
  func opening(_ id: SessionID, _ known: WorkoutSession?) throws(Rejection) -> [Event] {
    if known != nil { return [] }
    try requireFree(id, for: .session)
    let stubs = state.sessions.all.count { $0.isStub && $0.isOpen }
    try requireRoom(stubs, AuthorityLimits.openSessionStubsMax, of: "sessions")
    return try room() + [.sessionStubOpened(id: id, by: by)]
  }

  /// Refuses what would come after the end of a session.
  func requireOpen(_ known: WorkoutSession?) throws(Rejection) {
    if let known, known.isOver(at: by.at) { throw .refused(.ended) }
  }

  /// Refuses a control of another device than the recorder that comes too late, or that a later
  /// move has overtaken.
  func requireFactOrWish(_ session: WorkoutSession) throws(Rejection) {
    if session.clock.isFact(by: by.device, at: by.at) || context.isReoffered { return }
    try requireInTime()
    try requireNewest(session)
  }

  /// Events of a session, and what becomes of its log when it has ended by then. A log that the
  /// person deleted does not come back.
  func amending(_ id: SessionID, _ events: [Event]) -> [Event] {
    var session = state.sessions[id] ?? WorkoutSession(stub: id, at: by.at)
    let wasEnded = session.isEnded
    for event in events { session.take(event) }
    guard var log = session.log else { return events }
    let known = state.log(log.id)
    if wasEnded, known == nil { return events }
    if let known { log = log.keepingEdits(of: known) }
    if let known, known.day == log.day, sameBytes(known.title, log.title),
      sameBytes(known.activityType, log.activityType)
    {
      log.serves = known.serves
    }
    if log.serves == nil {
      let place = place(of: log)
      let free = schedules(on: log.day, in: place, around: log.end).map { schedule in
        var schedule = schedule
        if schedule.servedBy == log.id { schedule.servedBy = nil }
        return schedule
      }
      log.serves = ScheduleMatching.schedule(for: log, among: free)
    }
    if log == known { return events }
    let logged = events + [.sessionLogged(log, by: by)]
    guard let known else { return withWaitingEdits(logged, of: log.id.retagged()) }
    // What it does no more another log of the day may do.
    return known.serves == log.serves && known.day == log.day
      ? logged : logged + servicesOfWhatIsFree(without: known)
  }

  /// Refuses a session whose log would be one more of its day than there may be; it may have its
  /// log there already.
  private func requireRoomForLog(of id: SessionID) throws(Rejection) {
    let sameDay = state.logs.logs(on: place(ofActAt: by.at).day(at: by.at))
    try requireRoom(
      sameDay.count { $0.id != id.retagged() }, AuthorityLimits.logsPerDayMax, of: "logs")
  }

  private func requireNewest(_ session: WorkoutSession) throws(Rejection) {
    if context.isReoffered { return }
    if let newest = session.entries.last, !newest.stamp.yields(to: by.stamp) {
      throw .refused(.superseded)
    }
  }

  /// What a session is started with. A routine that was deleted, or has not come back, does not
  /// keep a person from training.
  private func start(_ plan: SessionPlan) throws(Rejection) -> SessionStart {
    switch plan {
    case .activity(let type):
      try requireName(type, field: "activity_type")
      return SessionStart(title: "", activityType: type, exercises: [])
    case .routine(let id):
      guard let routine = state.routines.evenRemoved(id) else {
        guard context.isReoffered || state.thing(id) == .gone(.routine) else {
          throw .refused(.notFound)
        }
        return SessionStart(title: "", activityType: strengthActivity, exercises: [])
      }
      let exercises = routine.entries.value.map { planned in
        PlannedExercise(state.exercise(planned.exercise.id) ?? planned.exercise, sets: planned.sets)
      }
      return SessionStart(
        title: routine.title.value, activityType: strengthActivity, exercises: exercises)
    }
  }

  /// Makes room for one more session, and for the log that it will leave.
  private func room() throws(Rejection) -> [Event] {
    try requireRoom(state.logs.count, AuthorityLimits.logsMax, of: "logs")
    var events: [Event] = []
    let open = state.sessions.all.count { !$0.isEnded }
    if open >= AuthorityLimits.openSessionsMax {
      if let stub = state.sessions.expendableStub(now: context.now) {
        events.append(.sessionDropped(id: stub.id))
      } else {
        try requireRoom(open, AuthorityLimits.openSessionsMax, of: "sessions")
      }
    }
    let isFull =
      state.sessions.all.count >= AuthorityLimits.sessionsMax
      || state.sessions.setCount >= AuthorityLimits.setsKeptMax
    if isFull, let oldest = state.sessions.oldestEnded {
      events.append(.sessionDropped(id: oldest.id))
    }
    return events
  }
}

extension WorkoutSession {
  /// Whether it has ended by a moment.
  fileprivate func isOver(at moment: Instant) -> Bool {
    guard let end = clock.endedAt else { return false }
    return end <= moment
  }
}

extension SessionControl {
  /// What it does to the timer; nil: the session goes.
  fileprivate var move: SessionMove? {
    switch self {
    case .pause: .pause
    case .resume: .resume
    case .finish: .finish
    case .discard: nil
    }
  }
}
