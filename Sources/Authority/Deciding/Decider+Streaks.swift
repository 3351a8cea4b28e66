internal import WatchTransfer

extension Decider {
  /// Grants a freeze; refused while as many as there may be are in hand, as the log stands.
  func grantFreeze(_ id: FreezeID) throws(Rejection) -> [Event] {
    try requireFree(id, for: .freeze)
    try requireRoom(state.streaks.freezes.count, AuthorityLimits.freezesMax, of: "freezes")
    let day = place(ofAccountAt: by.at).day(at: by.at)
    let inHand = StreakProjection(state: state).freezes(on: day)
    try requireRoom(inHand, AuthorityLimits.freezesInHandMax, of: "freezes")
    return [.consistency(.freezeGranted(Freeze(id: id, day: day), by: by))]
  }

  /// Pauses streaks from a day on. While they are paused from that day on anyway it is applied and
  /// changes nothing, as a second mark does.
  func pauseStreak(_ id: PauseID, from day: CivilDay) throws(Rejection) -> [Event] {
    try requireDay(day, field: "from")
    try requireFree(id, for: .pause)
    if state.streaks.pauses.contains(where: { $0.until == nil && $0.from <= day }) { return [] }
    try requireRoom(state.streaks.pauses.count, AuthorityLimits.pausesMax, of: "pauses")
    // One that was pressed before they were resumed ends with it, however late it comes.
    let isOver = state.streaks.resumption.map { !$0.stamp.yields(to: by.stamp) } ?? false
    let until = isOver ? state.streaks.resumption.map { max($0.from, day) } : nil
    return [.consistency(.streakPaused(Pause(id: id, from: day, until: until), by: by))]
  }

  /// Ends every pause.
  func resumeStreak(from day: CivilDay?) throws(Rejection) -> [Event] {
    if let day { try requireDay(day, field: "from") }
    // Offered again, the pause may not have come back yet: it will end with this.
    guard state.streaks.isPaused || context.isReoffered else { throw .refused(.notFound) }
    let from = day ?? place(ofActAt: by.at).day(at: by.at)
    return [.consistency(.streakResumed(from: from, by: by))]
  }
}
