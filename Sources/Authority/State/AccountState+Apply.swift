public import WatchTransfer

extension AccountState {
  /// Takes the events of the journal entry `revision`. Total: an event that does not fit changes
  /// nothing.
  public mutating func apply(_ events: [Event], revision: Revision) {
    self.revision = revision
    for event in events {
      apply(event)
      if let at = event.competingMoment { newestEdit = max(newestEdit ?? at, at) }
    }
  }

  private mutating func apply(_ event: Event) {
    switch event {
    case .accountCreated(let at, let rules, let version):
      newestTurn = at
      zone.begin(rules, at: at, dataVersion: version)
    case .turned(let at, let rules, let version):
      newestTurn = at
      zone.renew(rules, dataVersion: version)
      schedules.resolveDays(from: at, before: horizon, by: rules)
    case .clockWentBack(let moment):
      bringEditsBack(to: moment)
    case .zoneChanged(let rules, let version, let by):
      zone.move(to: rules, by: by.stamp, dataVersion: version)
      // What is planned from then on is planned for the days of the new zone.
      if zone.stamp == by.stamp { schedules.resolveDays(from: by.at, before: nil, by: rules) }
    case .themeSet(let mode, let by):
      settings.themeMode.edit(mode, by: by.stamp)
    case .paletteSet(let palette, let by):
      settings.palette.edit(palette, by: by.stamp)
    case .goalSet(let name, let value, let by):
      goals.edit(name, value: value, by: by.stamp)
    case .preferencesSet(let change, let by):
      applyPreferences(change, by: by.stamp)
    case .workoutDefined, .workoutEdited, .workoutDeleted, .workoutStubOpened:
      applyToWorkouts(event)
    case .workoutScheduled, .workoutUnscheduled, .scheduleServed, .workoutMarked,
      .workoutUnmarked, .workoutLogged:
      applyToLogs(event)
    case .matchMade, .matchStubOpened, .matchStubClosed, .matchDropped, .teamNamed, .pointAdded,
      .pointUndone, .clockControlled, .extraTimeAgreed, .clockTakenOver:
      applyToMatches(event)
    case .exerciseDefined, .exerciseEdited, .exerciseDeleted, .routineDefined, .routineEdited,
      .routineDeleted, .sessionStarted, .sessionStubOpened, .sessionStubClosed, .sessionMoved,
      .sessionDiscarded, .sessionDropped, .setCompleted, .setEdited, .setUncompleted,
      .setAdjusted, .exerciseSelected, .restSet, .sessionExerciseAdded, .samplesRecorded,
      .summaryDismissed, .sessionLogged:
      applyToStrength(event)
    case .squadSet, .substituted, .substitutionUndone:
      applyToLineUps(event)
    case .keymapSet(let bindings, let by):
      keymap.edit(bindings, by: by.stamp)
    case .consistency(let event):
      apply(event)
    case .reloadTold(let device, let day):
      reloads.tell(device, on: day)
    case .attachment(let event):
      apply(event)
    }
  }

  /// The clock went back to `moment`: no edit is later than that.
  private mutating func bringEditsBack(to moment: Instant) {
    newestEdit = moment
    settings.bringBack(to: moment)
    goals.bringBack(to: moment)
    zone.bringBack(to: moment)
    for index in workouts.indices {
      workouts[index].titleStamp?.bringBack(to: moment)
      workouts[index].exercisesStamp?.bringBack(to: moment)
    }
    matches.bringBack(to: moment)
    exercises.bringBack(to: moment)
    routines.bringBack(to: moment)
    sessions.bringBack(to: moment)
    keymap.stamp?.bringBack(to: moment)
    bringConsistencyBack(to: moment)
    reloads.bringBack(to: zone.rules.day(at: moment))
    attachments.bringBack(to: moment)
  }

  private mutating func applyPreferences(_ change: PreferenceChange, by stamp: FieldStamp) {
    if let units = change.units { settings.units.edit(units, by: stamp) }
    if let weekday = change.firstWeekday { settings.firstWeekday.edit(weekday, by: stamp) }
    if let step = change.onboardingStep { settings.onboardingStep.edit(step, by: stamp) }
    if let policy = change.streakPolicy { settings.streakPolicy.edit(policy, by: stamp) }
  }
}
