public import Transport
public import WatchTransfer

/// What the server says about one action.
extension OutboxMachine {
  /// The final word on an action; told once, however often it comes.
  public mutating func received(_ receipt: Receipt) -> Reaction {
    var reaction = Reaction()
    guard let index = laneIndex(receipt.incarnation) else { return reaction }
    answered(index, receipt.number)
    guard let entry = lanes[index][receipt.number] else { return reaction }
    switch entry.state {
    case .receipted, .moved: return reaction
    case .waiting, .quarantined, .dismissed: break
    }
    lanes[index].set(.receipted(receipt.outcome), of: receipt.number)
    reaction.records.append(.receipted(receipt))
    reaction.notices.append(.receipt(receipt))
    return reaction
  }

  /// The number was decided with other bytes: the outbox has gone back in time, and this action and
  /// all later ones get new numbers.
  public mutating func receivedConflict(
    _ stored: Receipt, fresh: () -> IncarnationID
  ) -> Reaction {
    var reaction = Reaction()
    guard let index = laneIndex(stored.incarnation) else { return reaction }
    answered(index, stored.number)
    // Later conflicts of the same flight speak of actions that have moved already.
    guard let entry = lanes[index][stored.number], entry.state != .moved else { return reaction }
    move(from: index, number: stored.number, fresh: fresh, &reaction)
    return reaction
  }

  /// The number was decided, and nobody keeps how: the person decides, and it is never renumbered.
  public mutating func receivedSettled(_ settled: IncarnationNumber) -> Reaction {
    var reaction = Reaction()
    guard let index = laneIndex(settled.incarnation) else { return reaction }
    answered(index, settled.number)
    guard lanes[index][settled.number]?.state == .waiting else { return reaction }
    quarantine(index, settled.number, .outcomeUnknown, &reaction)
    return reaction
  }

  /// Not now: the action, and with it all later ones, will go again.
  public mutating func received(
    _ hold: Hold, at now: MonotonicInstant, fresh: () -> IncarnationID
  ) -> Reaction {
    var reaction = Reaction()
    guard let index = laneIndex(hold.incarnation) else { return reaction }
    switch hold.reason {
    case .gap(let expected):
      // Once: acts that were on their way already may each be told of the same gap.
      guard lanes[index].filledGap != expected, expected < lanes[index].next else { break }
      lanes[index].filledGap = expected
      lanes[index].expect(expected)
      resend(index, from: expected)
      checkOffer(of: index, expected, fresh: fresh, &reaction)
    case .busy(let milliseconds), .storageUnavailable(let milliseconds):
      let until = OutboxLimits.end(ofHold: milliseconds, from: now)
      pausedUntil = max(pausedUntil ?? until, until)
      resend(index, from: hold.number)
    }
    return reaction
  }

  /// The person has decided about a quarantined action.
  public mutating func dismiss(_ id: IncarnationNumber) -> Reaction {
    var reaction = Reaction()
    guard let index = laneIndex(id.incarnation),
      case .quarantined = lanes[index][id.number]?.state
    else { return reaction }
    lanes[index].set(.dismissed, of: id.number)
    reaction.records.append(.dismissed(id))
    return reaction
  }

  /// Judges what the server expects of an incarnation when a connection begins.
  mutating func checkExpectation(
    of index: Int, fresh: () -> IncarnationID, _ reaction: inout Reaction
  ) {
    guard let expected = lanes[index].expected else { return }
    if lanes[index].firstUnsent < expected {
      let isCurrent = index == lanes.count - 1
      // A number that was never sent by anyone who has these bytes is decided already.
      if isCurrent || lanes[index].firstUnsent < lanes[index].next {
        move(from: index, number: lanes[index].firstUnsent, fresh: fresh, &reaction)
      }
    } else if lanes[index][expected] != nil {
      checkOffer(of: index, expected, fresh: fresh, &reaction)
    }
  }

  /// An expected number whose bytes are lost can never be offered: nothing from it on was decided,
  /// so what waits behind it gets new numbers.
  private mutating func checkOffer(
    of index: Int, _ expected: ActionNumber, fresh: () -> IncarnationID,
    _ reaction: inout Reaction
  ) {
    guard expected < lanes[index].next, lanes[index][expected]?.body == nil else { return }
    move(from: index, number: expected, fresh: fresh, &reaction)
  }

  /// Moves what waits from `number` on to a new incarnation right behind this one.
  private mutating func move(
    from index: Int, number: ActionNumber, fresh: () -> IncarnationID, _ reaction: inout Reaction
  ) {
    let isCurrent = index == lanes.count - 1
    let taken = lanes[index].takeWaiting(from: number)
    guard isCurrent || !taken.isEmpty else { return }
    var lane = OutboxLane(incarnation: fresh())
    for entry in taken { _ = lane.append(entry) }
    lanes.insert(lane, at: index + 1)
    reaction.mustRewrite = true
    reaction.notices.append(
      .moved(from: lanes[index].incarnation, to: lane.incarnation, count: taken.count))
  }

  private mutating func quarantine(
    _ index: Int, _ number: ActionNumber, _ reason: QuarantineReason, _ reaction: inout Reaction
  ) {
    let id = IncarnationNumber(incarnation: lanes[index].incarnation, number: number)
    lanes[index].set(.quarantined(reason), of: number)
    reaction.records.append(.quarantined(id, reason))
    reaction.notices.append(.quarantined(id, reason))
  }

  private mutating func resend(_ index: Int, from number: ActionNumber) {
    lanes[index].inFlight = lanes[index].inFlight.filter { $0 < number }
    lanes[index].sendNext = max(lanes[index].oldest, min(lanes[index].sendNext, number))
  }

  private mutating func answered(_ index: Int, _ number: ActionNumber) {
    lanes[index].inFlight.remove(number)
    if let filled = lanes[index].filledGap, number >= filled { lanes[index].filledGap = nil }
  }

  private func laneIndex(_ incarnation: IncarnationID) -> Int? {
    lanes.firstIndex { $0.incarnation == incarnation }
  }
}
