public import WatchTransfer

/// The facets that events may change; a facet that is not among them has the same bytes as before.
public func touchedFacets(by events: [Event]) -> FacetSet {
  var touched = FacetSet()
  for event in events { touched.formUnion(touchedFacets(by: event)) }
  return touched
}

private func touchedFacets(by event: Event) -> FacetSet {
  switch event {
  case .accountCreated: .all
  case .turned: [.today, .streak, .goals, .theme]
  // Which match is the newest may change.
  case .clockWentBack: FacetSet.ofMatches.union([.session, .lastSession])
  case .zoneChanged: [.today, .streak, .goals, .preferences, .theme]
  // Marks that waited for the title may turn out to be one.
  case .workoutDefined, .workoutEdited: [.today, .streak, .goals]
  // What is planned for a day decides whether it counts.
  case .workoutDeleted, .workoutScheduled, .workoutUnscheduled, .scheduleServed:
    [.today, .streak]
  case .workoutStubOpened: []
  case .workoutMarked, .workoutUnmarked, .workoutLogged: [.today, .streak, .goals]
  case .themeSet, .paletteSet: [.theme]
  case .goalSet: [.goals]
  // Weights are told in the person's units.
  case .preferencesSet: [.preferences, .streak, .goals, .session, .lastSession]
  // Which match is shown may change.
  case .matchMade, .matchStubOpened, .matchStubClosed, .matchDropped, .clockControlled,
    .extraTimeAgreed:
    .ofMatches
  case .teamNamed: [.teams]
  // A fact opens a closed stub again.
  case .pointAdded, .substituted: .ofMatches
  case .pointUndone: [.score]
  case .exerciseDefined, .exerciseEdited, .exerciseDeleted, .routineDefined, .routineEdited,
    .routineDeleted:
    [.routines]
  // Which session is shown, and what is known of an exercise's last time, may change.
  case .sessionStarted, .sessionStubOpened, .sessionStubClosed, .sessionMoved, .sessionDropped,
    .setCompleted, .setEdited, .setUncompleted, .setAdjusted, .exerciseSelected, .restSet,
    .sessionExerciseAdded, .samplesRecorded:
    [.session, .lastSession]
  case .summaryDismissed: [.lastSession]
  case .sessionDiscarded, .sessionLogged: [.today, .streak, .goals, .session, .lastSession]
  case .clockTakenOver: [.matchClock]
  case .squadSet, .substitutionUndone: [.squads, .playTime]
  // Photos are in pages alone.
  case .keymapSet, .reloadTold, .attachment: []
  case .consistency(let event): event.touched
  }
}

extension FacetSet {
  /// What is shown of a match.
  static let ofMatches: FacetSet = [.teams, .score, .matchClock, .squads, .playTime]
}

/// The widgets that show any of the facets.
public func touchedWidgets(by facets: FacetSet) -> [WidgetKind] {
  WidgetKind.allCases.filter { kind in
    let shown: FacetSet =
      switch kind {
      case .streak: [.streak, .theme]
      case .today: [.today, .theme]
      case .match: [.teams, .score, .matchClock, .theme]
      // What is done and for how long is in `goals`, the first weekday in `preferences`.
      case .week: [.today, .streak, .goals, .preferences, .theme]
      case .trend: [.today, .streak, .goals, .theme]
      case .session: [.session, .lastSession, .theme]
      }
    return !shown.intersection(facets).isEmpty
  }
}
