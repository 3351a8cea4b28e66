internal import Authority
internal import AuthorityLink
internal import AuthorityServer
internal import WatchClient
internal import WatchTransfer
internal import WireFormat

/// Compares what devices are told with what is durable, as it happens and at the end. The first
/// thing that is wrong is kept.
final class Checker {
  /// The first broken promise.
  private(set) var violation: String?
  private let store: SimulatedStore
  private let encoder = MessageEncoder()
  private var receipts: [DurableHistory.DecidedNumber: Outcome] = [:]
  private var submitted: [DeviceID: Set<IncarnationNumber>] = [:]
  private var shown: [DeviceID: (epoch: EpochID, revision: Revision)] = [:]
  /// Comparisons of all facets with a fresh projection.
  private(set) var projections = 0

  private let zones: any ZoneRulesSource

  init(_ store: SimulatedStore, zones: any ZoneRulesSource) {
    self.store = store
    self.zones = zones
  }

  /// An action is durable in a device's outbox.
  func submitted(_ number: IncarnationNumber, by device: SimulatedDevice) {
    submitted[device.paired.id, default: []].insert(number)
  }

  /// A device was told something.
  func heard(_ event: WatchEvent, by device: SimulatedDevice) {
    switch event {
    case .receipt(let receipt): heard(receipt, by: device)
    case .update(let update): heard(update, by: device)
    case .quarantined(let number, let reason):
      broken("\(device.paired.name) quarantined \(number.number): \(reason)")
    case .failed(let error): broken("\(device.paired.name) cannot use its outbox: \(error)")
    case .ended(let goodbye):
      if goodbye.reason != .replaced {
        broken("\(device.paired.name) was turned away: \(goodbye.reason.word)")
      }
    case .movedToNewIncarnation: broken("\(device.paired.name) was told that it went back in time")
    case .connected, .disconnected: break
    }
  }

  /// After the faults have stopped.
  func final(_ devices: [SimulatedDevice]) -> String? {
    for device in devices { checkEnd(of: device) }
    checkCheckpoints()
    return violation
  }

  private func heard(_ receipt: Receipt, by device: SimulatedDevice) {
    let number = IncarnationNumber(incarnation: receipt.incarnation, number: receipt.number)
    let key = DurableHistory.DecidedNumber(account: device.paired.account, number: number)
    // Durable before receipt, and the receipt says what is durable.
    guard let decided = store.history.outcomes[key] else {
      return broken(
        "\(device.paired.name) has a receipt of \(receipt.number), which is not durable")
    }
    if decided != receipt.outcome {
      broken("\(device.paired.name): \(receipt.outcome) was told, \(decided) decided")
    }
    if let before = receipts.updateValue(receipt.outcome, forKey: key), before != receipt.outcome {
      broken("\(device.paired.name): \(before) became \(receipt.outcome)")
    }
    if case .applied(let revision) = receipt.outcome, let state = device.state,
      state.revision < revision, state.epoch == shown[device.paired.id]?.epoch
    {
      broken("\(device.paired.name) has a receipt before its update")
    }
  }

  private func heard(_ update: SurfaceUpdate, by device: SimulatedDevice) {
    guard let state = device.state, let epoch = state.epoch,
      let record = store.history.records[device.paired.account]
    else { return broken("\(device.paired.name) was shown an account that is not durable") }
    if update.to > record.revision {
      broken("\(device.paired.name) was shown \(update.to), durable is \(record.revision)")
    }
    if let before = shown[device.paired.id], before.epoch == epoch, state.revision < before.revision
    {
      broken("\(device.paired.name) went back from \(before.revision) to \(state.revision)")
    }
    shown[device.paired.id] = (epoch, state.revision)
    // One account never sees another's.
    if state.account != device.paired.account {
      broken("\(device.paired.name) was shown another account")
    }
    // What is shown at the newest durable revision is what a fresh projection gives.
    if state.revision == record.revision { compare(device, with: record) }
  }

  private func compare(_ device: SimulatedDevice, with record: AccountRecord) {
    guard let state = device.state else { return }
    projections += 1
    for kind in device.paired.kind.facets {
      let fresh = encoder.encode(project(record.state, kind))
      if state.encoded[kind]?.content != fresh {
        broken(
          "\(device.paired.name) shows another \(kind.word) than revision \(record.revision) has")
      }
    }
  }

  /// Whether a device shows the newest revision there is, and knows it.
  func isUpToDate(_ device: SimulatedDevice) -> Bool {
    guard let state = device.state else { return false }
    return !state.isStale
      && state.revision == store.history.records[device.paired.account]?.revision
  }

  private func checkEnd(of device: SimulatedDevice) {
    let name = device.paired.name
    guard let state = device.state, let record = store.history.records[device.paired.account]
    else { return broken("\(name) shows nothing at the end") }
    guard device.isSettled == true else { return broken("\(name) still waits for receipts") }
    guard state.revision == record.revision else {
      return broken("\(name) ends at \(state.revision) of \(record.revision)")
    }
    compare(device, with: record)
    for number in submitted[device.paired.id] ?? [] {
      let key = DurableHistory.DecidedNumber(account: device.paired.account, number: number)
      if store.history.outcomes[key] == nil { broken("\(name): number \(number.number) is lost") }
    }
  }

  private func checkCheckpoints() {
    for problem in store.history.violations { broken(problem) }
    do {
      for finding in try replayFindings(of: SimulatedJournal(store), zones: zones) {
        broken(finding)
      }
    } catch {
      broken("the journal cannot be replayed: \(error)")
    }
  }

  private func broken(_ promise: String) {
    if violation == nil { violation = promise }
  }
}
