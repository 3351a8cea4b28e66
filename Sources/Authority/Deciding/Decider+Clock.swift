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
    let isFact = match.isFact(control, by: by.device, at: by.at)
    if !isFact, !context.isReoffered {
      try requireInTime()
      if let newest = match.controls.last, !newest.stamp.yields(to: by.stamp) {
        throw .refused(.superseded)
      }
    }
    let before = match.clock(at: by.at)
    if before.phase == .ended { throw .refused(.ended) }
    // Whether a stub has extra time is not known before its match arrives.
    if control == .nextHalf, before.half >= match.halves.count, !match.isStub {
      throw .refused(.ended)
    }
    // The last place is for the end, so that a match can always be ended.
    let places = AuthorityLimits.controlsMax - (control == .end ? 0 : 1)
    try requireRoom(match.controls.count, places, of: "controls")
    return [controlled]
  }

  /// Makes the device the recorder of a match's clock, from its corrected time on: a wish about
  /// now. What the former recorder did before that time stays a fact. Of two the later wins.
  func takeOver(_ id: MatchID) throws(Rejection) -> [Event] {
    let taken = Event.clockTakenOver(match: id, by: by)
    guard let match = try existing(id) else {
      guard context.isReoffered else { throw .refused(.notFound) }
      return try stub(id) + [taken]
    }
    try requireInTime()
    if let newest = match.takeovers.last, !newest.yields(to: by.stamp), !context.isReoffered {
      throw .refused(.superseded)
    }
    if match.clock(at: by.at).phase == .ended { throw .refused(.ended) }
    try requireRoom(match.takeovers.count, AuthorityLimits.takeoversMax, of: "takeovers")
    return [taken]
  }

  /// Refuses a wish about now that came too late; offered again, it is none any more.
  func requireInTime() throws(Rejection) {
    let deadline =
      context.expiresAt
      ?? by.at.advanced(milliseconds: AuthorityLimits.perishableMilliseconds)
    if context.now > deadline, !context.isReoffered { throw .expired }
  }
}
