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

  case consistency(ConsistencyEvent)
}
