internal import Authority
internal import AuthorityLink
internal import AuthorityServer
internal import Storage
internal import WatchClient
internal import WatchTransfer
internal import WidgetClient
internal import WireFormat

/// Compares what devices are told with what is durable, as it happens and at the end. The first
/// thing that is wrong is kept.
final class Checker {
  /// The first broken promise.
  var violation: String? { ownViolation ?? oracle.violation }
  /// How often each kind of action was applied, by its name.
  var applied: [String: Int] { oracle.applied }
  private var ownViolation: String?
  let server: SimulatedServer
  var store: SimulatedStore { server.store }
  private var oracle: ActionOracle
  let encoder = MessageEncoder()
  private var receipts: [DurableHistory.DecidedNumber: Outcome] = [:]
  private var submitted: [String: Set<IncarnationNumber>] = [:]
  private var shown: [String: (epoch: EpochID, revision: Revision)] = [:]
  /// What a fresh projection of an account's newest durable state gives, until that changes:
  /// several devices show it.
  private var fresh: [AccountID: [FacetKind: [UInt8]]] = [:]
  /// Comparisons of all facets with a fresh projection, or of an answer with a fresh one.
  var projections = 0

  private let zones: any ZoneRulesSource
  /// Devices whose outbox went back in time.
  private var turnedBack: Set<String> = []
  /// How often a device has moved actions to a new incarnation, and how often it may in one story.
  private var moves: [String: Int] = [:]
  private static let movesMax = 50
  private(set) var serverTurnedBack = false
  /// Pairings that were welcomed once.
  private var welcomed: Set<DeviceID> = []
  /// Widgets that must get the newest and have not.
  var unfetched: Set<String> = []
  /// Questions that must be answered and were not, by the device that asked.
  var unanswered: [String: [Question]] = [:]
  private var atCopy: [String: Copy] = [:]

  /// Every pulse that was sent, or might have been.
  private var pulses: Set<SentPulse> = []
  /// How often the server's clock was set.
  private(set) var clockSteps = 0
  /// Until when the server's clock has stepped too lately for moments to be compared.
  private var isSteppedUntil: Int64 = 0

  /// Photos whose bytes were ever durable, all of them.
  private var whole: Set<AttachmentKey> = []

  /// What a device said that it measures.
  private struct SentPulse: Hashable {
    let session: SessionID
    let device: DeviceID
    let heartRate: Double
  }

  /// What a device had queued when its files were copied, and as whom.
  private struct Copy {
    let pairing: DeviceID
    let account: AccountID
    let wasWelcomed: Bool
    let submitted: Set<IncarnationNumber>
  }

  init(_ server: SimulatedServer, zones: any ZoneRulesSource) {
    self.server = server
    self.zones = zones
    oracle = ActionOracle(zones: zones)
    store.onDurable = { [unowned self, unowned server] entry, before in
      // By the entry's own time: what a crash left in doubt is found later.
      let decided =
        entry.at.milliseconds - SimulatedMachine.epochMilliseconds - server.wallOffset
      fresh[entry.account] = nil
      for case .attachment(.uploadCompleted(let hash, _)) in entry.events {
        whole.insert(AttachmentKey(account: entry.account, hash: hash))
      }
      oracle.decided(entry, before: before, at: decided)
    }
  }

  /// The world's clock, in milliseconds.
  private var now: Int64 { server.world.now / Span.millisecond }

  /// An action is durable in a device's outbox.
  func submitted(_ number: IncarnationNumber, _ action: Action, by device: SimulatedDevice) {
    submitted[device.name, default: []].insert(number)
    oracle.submitted(
      number, action, of: device.paired.account, inZone: device.zone.id, at: now)
  }

  /// The server's clock was set.
  func clockStepped() {
    oracle.timeChanged()
    clockSteps += 1
    isSteppedUntil = now + 60_000
  }

  /// A device says that it measures a heart rate in a session.
  func pulsed(_ session: SessionID, _ heartRate: Double, by device: SimulatedDevice) {
    pulses.insert(
      SentPulse(session: session, device: device.paired.id, heartRate: heartRate))
  }

  /// A device was told that the bytes of a photo are kept.
  func uploaded(_ hash: AttachmentHash, by device: SimulatedDevice) {
    if !whole.contains(AttachmentKey(account: device.paired.account, hash: hash)) {
      broken("\(device.name) was told of a photo that is not durable")
    }
  }

  /// A device was told something.
  func heard(_ event: WatchEvent, by device: SimulatedDevice) {
    switch event {
    case .receipt(let receipt): heard(receipt, by: device)
    case .update(let update): heard(update, by: device)
    case .quarantined(let number, let reason):
      // Only an outbox that went back in time may not know what became of an action.
      if turnedBack.contains(device.name) { return }
      broken("\(device.name) quarantined \(number.number): \(reason)")
    case .failed(let error): broken("\(device.name) cannot use its outbox: \(error)")
    case .ended(let goodbye):
      if goodbye.reason != .replaced {
        broken("\(device.name) was turned away: \(goodbye.reason.word)")
      }
    case .movedToNewIncarnation(let old, _, _):
      guard turnedBack.contains(device.name) else {
        return broken("\(device.name) was told that it went back in time")
      }
      moves[device.name, default: 0] += 1
      if moves[device.name] ?? 0 > Self.movesMax {
        broken("\(device.name) gives its actions new numbers on and on")
      }
      // They have other numbers now.
      submitted[device.name] = submitted[device.name]?.filter { $0.incarnation != old }
    case .connected(let welcome): heard(welcome, by: device)
    case .stage(let number, let stage): heard(stage, of: number, by: device)
    case .disconnected: break
    }
  }

  /// An action is said to be shown only on a screen that is as far.
  private func heard(
    _ stage: ActionStage, of number: IncarnationNumber, by device: SimulatedDevice
  ) {
    guard case .shown(let revision) = stage else { return }
    if device.state?.revision ?? 0 < revision {
      broken(
        "\(device.name) says that \(number.number) is shown, which its screen is not as far as")
    }
  }

  /// A device is about to be paired again. What it queued under a token that was never welcomed is
  /// nobody's, and stays in that token's room; what it queued for another account is set aside
  /// (DESIGN section 4).
  func pairsAgain(_ device: SimulatedDevice) {
    // It begins with an empty screen.
    shown[device.name] = nil
    let isSameAccount = device.nextAccount == device.paired.account
    guard !isSameAccount || !welcomed.contains(device.paired.id) else { return }
    submitted[device.name] = []
    atCopy[device.name] = nil
  }

  /// A device was launched: it shows what its files have kept.
  func launched(_ device: SimulatedDevice) {
    guard let state = device.state else { return }
    shown[device.name] = state.epoch.map { ($0, state.revision) }
  }

  /// A device's files were copied.
  func copied(_ device: SimulatedDevice) {
    atCopy[device.name] = Copy(
      pairing: device.paired.id, account: device.paired.account,
      wasWelcomed: welcomed.contains(device.paired.id),
      submitted: submitted[device.name] ?? [])
  }

  /// A device's files are those of the copy: what it did since then it has forgotten.
  func wentBack(_ device: SimulatedDevice) {
    turnedBack.insert(device.name)
    // Nobody's, as in `pairsAgain`, if the copy is of another pairing that nobody had welcomed.
    let copy = atCopy[device.name]
    let isKnown =
      copy.map {
        $0.pairing == device.paired.id
          || $0.wasWelcomed && $0.account == device.paired.account
      } ?? false
    submitted[device.name] = isKnown ? copy?.submitted : []
    if copy?.wasWelcomed != true { welcomed.remove(device.paired.id) }
    shown[device.name] = nil
  }

  /// The server's disk is an older one: what came since then is offered again.
  func serverWentBack() {
    serverTurnedBack = true
    fresh = [:]
    oracle.timeChanged()
  }

  /// After the faults have stopped.
  func final(_ devices: [SimulatedDevice]) -> String? {
    for device in devices { checkEnd(of: device) }
    for problem in store.history.violations { broken(problem) }
    for (device, days) in store.history.reloads {
      let most = days.values.max() ?? 0
      if most > server.limits.reloadsPerDay { broken("\(device) was told to fetch \(most) times") }
    }
    return violation
  }

  private func heard(_ receipt: Receipt, by device: SimulatedDevice) {
    let number = IncarnationNumber(incarnation: receipt.incarnation, number: receipt.number)
    let key = DurableHistory.DecidedNumber(account: device.paired.account, number: number)
    if store.formerHistories.isEmpty {
      oracle.receipted(number, of: device.paired.account, by: device.name)
    }
    // Durable before receipt, and the receipt says what is durable.
    guard let decided = store.history.outcomes[key] else {
      if store.formerHistories.contains(where: { $0.outcomes[key] == receipt.outcome }) { return }
      return broken(
        "\(device.name) has a receipt of \(receipt.number), which is not durable")
    }
    if decided != receipt.outcome {
      broken("\(device.name): \(receipt.outcome) was told, \(decided) decided")
    }
    if let before = receipts.updateValue(receipt.outcome, forKey: key),
      !isSame(before, receipt.outcome), !isForgotten(device)
    {
      broken("\(device.name): \(before) became \(receipt.outcome)")
    }
    if case .applied(let revision) = receipt.outcome, let state = device.state,
      state.revision < revision, state.epoch == shown[device.name]?.epoch
    {
      broken("\(device.name) has a receipt before its update")
    }
  }

  private func heard(_ welcome: Welcome, by device: SimulatedDevice) {
    welcomed.insert(device.paired.id)
    // The newest start in which the account changed, whatever start this is (DESIGN section 4).
    let account = device.paired.account
    let histories = [store.history] + store.formerHistories
    if !histories.contains(where: { $0.records[account]?.epochs.lists(welcome.epoch) == true }) {
      broken("\(device.name) was welcomed to a start in which its account did not change")
    }
  }

  /// Both sides have gone back: nobody knows what was told.
  private func isForgotten(_ device: SimulatedDevice) -> Bool {
    serverTurnedBack && turnedBack.contains(device.name)
  }

  /// Through a restore what applied applies again, with another revision; anything else stays.
  private func isSame(_ before: Outcome, _ now: Outcome) -> Bool {
    if case .applied = before, case .applied = now, serverTurnedBack { return true }
    return before == now
  }

  private func heard(_ update: SurfaceUpdate, by device: SimulatedDevice) {
    oracle.heard(update.cues, by: device.name, at: serverClock)
    let account = device.paired.account
    for case .live(let live?) in update.readings { heard(live, by: device) }
    if case .live(let live?) = device.state?.readings[.live] { checkSession(of: live, device) }
    guard let state = device.state, let epoch = state.epoch,
      let record = store.history.records[account]
    else {
      // It may be one of before a restore, on its way still.
      if store.formerHistories.contains(where: { $0.records[account] != nil }) { return }
      return broken("\(device.name) was shown an account that is not durable")
    }
    if update.to > record.revision {
      let wasThere = store.formerHistories.contains {
        update.to <= $0.records[account]?.revision ?? 0
      }
      if wasThere { return }
      broken("\(device.name) was shown \(update.to), durable is \(record.revision)")
    }
    if let before = shown[device.name], before.epoch == epoch, state.revision < before.revision {
      broken("\(device.name) went back from \(before.revision) to \(state.revision)")
    }
    shown[device.name] = (epoch, state.revision)
    // One account never sees another's.
    if state.account != device.paired.account {
      broken("\(device.name) was shown another account")
    }
    // What is shown at the newest durable revision is what a fresh projection gives; frames that a
    // server sent before it was restored speak of another history.
    if state.revision == record.revision, isOfThisLife(device, record) {
      compare(device, with: record)
    }
  }

  /// A live value is what its recorder said, of the session that is shown beside it, and not one
  /// that should have gone: no way takes as long as the wait here.
  private func heard(_ live: LiveReading, by device: SimulatedDevice) {
    let sent = SentPulse(
      session: live.session, device: live.recorder, heartRate: live.heartRate ?? 0)
    if !pulses.contains(sent) { broken("\(device.name) shows a pulse that nobody sent") }
    if now > isSteppedUntil, live.expiresAt < serverClock.advanced(milliseconds: -20_000) {
      broken("\(device.name) is sent a pulse that is over")
    }
  }

  /// What is measured is of the session that is shown beside it, and of its recorder.
  private func checkSession(of live: LiveReading, _ device: SimulatedDevice) {
    if case .session(let shown) = device.state?.facets[.session],
      shown?.session != live.session || shown?.recorder != live.recorder
    {
      broken("\(device.name) shows the pulse of another session, or of another recorder")
    }
  }

  private func compare(_ device: SimulatedDevice, with record: AccountRecord) {
    guard let state = device.state else { return }
    projections += 1
    for kind in device.paired.kind.facets {
      if state.encoded[kind]?.content != freshContent(kind, of: device.paired.account, record) {
        broken(
          "\(device.name) shows another \(kind.word) than revision \(record.revision) has")
      }
    }
  }

  private func freshContent(
    _ kind: FacetKind, of account: AccountID, _ record: AccountRecord
  ) -> [UInt8] {
    if let known = fresh[account]?[kind] { return known }
    let content = encoder.encode(project(record.state, kind))
    fresh[account, default: [:]][kind] = content
    return content
  }

  /// Whether a device shows the newest revision there is, knows it, and everything it queued is
  /// decided: a server that was restored is offered again what it has lost.
  func isUpToDate(_ device: SimulatedDevice) -> Bool {
    let account = device.paired.account
    // A connection that fell silent shows another life of the account until that is noticed.
    guard let state = device.state, !state.isStale, let record = store.history.records[account],
      state.revision == record.revision, isOfThisLife(device, record)
    else { return false }
    return (submitted[device.name] ?? []).allSatisfy {
      store.history.outcomes[DurableHistory.DecidedNumber(account: account, number: $0)] != nil
    }
  }

  /// Whether what a device shows is of the account as it is now, and not of one before a restore:
  /// whether its cursor would be good.
  private func isOfThisLife(_ device: SimulatedDevice, _ record: AccountRecord) -> Bool {
    guard let state = device.state, let epoch = state.epoch else { return false }
    let set = device.paired.kind.facetSet
    let cursor = Cursor(epoch: epoch, revision: state.revision, facetSet: set)
    return record.epochs.basis(of: cursor, at: record.revision, facetSet: set).revision
      == state.revision
  }

  private func checkEnd(of device: SimulatedDevice) {
    let name = device.name
    guard let state = device.state, let record = store.history.records[device.paired.account]
    else { return broken("\(name) shows nothing at the end") }
    guard device.isSettled == true else { return broken("\(name) still waits for receipts") }
    guard state.revision == record.revision else {
      return broken("\(name) ends at \(state.revision) of \(record.revision)")
    }
    compare(device, with: record)
    for number in submitted[device.name] ?? [] {
      let key = DurableHistory.DecidedNumber(account: device.paired.account, number: number)
      guard let outcome = store.history.outcomes[key] else {
        broken("\(name): number \(number.number) of \(number.incarnation) is lost")
        continue
      }
      // Acknowledged once, it is so still.
      if let told = receipts[key], !isSame(told, outcome), !isForgotten(device) {
        broken("\(name): number \(number.number) was \(told) and is \(outcome)")
      }
    }
  }

  /// What is wrong with the checkpoints of a journal; nil: nothing.
  func findings(in journal: any Journal) -> String? {
    do {
      return try replayFindings(of: journal, zones: zones).first
    } catch {
      return "the journal cannot be replayed: \(error)"
    }
  }

  /// Takes down what is wrong; the first thing is kept.
  func broken(_ promise: String) {
    server.world.isOver = true
    if ownViolation == nil { ownViolation = promise }
  }
}
