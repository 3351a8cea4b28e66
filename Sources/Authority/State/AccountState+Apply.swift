public import WatchTransfer

extension AccountState {
  /// Takes the events of the journal entry `revision`. Total: an event that does not fit changes
  /// nothing.
  public mutating func apply(_ events: [Event], revision: Revision) {
    for event in events { apply(event) }
    self.revision = revision
  }

  private mutating func apply(_ event: Event) {
    switch event {
    case .accountCreated(let at, let rules, let version):
      newestTurn = at
      zone.begin(rules, at: at, dataVersion: version)
    case .turned(let at, let rules, let version):
      newestTurn = at
      zone.renew(rules, dataVersion: version)
    case .zoneChanged(let rules, let version, let by):
      zone.move(to: rules, by: by.stamp, dataVersion: version)
    case .themeSet(let mode, let by):
      settings.themeMode.edit(mode, by: by.stamp)
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
      .pointUndone, .clockControlled:
      applyToMatches(event)
    }
  }

  private mutating func applyPreferences(_ change: PreferenceChange, by stamp: FieldStamp) {
    if let units = change.units { settings.units.edit(units, by: stamp) }
    if let weekday = change.firstWeekday { settings.firstWeekday.edit(weekday, by: stamp) }
    if let step = change.onboardingStep { settings.onboardingStep.edit(step, by: stamp) }
    if let policy = change.streakPolicy { settings.streakPolicy.edit(policy, by: stamp) }
  }
}
