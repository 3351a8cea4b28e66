internal import Authority
internal import AuthorityServer
internal import Glibc
internal import Storage
internal import WatchTransfer
internal import WireFormat

/// Compares what peers hear with what is durable; the first thing that is wrong is kept.
final class PeerJudge {
  /// The first broken promise.
  private(set) var violation: String?
  private let store: SimulatedStore
  private let reloadsPerDay: Int
  private let encoder = MessageEncoder()
  private var reloads: [DeviceID: Int] = [:]
  private var outcomes: [DurableHistory.DecidedNumber: Outcome] = [:]
  /// Bytes that only this account may see, and whether another's peers have named them themselves.
  private var secrets: [(account: AccountID, bytes: [UInt8], isOut: Bool)] = []
  /// What devices said that they measure.
  private var pulses: Set<SaidPulse> = []

  /// A live value, by who said it.
  private struct SaidPulse: Hashable {
    let device: DeviceID
    let session: SessionID
    let heartRate: Double?
    let energy: Double?
    let distance: Double?
  }

  /// How far each upload ever was, and whether it was ever whole, by what is durable.
  private var kept: [AttachmentKey: (bytes: Int64, isWhole: Bool)] = [:]

  init(_ store: SimulatedStore, reloadsPerDay: Int) {
    self.store = store
    self.reloadsPerDay = reloadsPerDay
    store.onDurable = { [unowned self] entry, _ in self.take(entry) }
    for (device, _) in PeerCast.members {
      secrets.append((device.account, device.id.bytes, false))
    }
    for account in PeerCast.accounts {
      secrets.append((account.id, account.id.bytes, false))
      secrets.append((account.id, Array(PeerCast.secretTitle(of: account.id).utf8), false))
    }
  }

  /// The first thing that is wrong.
  func broken(_ promise: String) {
    if violation == nil { violation = promise }
  }

  /// A peer says bytes: what it names itself it may be told.
  func said(_ bytes: [UInt8], by account: AccountID) {
    for index in secrets.indices where secrets[index].account != account {
      if contains(bytes, secrets[index].bytes) { secrets[index].isOut = true }
    }
  }

  /// A peer hears a payload.
  func heard(_ payload: [UInt8], by account: AccountID) {
    for secret in secrets where secret.account != account && !secret.isOut {
      if contains(payload, secret.bytes) { broken("a peer hears what is another account's") }
    }
  }

  /// A peer is told to fetch: within the day's budget, which was durable before.
  func heardReload(by device: DeviceID) {
    reloads[device, default: 0] += 1
    let durable = store.history.reloads[device] ?? [:]
    if durable.values.reduce(0, +) < reloads[device] ?? 0 { broken("a reload that nothing tells") }
    if durable.values.contains(where: { $0 > reloadsPerDay }) {
      broken("too many reloads of a day")
    }
  }

  /// A peer hears a receipt: durable by then, and the same as ever.
  func heard(_ receipt: Receipt, of account: AccountID) {
    let number = IncarnationNumber(incarnation: receipt.incarnation, number: receipt.number)
    let key = DurableHistory.DecidedNumber(account: account, number: number)
    if let before = outcomes.updateValue(receipt.outcome, forKey: key), before != receipt.outcome {
      broken("\(before) became \(receipt.outcome)")
    }
    // Lost numbers are decided as ranges.
    if receipt.outcome == .refused(.missing) { return }
    guard let decided = store.history.outcomes[key] else {
      return broken("a receipt of \(receipt.number), which is not durable")
    }
    if decided != receipt.outcome { broken("\(receipt.outcome) was told, \(decided) decided") }
  }

  /// A peer hears an update: nothing that is not durable, and at the newest revision what a fresh
  /// projection gives.
  func heard(
    _ update: Update, showing surface: HeardSurface, to kind: DeviceKind, of account: AccountID
  ) {
    guard let record = store.history.records[account] else {
      return broken("an account is shown that is not durable")
    }
    if update.to > record.revision {
      return broken("\(update.to) is shown, \(record.revision) is durable")
    }
    guard surface.isWhole, surface.revision == record.revision else { return }
    for facet in kind.facets
    where surface.facets[facet] != encoder.encode(project(record.state, facet)) {
      broken("another \(facet.word) is shown than revision \(record.revision) has")
    }
  }

  private func take(_ entry: JournalEntry) {
    for case .attachment(let event) in entry.events {
      switch event {
      case .chunkStored(let hash, _, let offset, let count, _):
        let key = AttachmentKey(account: entry.account, hash: hash)
        let before = kept[key] ?? (0, false)
        kept[key] = (max(before.bytes, offset + count), before.isWhole)
      case .uploadCompleted(let hash, _):
        kept[AttachmentKey(account: entry.account, hash: hash)]?.isWhole = true
      case .attachmentDropped, .photoAttached, .photoRemoved: break
      }
    }
  }

  /// A peer hears how far an upload is: as far it was, durably. Whether the bytes are still there
  /// is compared at the end, with what the journal says by then.
  func heard(_ state: ChunkState, of account: AccountID) {
    let known = kept[AttachmentKey(account: account, hash: state.hash)]
    if state.offset > known?.bytes ?? 0 {
      broken("\(state.offset) bytes of a photo are said to be kept, \(known?.bytes ?? 0) are")
    }
    if state.isComplete, known?.isWhole != true {
      broken("a photo that is not whole is said to be")
    }
  }

  /// A peer says a pulse.
  func pulsed(_ pulse: Pulse, by device: DeviceID) {
    pulses.insert(
      SaidPulse(
        device: device, session: pulse.session,
        heartRate: pulse.heartRate.flatMap { $0 > 0 ? $0 : nil },
        energy: pulse.energyKilocalories, distance: pulse.distanceMeters))
  }

  /// A peer hears a live value: what its recorder said, and of the session that it is shown.
  func heard(_ live: LiveReading, besides shown: SessionFacet??) {
    let said = SaidPulse(
      device: live.recorder, session: live.session, heartRate: live.heartRate,
      energy: live.energyKilocalories, distance: live.distanceMeters)
    if !pulses.contains(said) { broken("a pulse is shown that its recorder has not sent") }
    if let shown, shown?.session != live.session || shown?.recorder != live.recorder {
      broken("a pulse is shown of another session, or of another recorder")
    }
    if let stale = live.staleAt, stale <= live.observedAt || live.expiresAt <= stale {
      broken("a pulse is over before it is stale")
    }
  }

  /// A peer hears a page: of what is durable, and of the newest revision what a fresh look gives.
  /// What a deletion would take away depends on the clock as well.
  func heard(_ page: Page, of account: AccountID) {
    guard let record = store.history.records[account], page.revision <= record.revision else {
      return broken("a page of revision \(page.revision), which is not durable")
    }
    if case .attachment(let range) = page.answer { judge(range) }
    guard page.revision == record.revision else { return }
    switch page.answer {
    case .history(let entries, let next): judge(entries, next, in: record.state)
    case .streakTrace(let trace): judge(trace, in: record.state)
    case .exercises(let entries, _): judge(entries, in: record.state)
    case .records(let records, let next): judge(records, next, in: record.state)
    case .workouts(let entries, _): judge(entries, in: record.state)
    case .deletion, .attachment, .refused: break
    }
  }

  private func judge(_ range: AttachmentRange) {
    let photo = SimulatedPhotos.bytes(of: range.hash) ?? []
    let end = min(Int(range.offset) + range.bytes.count, photo.count)
    let start = min(Int(range.offset), end)
    if range.bytes != Array(photo[start..<end]) || range.totalBytes != photo.count {
      broken("the bytes of a photo are others than were uploaded")
    }
  }

  private func judge(
    _ entries: [HistoryEntry], _ next: HistoryKey?, in state: AccountState
  ) {
    guard let first = entries.first else { return }
    let all = every(.history(HistoryQuestion()), in: state) {
      answer -> ([HistoryEntry], Question?)? in
      guard case .history(let more, let next) = answer else { return nil }
      return (more, next.map { .history(HistoryQuestion(before: $0)) })
    }
    let start = all.firstIndex { $0.key == first.key } ?? all.count
    let expected = Array(all[start...].prefix(entries.count))
    if entries != expected { broken("a page is not what the account's history holds") }
    if (next == nil) != (start + entries.count == all.count) {
      broken("a page says wrongly whether there is another")
    }
  }

  /// The same days asked for by their numbers give the same trace.
  private func judge(_ trace: StreakTrace, in state: AccountState) {
    guard let first = trace.days.first else { return broken("a trace without days") }
    let question = StreakTraceQuestion(
      .from(first.day, days: trace.days.count), policy: trace.policy)
    // It is as of the day on which it was asked: that of the newest turn, or the day after.
    let isExpected = (0...2 as ClosedRange<Int64>).contains { days in
      let now = (state.newestTurn ?? Instant(milliseconds: 0))
        .advanced(milliseconds: days * 86_400_000)
      return answer(state, .streakTrace(question), now: now) == .streakTrace(trace)
    }
    if !isExpected { broken("a trace is not what the account's log gives") }
  }

  private func judge(_ entries: [ExerciseEntry], in state: AccountState) {
    let all = every(.exercises(ExercisesQuestion()), in: state) {
      answer -> ([ExerciseEntry], Question?)? in
      guard case .exercises(let more, let next) = answer else { return nil }
      return (more, next.map { .exercises(ExercisesQuestion(after: $0)) })
    }
    if !Set(all).isSuperset(of: entries) { broken("a page has exercises that the account has not") }
  }

  private func judge(_ entries: [WorkoutEntry], in state: AccountState) {
    let all = every(.workouts(WorkoutsQuestion()), in: state) {
      answer -> ([WorkoutEntry], Question?)? in
      guard case .workouts(let more, let next) = answer else { return nil }
      return (more, next.map { .workouts(WorkoutsQuestion(after: $0)) })
    }
    if !Set(all).isSuperset(of: entries) { broken("a page has workouts that the account has not") }
  }

  private func judge(
    _ records: [ExerciseRecord], _ next: ExerciseKey?, in state: AccountState
  ) {
    let all = every(.records(RecordsQuestion()), in: state) {
      answer -> ([ExerciseRecord], Question?)? in
      guard case .records(let more, let next) = answer else { return nil }
      return (more, next.map { .records(RecordsQuestion(after: $0)) })
    }
    let start = records.first.flatMap { all.firstIndex(of: $0) } ?? 0
    if records != Array(all[start...].prefix(records.count)) {
      broken("a page is not what the account's records are")
    }
    if (next == nil) != (start + records.count == all.count) {
      broken("a page of records says wrongly whether there is another")
    }
  }

  /// What stands on all pages from a question on; `read` gives a page's entries, and the question
  /// for the next one.
  private func every<Entry>(
    _ question: Question, in state: AccountState,
    _ read: (Page.Answer) -> ([Entry], Question?)?
  ) -> [Entry] {
    var all: [Entry] = []
    var asked: Question? = question
    while let question = asked,
      let (more, next) = read(answer(state, question, now: Instant(milliseconds: 0)))
    {
      all += more
      asked = next
    }
    return all
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      part.withUnsafeBytes { part in
        guard let wanted = part.baseAddress, var start = bytes.baseAddress else { return false }
        let end = start + bytes.count
        while end - start >= part.count,
          let found = memchr(start, Int32(part[0]), end - start - part.count + 1)
        {
          if memcmp(found, wanted, part.count) == 0 { return true }
          start = UnsafeRawPointer(found) + 1
        }
        return false
      }
    }
  }
}
