internal import WatchTransfer

extension Event {
  /// The moment of an edit, point or control: what comes later is compared with it. nil for events
  /// that compete with nothing.
  var competingMoment: Instant? {
    switch self {
    case .zoneChanged(_, _, let by), .workoutDefined(_, _, _, let by),
      .workoutEdited(_, _, _, let by), .themeSet(_, let by),
      .paletteSet(_, let by), .goalSet(_, _, let by),
      .preferencesSet(_, let by), .matchMade(_, _, _, _, let by), .matchStubOpened(_, let by),
      .teamNamed(_, _, _, let by), .pointAdded(_, _, _, _, let by), .pointUndone(_, _, let by),
      .clockControlled(_, _, let by), .exerciseDefined(_, let by),
      .exerciseEdited(_, _, _, let by), .routineDefined(_, _, _, let by),
      .routineEdited(_, _, _, let by), .sessionStarted(_, _, let by),
      .sessionStubOpened(_, let by), .sessionMoved(_, _, _, _, let by),
      .setCompleted(_, _, let by), .setEdited(_, _, _, _, let by), .setUncompleted(_, _, let by),
      .setAdjusted(_, _, _, _, let by), .exerciseSelected(_, _, let by), .restSet(_, _, let by),
      .sessionExerciseAdded(_, _, let by), .samplesRecorded(_, _, let by),
      .clockTakenOver(_, let by), .squadSet(_, _, _, let by),
      .substituted(_, _, _, _, _, _, let by), .substitutionUndone(_, _, let by),
      .keymapSet(_, let by):
      by.at
    case .matchStubClosed(_, let at), .sessionStubClosed(_, let at):
      at
    case .consistency(let event):
      event.competingMoment
    case .attachment(let event):
      event.competingMoment
    case .accountCreated, .turned, .clockWentBack, .workoutDeleted, .workoutStubOpened,
      .workoutScheduled, .workoutUnscheduled, .scheduleServed, .workoutMarked, .workoutUnmarked,
      .workoutLogged, .matchDropped, .exerciseDeleted, .routineDeleted, .sessionDiscarded,
      .sessionDropped, .summaryDismissed, .sessionLogged, .extraTimeAgreed, .reloadTold:
      nil
    }
  }
}
