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

  /// Pauses streaks from a day on. While they are paused from that day on anyway no day changes,
  /// but a resumption that was pressed before, and arrives later, does not end it.
  func pauseStreak(_ id: PauseID, from day: CivilDay) throws(Rejection) -> [Event] {
    try requireDay(day, field: "from_day")
    try requireFree(id, for: .pause)
    if let open = state.streaks.openPause(from: day) {
      let isLater = state.streaks.pressed[open.id]?.yields(to: by.stamp) ?? true
      return isLater ? [.consistency(.streakPaused(open, by: by))] : []
    }
    try requireRoom(state.streaks.pauses.count, AuthorityLimits.pausesMax, of: "pauses")
    // One that was pressed before they were resumed ends with it, however late it comes.
    let isOver = state.streaks.resumption.map { !$0.stamp.yields(to: by.stamp) } ?? false
    let until = isOver ? state.streaks.resumption.map { max($0.from, day) } : nil
    return [.consistency(.streakPaused(Pause(id: id, from: day, until: until), by: by))]
  }

  /// Ends every pause that was pressed before.
  func resumeStreak(from day: CivilDay?) throws(Rejection) -> [Event] {
    if let day { try requireDay(day, field: "from_day") }
    // Offered again, the pause may not have come back yet: it will end with this.
    if !state.streaks.isPaused(before: by.stamp), !context.isReoffered {
      throw .refused(state.streaks.isPaused ? .superseded : .notFound)
    }
    let from = day ?? place(ofActAt: by.at).day(at: by.at)
    return [.consistency(.streakResumed(from: from, by: by))]
  }
}
