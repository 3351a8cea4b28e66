internal import Authority
internal import WatchTransfer

/// What is known of single actions from the outside, and compared with how they were decided: the
/// day they count for, whether they came too late, and the moments that were told of them.
struct ActionOracle {
  /// The first thing that is wrong.
  private(set) var violation: String?
  /// How often each kind of action was applied, by its name.
  private(set) var applied: [String: Int] = [:]
  private let zones: any ZoneRulesSource
  private var submissions: [SubmittedNumber: Submission] = [:]
  /// What was queued under each number as it was decided.
  private var decidedAs: [SubmittedNumber: String] = [:]
  /// By kind and moment: how many moments worth a haptic were decided.
  private var decidedCues: [MomentKey: Int] = [:]
  /// The same, as each device heard them.
  private var heardCues: [String: [MomentKey: Int]] = [:]
  /// Whose an outbox is.
  private var owners: [IncarnationID: AccountID] = [:]
  /// How often the server's clock was set, or the server turned back.
  private var upheavals = 0

  /// What a device queued, and when.
  private struct Submission {
    let action: Action
    let zoneID: String?
    /// In the world's time, in milliseconds.
    let at: Int64
    let upheavals: Int
  }

  private struct SubmittedNumber: Hashable {
    let account: AccountID
    let number: IncarnationNumber
  }

  private struct MomentKey: Hashable {
    let kind: Cue.Kind
    let at: Instant
  }

  init(zones: any ZoneRulesSource) {
    self.zones = zones
  }

  /// A device queued an action; `milliseconds` by the world's clock.
  mutating func submitted(
    _ number: IncarnationNumber, _ action: Action, of account: AccountID, inZone zoneID: String?,
    at milliseconds: Int64
  ) {
    if owners[number.incarnation] == nil { owners[number.incarnation] = account }
    submissions[SubmittedNumber(account: account, number: number)] = Submission(
      action: action, zoneID: zoneID, at: milliseconds, upheavals: upheavals)
  }

  /// The server's clock was set, or the server turned back: times compare with nothing before.
  mutating func timeChanged() { upheavals += 1 }

  /// An entry became durable; `before` is the account without it.
  mutating func decided(_ entry: JournalEntry, before: AccountRecord?, at milliseconds: Int64) {
    for event in entry.events { take(event) }
    if case .action(let action) = entry.cause,
      let owner = owners.updateValue(entry.account, forKey: action.incarnation),
      owner != entry.account
    {
      broken("what was queued for one account was decided in another")
    }
    if case .action(let action) = entry.cause {
      let key = SubmittedNumber(
        account: entry.account,
        number: IncarnationNumber(incarnation: action.incarnation, number: action.number))
      if let submission = submissions[key] { decidedAs[key] = "\(submission.action)" }
    }
    guard case .action(let action) = entry.cause, case .applied = action.outcome else { return }
    let number = IncarnationNumber(incarnation: action.incarnation, number: action.number)
    guard
      let submission = submissions[SubmittedNumber(account: entry.account, number: number)]
    else { return }
    applied["\(submission.action)".prefix { $0 != "(" }.description, default: 0] += 1
    for event in entry.events {
      checkDay(of: event, submission)
      checkTime(of: event, submission, before, milliseconds)
    }
  }

  /// A device has a receipt: of what it queued, and not of what another life of it queued under the
  /// same number.
  mutating func receipted(_ number: IncarnationNumber, of account: AccountID, by device: String) {
    let key = SubmittedNumber(account: account, number: number)
    guard let decided = decidedAs[key], let submission = submissions[key] else { return }
    // By their words: a number that is none equals nothing, itself included.
    if decided != "\(submission.action)" {
      broken("\(device) has a receipt of \(submission.action), decided was \(decided)")
    }
  }

  /// A device was told moments; `now` is what the server's clock shows.
  mutating func heard(_ cues: [Cue], by device: String, at now: Instant) {
    for cue in cues {
      let key = MomentKey(kind: cue.kind, at: cue.at)
      heardCues[device, default: [:]][key, default: 0] += 1
      if heardCues[device]?[key] ?? 0 > decidedCues[key] ?? 0 {
        broken("\(device) was told the moment of \(cue.at) more often than it was")
      }
      if upheavals == 0, now.milliseconds(since: cue.at) > Self.cueMillisecondsMax {
        broken("\(device) was told the moment of \(cue.at) at \(now)")
      }
    }
  }

  /// A moment leaves within 5 s; the rest is the way.
  private static let cueMillisecondsMax: Int64 = 10_000

  private mutating func take(_ event: Event) {
    switch event {
    case .pointAdded(_, _, _, _, let by):
      decidedCues[MomentKey(kind: .goal, at: by.at), default: 0] += 1
    case .workoutMarked(_, let by):
      decidedCues[MomentKey(kind: .workoutDone, at: by.at), default: 0] += 1
    case .setCompleted(_, _, let by):
      decidedCues[MomentKey(kind: .setDone, at: by.at), default: 0] += 1
    default: break
    }
  }

  /// What a device ticks off counts for the day in the device's zone (DESIGN section 6, rule 2).
  private mutating func checkDay(of event: Event, _ submission: Submission) {
    guard case .workoutMarked(let log, let by) = event, let zoneID = submission.zoneID,
      let rules = zones.rules(
        for: zoneID, from: by.at.advanced(milliseconds: -86_400_000),
        to: by.at.advanced(milliseconds: 86_400_000))
    else { return }
    let day = rules.day(at: by.at)
    if log.day != day {
      broken("a mark of \(by.at) in \(zoneID) counts for \(log.day), not for \(day)")
    }
  }

  /// What is a wish about now is not applied when its time is over.
  private mutating func checkTime(
    of event: Event, _ submission: Submission, _ before: AccountRecord?, _ milliseconds: Int64
  ) {
    let by: Occurrence
    switch event {
    case .clockControlled(_, _, let occurrence), .sessionMoved(_, _, _, _, let occurrence),
      .restSet(_, _, let occurrence), .exerciseSelected(_, _, let occurrence):
      by = occurrence
    default: return
    }
    guard !by.isFlagged, let before,
      submission.upheavals == upheavals,
      isPerishable(before.state, submission.action, by: by.device, at: by.at),
      milliseconds - submission.at > Self.lateMilliseconds
    else { return }
    broken("a control was applied \(milliseconds - submission.at) ms after it was pressed")
  }

  /// Two minutes, and what clocks are known to be off by.
  private static let lateMilliseconds: Int64 = 120_000 + 10_000

  private mutating func broken(_ promise: String) {
    if violation == nil { violation = promise }
  }
}
