extension Event {
  /// When and on which device a field was edited; nil for events that are no edits.
  var edit: FieldStamp? {
    switch self {
    case .zoneChanged(_, _, let by), .workoutDefined(_, _, _, let by),
      .workoutEdited(_, _, _, let by), .themeSet(_, let by), .goalSet(_, _, let by),
      .preferencesSet(_, let by), .matchMade(_, _, _, _, let by), .teamNamed(_, _, _, let by),
      .matchStubOpened(_, let by):
      by.stamp
    case .accountCreated, .turned, .workoutDeleted, .workoutStubOpened, .workoutScheduled,
      .workoutUnscheduled, .scheduleServed, .workoutMarked, .workoutUnmarked, .workoutLogged,
      .matchStubClosed, .matchDropped, .pointAdded, .pointUndone,
      .clockControlled:
      nil
    }
  }
}
