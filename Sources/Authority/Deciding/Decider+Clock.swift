internal import WatchTransfer

extension Decider {
  /// Works the clock of a match. What its recorder did is a fact, put in at its time however late
  /// it arrives; what another device presses is a wish about now, which expires and which a later
  /// control supersedes (DESIGN section 4, Perishable).
  func controlClock(_ id: MatchID, _ control: ClockControl) throws(Rejection) -> [Event] {
    let controlled = Event.clockControlled(match: id, control: control, by: by)
    guard let match = try existing(id) else {
      if control != .start { try requireInTime() }
      return try stub(id) + [controlled]
    }
    let isFact = match.clock.isFact(control, by: by.device, at: by.at)
    if !isFact, !context.isReoffered {
      try requireInTime()
      if let newest = match.controls.last, !newest.stamp.yields(to: by.stamp) {
        throw .refused(.superseded)
      }
    }
    let before = match.clock(at: by.at)
    if before.phase == .ended { throw .refused(.ended) }
    if control == .nextHalf, before.half == 2 { throw .refused(.ended) }
    // The last place is for the end, so that a match can always be ended.
    let places = AuthorityLimits.controlsMax - (control == .end ? 0 : 1)
    try requireRoom(match.controls.count, places, of: "controls")
    return [controlled]
  }

  /// Refuses a wish about now whose time is over.
  func requireInTime() throws(Rejection) {
    let deadline =
      context.expiresAt
      ?? by.at.advanced(milliseconds: AuthorityLimits.perishableMilliseconds)
    if context.now > deadline, !context.isReoffered { throw .expired }
  }
}
