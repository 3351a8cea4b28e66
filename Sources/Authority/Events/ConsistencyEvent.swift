public import WatchTransfer

/// Facts about schedules, weights, logs that were edited, and what was decided about streaks.
public enum ConsistencyEvent: Sendable, Equatable {
  /// A weekly schedule was made.
  case weeklyScheduled(id: ScheduleID, WeeklyEdit, by: Occurrence)
  /// A weekly schedule was edited, or ended; only the fields that won.
  case weeklyEdited(id: ScheduleID, WeeklyEdit, by: Occurrence)
  /// A schedule for one moment was edited; only the fields that won.
  case scheduleEdited(id: ScheduleID, planned: PlannedWorkout?, at: Instant?, by: Occurrence)
  /// The civil day that a schedule for one moment is planned for.
  case scheduleDated(id: ScheduleID, day: CivilDay)
  case weightLogged(WeightEntry, by: Occurrence)
  case weightDeleted(id: WeightID, by: Occurrence)
  /// A log was edited; `from` is the day it counted for before.
  case logEdited(id: LogID, from: CivilDay, LogEdit, by: Occurrence)
  /// A log was deleted; `day` is nil when it had not come back yet.
  case logDeleted(id: LogID, day: CivilDay?, by: Occurrence)
  case freezeGranted(Freeze, by: Occurrence)
  case streakPaused(Pause, by: Occurrence)
  case streakResumed(from: CivilDay, by: Occurrence)
  /// An edit was offered again before what it edits came back.
  case editWaits(WaitingEdit)

  /// The moment of an edit that later ones compete with; nil where nothing competes.
  var competingMoment: Instant? {
    switch self {
    case .weeklyScheduled(_, _, let by), .weeklyEdited(_, _, let by),
      .scheduleEdited(_, _, _, let by), .logEdited(_, _, _, let by), .streakPaused(_, let by),
      .streakResumed(_, let by):
      by.at
    case .scheduleDated, .weightLogged, .weightDeleted, .logDeleted, .freezeGranted, .editWaits:
      nil
    }
  }

  /// The facets that it may change.
  var touched: FacetSet {
    switch self {
    case .weeklyScheduled, .weeklyEdited, .scheduleEdited, .scheduleDated: [.today, .streak]
    case .weightLogged, .weightDeleted: [.goals]
    // It may be a session's.
    case .logEdited: [.today, .streak, .goals, .lastSession]
    case .logDeleted: [.today, .streak, .goals]
    case .freezeGranted, .streakPaused, .streakResumed: [.streak]
    case .editWaits: []
    }
  }
}

/// An edit that waits for what it edits, as it was asked for.
public struct WaitingEdit: Sendable, Equatable {
  /// What it edits.
  public enum Change: Sendable, Equatable {
    case schedule(ScheduleID, ScheduleChange)
    case log(LogID, LogChange)
  }

  public var change: Change
  public var by: Occurrence

  /// A change asked for by somebody.
  public init(change: Change, by: Occurrence) {
    self.change = change
    self.by = by
  }

  /// The id it waits for.
  var thing: ThingID {
    switch change {
    case .schedule(let id, _): id.retagged()
    case .log(let id, _): id.retagged()
    }
  }

  /// The action it was.
  var action: Action {
    switch change {
    case .schedule(let id, let change): .editSchedule(id: id, change)
    case .log(let id, let change): .editLog(log: id, change)
    }
  }
}
