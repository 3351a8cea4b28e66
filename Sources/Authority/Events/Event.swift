public import WatchTransfer

/// A fact the authority decided, with everything resolved, so that later rules never alter history.
public enum Event: Sendable, Equatable {
  case accountCreated(at: Instant, zone: ZoneRules, zoneDataVersion: String)
  /// Time moved on; the zone's rules hold up to the horizon.
  case turned(at: Instant, zone: ZoneRules, zoneDataVersion: String)
  /// The clock was set back: no edit is later than `to`.
  case clockWentBack(to: Instant)
  case zoneChanged(zone: ZoneRules, zoneDataVersion: String, by: Occurrence)

  case workoutDefined(id: WorkoutID, title: String, exercises: [String], by: Occurrence)
  /// Only the fields that won.
  case workoutEdited(id: WorkoutID, title: String?, exercises: [String]?, by: Occurrence)
  case workoutDeleted(id: WorkoutID, by: Occurrence)
  /// Named before its definition came back.
  case workoutStubOpened(id: WorkoutID, by: Occurrence)

  case workoutScheduled(Schedule, by: Occurrence)
  case workoutUnscheduled(id: ScheduleID, by: Occurrence)
  /// A log did a schedule.
  case scheduleServed(id: ScheduleID, log: LogID)

  case workoutMarked(WorkoutLog, by: Occurrence)
  case workoutUnmarked(log: LogID, day: CivilDay, by: Occurrence)
  case workoutLogged(WorkoutLog, by: Occurrence)

  case themeSet(mode: ThemeMode, by: Occurrence)
  case paletteSet(PaletteName, by: Occurrence)
  /// A nil value removes the goal.
  case goalSet(name: String, value: Double?, by: Occurrence)
  /// Only the fields that won.
  case preferencesSet(PreferenceChange, by: Occurrence)

  case matchMade(
    id: MatchID, home: String, away: String, halfLengthMilliseconds: Int64, by: Occurrence)
  case matchStubOpened(id: MatchID, by: Occurrence)
  /// No fact came for 12 h.
  case matchStubClosed(id: MatchID, at: Instant)
  /// Made room for another.
  case matchDropped(id: MatchID)
  case teamNamed(match: MatchID, team: Team, name: String, by: Occurrence)
  case pointAdded(
    match: MatchID, entry: EntryID, team: Team, deviceName: String, by: Occurrence)
  case pointUndone(match: MatchID, entry: EntryID, by: Occurrence)
  case clockControlled(match: MatchID, control: ClockControl, by: Occurrence)
  /// Two halves more, of this length.
  case extraTimeAgreed(match: MatchID, halfMilliseconds: Int64)
  /// Its device drives the clock from then on.
  case clockTakenOver(match: MatchID, by: Occurrence)
  case squadSet(match: MatchID, team: Team, players: [SquadPlayer], by: Occurrence)
  case substituted(
    match: MatchID, id: SubstitutionID, team: Team, off: PlayerID, on: PlayerID,
    deviceName: String, by: Occurrence)
  case substitutionUndone(match: MatchID, id: SubstitutionID, by: Occurrence)

  /// In order of button and gesture.
  case keymapSet([KeyBinding], by: Occurrence)

  case exerciseDefined(Exercise, by: Occurrence)
  /// Only the fields that won.
  case exerciseEdited(id: ExerciseID, name: String?, equipment: Equipment?, by: Occurrence)
  case exerciseDeleted(id: ExerciseID, by: Occurrence)
  case routineDefined(
    id: RoutineID, title: String, entries: [PlannedExercise], by: Occurrence)
  /// Only the fields that won.
  case routineEdited(
    id: RoutineID, title: String?, entries: [PlannedExercise]?, by: Occurrence)
  case routineDeleted(id: RoutineID, by: Occurrence)

  case sessionStarted(id: SessionID, SessionStart, by: Occurrence)
  case sessionStubOpened(id: SessionID, by: Occurrence)
  /// No fact came for 12 h.
  case sessionStubClosed(id: SessionID, at: Instant)
  /// The timer was paused, resumed, finished or taken over; a finish says on which local day.
  case sessionMoved(
    id: SessionID, move: SessionMove, day: CivilDay?, zoneID: String?, by: Occurrence)
  case sessionDiscarded(id: SessionID, by: Occurrence)
  /// Made room for another.
  case sessionDropped(id: SessionID)
  case setCompleted(session: SessionID, set: PerformedSet, by: Occurrence)
  /// Only the fields that won.
  case setEdited(
    session: SessionID, set: SetID, reps: Int?, weight: Weight?, by: Occurrence)
  case setUncompleted(session: SessionID, set: SetID, by: Occurrence)
  case setAdjusted(
    session: SessionID, position: Int, reps: Int?, weight: Weight?, by: Occurrence)
  case exerciseSelected(session: SessionID, position: Int, by: Occurrence)
  /// A rest of so many seconds began, or rest was stopped (nil).
  case restSet(session: SessionID, seconds: Int?, by: Occurrence)
  case sessionExerciseAdded(session: SessionID, exercise: Exercise, by: Occurrence)
  case samplesRecorded(session: SessionID, block: SampleBlock, by: Occurrence)
  case summaryDismissed(session: SessionID, by: Occurrence)
  /// The log of a session that has ended, made or amended.
  case sessionLogged(WorkoutLog, by: Occurrence)

  case consistency(ConsistencyEvent)
  case attachment(AttachmentEvent)

  /// A widget was told to fetch, on a local day.
  case reloadTold(device: DeviceID, day: CivilDay)
}
