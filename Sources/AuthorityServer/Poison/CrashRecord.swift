internal import Storage
internal import WatchTransfer
internal import WireFormat

/// Which accounts and actions the server has crashed on: the file `crashes`, written after a crash,
/// never on the way of an act.
///
/// Its bytes: a checksum (8, little-endian), then by `ByteWriter` the form (1), the build, the
/// start counted last, and a list of accounts in the order of their bytes: id, traps, traps outside
/// an action, whether it is set aside, a list of actions (incarnation, number, body hash, times),
/// and how often it was found being verified, which form 1 lacks.
struct CrashRecord: Equatable {
  /// An act, by what the client offers.
  struct Action: Hashable {
    var incarnation: IncarnationID
    var number: ActionNumber
    var bodyHash: UInt64

    /// What is being decided.
    init(_ work: AccountWork) {
      incarnation = work.incarnation
      number = work.number
      bodyHash = work.bodyHash
    }
  }

  /// An account that a crash named.
  struct Suspect: Equatable {
    /// Crashes of the thread that worked on it, by this build.
    var traps = 0
    /// Of those, the ones outside an action.
    var trapsOutside = 0
    var isSetAside = false
    /// How often it was being verified when the server ended, by a crash of that thread or killed.
    var findsVerifying = 0
    /// How often each act was found, its thread's crash or not.
    var actions: [Action: Int] = [:]
  }

  /// Crashes outside an action after which an account is set aside.
  static let trapsOutsideMax = 2
  /// Times an act is found after which it is refused.
  static let findsMax = 2
  /// Crashes of any kind after which an account is set aside: who has found one act that crashes
  /// the server may send a hundred.
  static let trapsMax = 8
  /// Suspects, and acts of one, that are remembered.
  static let suspectsMax = 1_024
  static let actionsMax = 16

  /// The build of the server that crashed.
  var build: UInt64
  /// The start whose work was counted last.
  var counted: UInt64 = 0
  var suspects: [AccountID: Suspect] = [:]

  /// Nothing has happened.
  init(build: UInt64) {
    self.build = build
  }

  /// Accounts that are neither loaded nor folded.
  var setAside: Set<AccountID> { Set(suspects.filter(\.value.isSetAside).keys) }

  /// Accounts that are served, and left out when a copy is replayed.
  var unverified: Set<AccountID> { Set(suspects.filter(\.value.isUnverified).keys) }

  /// Accounts that share no batch with others: not those that were only being verified.
  var decidedAlone: Set<AccountID> {
    Set(suspects.filter { $0.value != Suspect(findsVerifying: $0.value.findsVerifying) }.keys)
  }

  /// Acts that are refused without being decided.
  func poison(of account: AccountID) -> Set<Action> {
    Set((suspects[account]?.actions ?? [:]).filter { $0.value >= Self.findsMax }.keys)
  }

  /// Another build may do better: what was set aside is tried again, once, and is out again at the
  /// next crash.
  mutating func tried(by build: UInt64) {
    guard build != self.build else { return }
    self.build = build
    for (account, suspect) in suspects { suspects[account] = suspect.triedAgain }
  }

  /// A person has the account tried again; false if it was neither set aside nor left out of
  /// replays.
  mutating func readmit(_ account: AccountID) -> Bool {
    guard let suspect = suspects[account], suspect.isSetAside || suspect.isUnverified else {
      return false
    }
    suspects[account] = suspect.triedAgain
    return true
  }

  /// Takes down what a crash left, once for each start.
  ///
  /// A thread that crashed is to blame, and nobody else. If none did, the process was killed from
  /// outside: that says nothing of an account, which may be busy most of the time, but an act takes
  /// microseconds, and the same one found twice may be what uses up all memory.
  ///
  /// Verifying is work on a copy: it says nothing of the account that is served. Whoever is found
  /// there twice, as memory may run out there too, is left out of later replays.
  mutating func count(_ found: WorkMap.Found) {
    guard found.start != counted, !found.works.isEmpty else { return }
    counted = found.start
    let crashed = found.works.filter(\.hasCrashed)
    for entry in crashed.isEmpty ? found.works : crashed {
      let work = entry.work
      if !entry.hasCrashed, !work.namesAct, work.phase != .verifying { continue }
      guard suspects[work.account] != nil || suspects.count < Self.suspectsMax else { continue }
      var suspect = suspects[work.account] ?? Suspect()
      if work.phase == .verifying {
        suspect.findsVerifying += 1
        suspects[work.account] = suspect
        continue
      }
      if entry.hasCrashed { suspect.traps += 1 }
      if work.namesAct {
        suspect.find(Action(work))
      } else {
        suspect.trapsOutside += 1
      }
      if suspect.trapsOutside >= Self.trapsOutsideMax || suspect.traps >= Self.trapsMax {
        suspect.isSetAside = true
      }
      suspects[work.account] = suspect
    }
  }

  /// An act was decided after all, or refused as poison: its receipt is durable.
  mutating func settle(_ action: Action, of account: AccountID) {
    suspects[account]?.actions[action] = nil
    if suspects[account] == Suspect() { suspects[account] = nil }
  }

  /// A whole copy was replayed but for those that are left out: who was found once, by chance, is
  /// nobody to leave out.
  mutating func settleVerified() {
    for (account, suspect) in suspects where suspect.findsVerifying > 0 && !suspect.isUnverified {
      suspects[account]?.findsVerifying = 0
      if suspects[account] == Suspect() { suspects[account] = nil }
    }
  }
}

extension CrashRecord.Suspect {
  /// Whether replays leave it out.
  var isUnverified: Bool { findsVerifying >= CrashRecord.findsMax }
}

extension CrashRecord.Suspect {
  fileprivate var triedAgain: Self {
    var again = self
    // One crash of any kind is enough now.
    again.traps = isSetAside ? CrashRecord.trapsMax - 1 : 0
    again.trapsOutside = isSetAside ? CrashRecord.trapsOutsideMax - 1 : 0
    again.isSetAside = false
    again.findsVerifying = isUnverified ? CrashRecord.findsMax - 1 : 0
    again.actions = [:]
    return again
  }

  fileprivate mutating func find(_ action: CrashRecord.Action) {
    if actions[action] == nil, actions.count >= CrashRecord.actionsMax {
      // One that was found once and never came again.
      if let oldest = actions.min(by: { $0.value < $1.value }) { actions[oldest.key] = nil }
    }
    actions[action, default: 0] += 1
  }
}

extension CrashRecord {
  private static let form: UInt8 = 2

  /// The bytes of the file.
  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.form)
    writer.unsigned(build)
    writer.unsigned(counted)
    writer.list(suspects.sorted { $0.key < $1.key }) { writer, entry in
      writer.identifier(entry.key)
      writer.count(entry.value.traps)
      writer.count(entry.value.trapsOutside)
      writer.flag(entry.value.isSetAside)
      let actions = entry.value.actions.sorted {
        ($0.key.incarnation, $0.key.number, $0.key.bodyHash)
          < ($1.key.incarnation, $1.key.number, $1.key.bodyHash)
      }
      writer.list(actions) { writer, action in
        writer.identifier(action.key.incarnation)
        writer.unsigned(action.key.number)
        writer.unsigned(action.key.bodyHash)
        writer.count(action.value)
      }
      writer.count(entry.value.findsVerifying)
    }
    let checksum = contentHash(writer.bytes)
    return (0..<8).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) } + writer.bytes
  }

  /// Reads what `encoded` gives; nil when the bytes are not those that were written.
  init?(encoded bytes: [UInt8]) {
    guard bytes.count > 8 else { return nil }
    let body = Array(bytes[8...])
    let checksum = bytes[..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard checksum == contentHash(body) else { return nil }
    var reader = ByteReader(body)
    do throws(StoredFormError) {
      let form = try reader.byte()
      guard 1...Self.form ~= form else { return nil }
      self.init(build: try reader.unsigned())
      counted = try reader.unsigned()
      let entries = try reader.list {
        (reader) throws(StoredFormError) -> (AccountID, Suspect) in
        (try reader.identifier(), try Suspect(from: &reader, form))
      }
      suspects = Dictionary(entries) { first, _ in first }
      try reader.expectEnd()
    } catch {
      return nil
    }
  }
}

extension CrashRecord.Suspect {
  fileprivate init(from reader: inout ByteReader, _ form: UInt8) throws(StoredFormError) {
    // Counts, not lengths: bounded by themselves.
    traps = Int(clamping: try reader.unsigned())
    trapsOutside = Int(clamping: try reader.unsigned())
    isSetAside = try reader.flag()
    let found = try reader.list {
      (reader) throws(StoredFormError) -> (CrashRecord.Action, Int) in
      let work = AccountWork(
        deciding: 0, of: try reader.identifier(), bodyHash: 0, account: AccountID(high: 0, low: 0))
      var action = CrashRecord.Action(work)
      action.number = try reader.unsigned()
      action.bodyHash = try reader.unsigned()
      return (action, Int(clamping: try reader.unsigned()))
    }
    actions = Dictionary(found) { first, _ in first }
    if form > 1 { findsVerifying = Int(clamping: try reader.unsigned()) }
  }
}
