public import WatchTransfer

/// Typed wishes, each one line over `submit`; ids are made here, by the one who asks.
extension WatchClient {
  /// Defines a workout.
  public func defineWorkout(
    title: String, exercises: [String]
  ) async throws(OutboxError) -> (WorkoutID, IncarnationNumber) {
    let id: WorkoutID = fresh()
    return (id, try await submit(.defineWorkout(id: id, title: title, exercises: exercises)))
  }

  /// Changes a workout from now on; what is nil stays.
  public func editWorkout(
    _ id: WorkoutID, title: String? = nil, exercises: [String]? = nil
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.editWorkout(id: id, title: title, exercises: exercises))
  }

  /// Deletes a workout; `previewDeletion` says beforehand what goes with it.
  public func deleteWorkout(_ id: WorkoutID) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.deleteWorkout(id: id))
  }

  /// Plans a workout.
  public func scheduleWorkout(
    _ workout: WorkoutReference, at: Instant
  ) async throws(OutboxError) -> (ScheduleID, IncarnationNumber) {
    let id: ScheduleID = fresh()
    return (id, try await submit(.scheduleWorkout(id: id, workout: workout, at: at)))
  }

  /// Takes a plan back.
  public func unscheduleWorkout(
    _ id: ScheduleID
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.unscheduleWorkout(id: id))
  }

  /// Done, now.
  public func markWorkout(
    _ workout: WorkoutReference
  ) async throws(OutboxError) -> (LogID, IncarnationNumber) {
    let id: LogID = fresh()
    return (id, try await submit(.markWorkout(log: id, workout: workout)))
  }

  /// Not done after all.
  public func unmarkWorkout(
    _ workout: WorkoutReference
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.unmarkWorkout(workout: workout))
  }

  /// Logs a workout that happened; its log id is the caller's.
  public func logWorkout(
    _ workout: LoggedWorkout
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.logWorkout(workout))
  }

  /// Who chooses between day and night.
  public func setTheme(_ mode: ThemeMode) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.setTheme(mode: mode))
  }

  /// Chooses the colours.
  public func setPalette(_ palette: PaletteName) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.setPalette(palette))
  }

  /// Sets a goal, or removes it (nil).
  public func setGoal(
    _ name: String, to value: Double?
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.setGoal(name: name, value: value))
  }

  /// Changes preferences.
  public func setPreferences(
    _ change: PreferenceChange
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.setPreferences(change))
  }

  /// The person is in another zone.
  public func setZone(_ id: String) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.setZone(id: id))
  }

  /// Makes a match.
  public func newMatch(
    home: String, away: String, halfLengthMilliseconds: Int64 = 2_700_000,
    extraHalfMilliseconds: Int64? = nil
  ) async throws(OutboxError) -> (MatchID, IncarnationNumber) {
    let id: MatchID = fresh()
    let action = Action.newMatch(
      id: id, home: home, away: away, halfLengthMilliseconds: halfLengthMilliseconds,
      extraHalfMilliseconds: extraHalfMilliseconds)
    return (id, try await submit(action))
  }

  /// Names a team.
  public func nameTeam(
    _ team: Team, of match: MatchID, _ name: String
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.nameTeam(match: match, team: team, name: name))
  }

  /// A point; `insist` when another referee may just have pressed for the same team.
  public func addPoint(
    to team: Team, of match: MatchID, insist: Bool = false
  ) async throws(OutboxError) -> (EntryID, IncarnationNumber) {
    let id: EntryID = fresh()
    let action = Action.addPoint(entry: id, match: match, team: team, insist: insist)
    return (id, try await submit(action))
  }

  /// Takes a point back.
  public func undoPoint(
    _ entry: EntryID, of match: MatchID
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.undoPoint(match: match, entry: entry))
  }

  /// Does something to the match clock.
  public func controlClock(
    of match: MatchID, _ control: ClockControl
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.controlClock(match: match, control: control))
  }

  /// Drives the match's clock from now on.
  public func takeOver(match: MatchID) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.takeOverMatch(match: match))
  }

  /// Says what the account's buttons do.
  public func setKeymap(
    _ bindings: [KeyBinding]
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.setKeymap(bindings: bindings))
  }

  /// Presses a button, which does what the account's keymap says. It is all that a device paired as
  /// a `controller` may do; a press lasts 120 s.
  public func press(
    _ button: UInt8, _ gesture: Gesture = .press
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.press(button: button, gesture: gesture))
  }
}
