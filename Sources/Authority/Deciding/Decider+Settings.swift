internal import WatchTransfer

extension Decider {
  /// Chooses the theme's mode.
  func setTheme(_ mode: ThemeMode) throws(Rejection) -> [Event] {
    try requireWinner(state.settings.themeMode.yields(to: by.stamp))
    return [.themeSet(mode: mode, by: by)]
  }

  /// Chooses the colours.
  func setPalette(_ palette: PaletteName) throws(Rejection) -> [Event] {
    try requireWinner(state.settings.palette.yields(to: by.stamp))
    return [.paletteSet(palette, by: by)]
  }

  /// Sets or removes a goal. Removing one that is not there changes nothing.
  func setGoal(_ name: String, value: Double?) throws(Rejection) -> [Event] {
    try requireName(name, field: "name")
    if let value, !(value.isFinite && value >= 0 && value <= ActionLimits.figureMax) {
      throw .refused(.invalid(field: "value"))
    }
    let known = state.goals.find(name)
    try requireWinner(wins(over: known?.stamp))
    if known?.value == nil, value != nil {
      try requireRoom(state.goals.liveCount, AuthorityLimits.goalsMax, of: "goals")
    }
    return [.goalSet(name: name, value: value, by: by)]
  }

  /// Sets the preferences that no later edit has set; refused when there is none left.
  func setPreferences(_ change: PreferenceChange) throws(Rejection) -> [Event] {
    if let weekday = change.firstWeekday, !(1...7).contains(weekday) {
      throw .refused(.invalid(field: "first_weekday"))
    }
    if let step = change.onboardingStep, !ActionLimits.onboardingSteps.contains(step) {
      throw .refused(.invalid(field: "onboarding_step"))
    }
    if let policy = change.streakPolicy, !policy.isValid {
      throw .refused(.invalid(field: "streak_days"))
    }
    let nothing = PreferenceChange()
    if change == nothing { return [] }
    let settings = state.settings
    var winners = change
    if !settings.units.yields(to: by.stamp) { winners.units = nil }
    if !settings.firstWeekday.yields(to: by.stamp) { winners.firstWeekday = nil }
    if !settings.onboardingStep.yields(to: by.stamp) { winners.onboardingStep = nil }
    if !settings.streakPolicy.yields(to: by.stamp) { winners.streakPolicy = nil }
    try requireWinner(winners != nothing)
    return [.preferencesSet(winners, by: by)]
  }

  /// Moves the account to another zone. One offered again that is older than the current move is
  /// noted among the periods.
  func setZone(_ id: String) throws(Rejection) -> [Event] {
    guard !id.isEmpty, id.utf8.count <= ActionLimits.zoneBytesMax else {
      throw .refused(.invalid(field: "zone_id"))
    }
    if !wins(over: state.zone.stamp), !context.isReoffered { throw .refused(.superseded) }
    let latest = max(context.now, state.asOf)
    // A device's clock may show any year; the rules of more than the history are of no use.
    let rules = context.zones.rules(
      for: id, from: state.asOf.advanced(milliseconds: -zoneHistoryMilliseconds),
      to: latest.advanced(milliseconds: horizonMilliseconds))
    guard let rules else { throw .refused(.invalid(field: "zone_id")) }
    return [.zoneChanged(zone: rules, zoneDataVersion: context.zones.version, by: by)]
  }
}
