internal import AuthorityLink
public import WatchTransfer
internal import WireFormat

/// How far an action has come, as far as this device knows: each step is the one before and more.
public enum ActionStage: Hashable, Sendable {
  /// It is on this device's disk.
  case queued
  /// The present connection has taken it; when that ends before the receipt, it is queued again.
  case received
  /// It has its final word, which is on the authority's disk; refused or expired, this is its last
  /// step.
  case durable(Outcome)
  /// It is part of the truth since this revision.
  case applied(Revision)
  /// The state of this surface includes it.
  case shown(Revision)
  /// Nobody knows what became of it: the person releases or discards it.
  case quarantined(QuarantineReason)

  /// The word used in JSON and in texts.
  public var word: String {
    switch self {
    case .queued: "queued"
    case .received: "received"
    case .durable(let outcome): outcome.word
    case .applied: "applied"
    case .shown: "shown"
    case .quarantined: "quarantined"
    }
  }

  /// What a final word comes to on a surface that shows `revision`.
  init(_ outcome: Outcome, shown revision: Revision) {
    guard case .applied(let at) = outcome else {
      self = .durable(outcome)
      return
    }
    self = revision >= at ? .shown(at) : .applied(at)
  }
}

/// How many actions stand where.
public struct OutboxCounts: Hashable, Sendable {
  /// On this device alone.
  public var queued = 0
  /// On their way, without a receipt.
  public var received = 0
  /// Set aside: their outcome is unknown.
  public var quarantined = 0

  /// An empty outbox.
  public init() {}
}

/// What the outbox holds, action by action.
extension WatchClient {
  /// How far an action has come; nil: it is not kept here, or the person discarded it.
  public func stage(of id: IncarnationNumber) -> ActionStage? {
    guard let lane = outbox?.machine.lanes.first(where: { $0.incarnation == id.incarnation })
    else { return nil }
    return stage(of: id.number, in: lane)
  }

  /// The newest actions that are kept, oldest first, with their receipts where they have one.
  public func actions(newest count: Int) -> [QueuedAction] {
    var found: [QueuedAction] = []
    for lane in (outbox?.machine.lanes ?? []).reversed() {
      for number in (lane.oldest..<lane.next).reversed() where found.count < count {
        guard let entry = lane[number], let stage = stage(of: number, in: lane) else { continue }
        found.append(QueuedAction(id: lane.id(number), action: action(of: entry), stage: stage))
      }
    }
    return found.reversed()
  }

  /// The actions without a receipt, oldest first.
  public var queued: [QueuedAction] {
    (outbox?.machine.lanes ?? []).flatMap { lane in
      lane.entries.enumerated().compactMap { offset, entry in
        let number = lane.oldest + ActionNumber(offset)
        guard !entry.isFinal, let stage = stage(of: number, in: lane) else { return nil }
        return QueuedAction(id: lane.id(number), action: action(of: entry), stage: stage)
      }
    }
  }

  /// How many of them stand where.
  public var outboxCounts: OutboxCounts {
    var counts = OutboxCounts()
    for lane in outbox?.machine.lanes ?? [] {
      for (offset, entry) in lane.entries.enumerated() where !entry.isFinal {
        switch stage(of: lane.oldest + ActionNumber(offset), in: lane) {
        case .queued: counts.queued += 1
        case .received: counts.received += 1
        case .quarantined: counts.quarantined += 1
        case .durable, .applied, .shown, nil: break
        }
      }
    }
    return counts
  }

  private func stage(of number: ActionNumber, in lane: OutboxLane) -> ActionStage? {
    switch lane[number]?.state {
    case .waiting: lane.isInFlight(number) ? .received : .queued
    case .receipted(let outcome): ActionStage(outcome, shown: surface.state.revision)
    case .quarantined(let reason): .quarantined(reason)
    case .dismissed, .moved, nil: nil
    }
  }

  private func action(of entry: OutboxEntry) -> Action? {
    entry.body.flatMap { try? decoder.decodeActionBody($0) }?.action
  }

  /// An action has its final word.
  func noteStage(of receipt: Receipt) {
    let id = IncarnationNumber(incarnation: receipt.incarnation, number: receipt.number)
    let stage = ActionStage(receipt.outcome, shown: surface.state.revision)
    switch stage {
    case .applied(let revision):
      announce(.stage(id, stage))
      // The update comes first; only a server that forgot something has it the other way round.
      unshown.append((id, revision))
      if unshown.count > Self.unshownMax { unshown.removeFirst() }
    case .shown(let revision):
      announce(.stage(id, .applied(revision)))
      announce(.stage(id, stage))
    case .durable: announce(.stage(id, stage))
    case .queued, .received, .quarantined: break
    }
  }

  /// The surface shows another revision.
  func noteShown() {
    let revision = surface.state.revision
    for (id, applied) in unshown where applied <= revision {
      announce(.stage(id, .shown(applied)))
    }
    unshown.removeAll { $0.revision <= revision }
  }

  /// Applied actions whose update is awaited.
  private static var unshownMax: Int { 1_024 }
}
