public import WatchTransfer

/// A facet as of the account's newest turn: no clock, so the same state gives the same bytes at any
/// time. What time alone will change is listed up to the horizon (DESIGN section 3).
public func project(_ state: AccountState, _ kind: FacetKind) -> Facet {
  switch kind {
  case .today: .today(TodayProjection(state: state).facet)
  case .streak: .streak(StreakProjection(state: state).facet)
  case .goals: .goals(GoalsProjection(state: state).facet)
  case .preferences: .preferences(preferences(of: state))
  case .theme: .theme(ThemeProjection(state: state).facet)
  case .teams: .teams(state.matches.shown.map { MatchProjection(match: $0).teams })
  case .score: .score(state.matches.shown.map { MatchProjection(match: $0).score })
  case .matchClock: .matchClock(state.matches.shown.map { MatchProjection(match: $0).clock })
  case .routines: .routines(RoutinesProjection(state: state).facet)
  case .session:
    .session(state.sessions.shown.map { SessionProjection(state: state, session: $0).facet })
  case .lastSession: .lastSession(LastSessionProjection(state: state).facet)
  case .squads: .squads(state.matches.shown.map { LineUpProjection(match: $0).squads })
  case .playTime: .playTime(state.matches.shown.map { LineUpProjection(match: $0).playTime })
  }
}

private func preferences(of state: AccountState) -> PreferencesFacet {
  PreferencesFacet(
    units: state.settings.units.value, firstWeekday: state.settings.firstWeekday.value,
    onboardingStep: state.settings.onboardingStep.value,
    streakPolicy: state.settings.streakPolicy.value, zoneID: state.zoneID)
}
