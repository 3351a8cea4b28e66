import WatchTransfer

/// The server's half of exactly once, as DESIGN section 4 words it: small enough to be believed.
struct ModelLedger {
  struct Lane {
    var last: ActionNumber = 0
    var decided: [ActionNumber: (body: [UInt8], receipt: Receipt)] = [:]
  }

  var lanes: [IncarnationID: Lane] = [:]
  /// The bodies that took effect, in order.
  var applied: [[UInt8]] = []
  var revision: Revision = 1
  var backedUp: [IncarnationNumber] = []
  var reofferMax: UInt32 = 1_000
  /// Answers the next acts "busy" this often.
  var busyAnswers = 0
  // Of one connection.
  var poisoned: Set<IncarnationID> = []
  var heldGap: [IncarnationID: ActionNumber] = [:]

  func expected(_ incarnation: IncarnationID) -> ActionNumber {
    (lanes[incarnation]?.last ?? 0) + 1
  }

  /// The greeting: durable `missing` below `oldest`, then what is expected.
  mutating func greet(_ states: [IncarnationState]) -> Welcome {
    poisoned = []
    heldGap = [:]
    for state in states {
      while expected(state.incarnation) < state.oldest {
        let number = expected(state.incarnation)
        decide(state.incarnation, number, body: [], .refused(.missing))
      }
    }
    return welcome(
      revision: revision,
      expected: states.map {
        IncarnationNumber(incarnation: $0.incarnation, number: expected($0.incarnation))
      }, backedUp: backedUp, reofferMax: reofferMax)
  }

  /// The answer to an act; nil: dropped in silence.
  mutating func receive(_ act: Act) -> ServerMessage? {
    let incarnation = act.incarnation
    let last = lanes[incarnation]?.last ?? 0
    if act.number <= last {
      guard act.number + 256 > last, let stored = lanes[incarnation]?.decided[act.number] else {
        return .settled(IncarnationNumber(incarnation: incarnation, number: act.number))
      }
      guard stored.body == act.body else {
        poisoned.insert(incarnation)
        return .conflict(stored.receipt)
      }
      return .receipt(stored.receipt)
    }
    if poisoned.contains(incarnation) { return nil }
    if let held = heldGap[incarnation], act.number > held { return nil }
    if act.number > last + 1 {
      heldGap[incarnation] = last + 1
      return .hold(
        Hold(
          incarnation: incarnation, number: act.number, reason: .gap(expected: last + 1)))
    }
    if busyAnswers > 0 || act.number > act.confirmed + 256 {
      busyAnswers = max(0, busyAnswers - 1)
      heldGap[incarnation] = act.number
      return .hold(
        Hold(
          incarnation: incarnation, number: act.number,
          reason: .busy(retryAfterMilliseconds: 100)))
    }
    heldGap[incarnation] = nil
    if let first = act.firstReceipt, case .refused = first.outcome {
      return .receipt(decide(incarnation, act.number, body: act.body, first.outcome))
    }
    revision += 1
    applied.append(act.body)
    return .receipt(decide(incarnation, act.number, body: act.body, .applied(revision)))
  }

  @discardableResult
  private mutating func decide(
    _ incarnation: IncarnationID, _ number: ActionNumber, body: [UInt8], _ outcome: Outcome
  ) -> Receipt {
    let receipt = Receipt(incarnation: incarnation, number: number, outcome: outcome)
    lanes[incarnation, default: Lane()].last = number
    lanes[incarnation]?.decided[number] = (body, receipt)
    return receipt
  }
}
