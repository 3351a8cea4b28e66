internal import Dispatch
internal import Glibc
internal import Guards
package import Storage
internal import WatchTransfer

/// Keeps a trap in a rule or a projection from becoming a crash loop for everyone.
///
/// Whoever works on an account writes so into a slot of shared memory first. After a crash the next
/// start reads the slots: the account named there is decided alone, the same act found twice is
/// refused `poison`, and a second crash outside an action sets the account aside. What such an
/// account's act has changed is projected as a part of that act.
///
/// A crash while a copy is replayed for a backup says nothing of the account that is served: found
/// there twice it is left out of replays, and then no rows go, until another build or a person has
/// it tried again.
///
/// What holds is settled at the start and does not change until the next: the way of an act takes
/// no lock.
package final class PoisonGuard: Sendable {
  /// Where work is named.
  let slots: any WorkSlots
  /// Accounts that are neither loaded nor folded; their rows wait in the journal.
  let setAside: Set<AccountID>
  /// Accounts that are served, and left out when a copy is replayed.
  let unverified: Set<AccountID>
  /// Accounts that share no batch with others.
  let suspects: Set<AccountID>
  private let poison: [AccountID: Set<CrashRecord.Action>]
  /// What was known at the start.
  let atStart: CrashRecord
  private let record: Lock<CrashRecord>
  private let directory: DataDirectory?
  private let counters: Counters
  /// nil: nothing is named anywhere.
  private let map: WorkMap?
  private let isClosed = Lock(false)
  private let writing = DispatchQueue(label: "wristwire.crashes")

  /// The slot of the start, and then of the committer.
  static let committerSlot = 0

  /// The slot of whoever replays a copy beside the server; partitions end far before it.
  static let verifierSlot = WorkMap.slotsMax - 1

  /// The slot of a partition.
  static func slot(ofPartition index: Int) -> Int { index + 1 }

  /// Nobody is suspected, and nothing is written down.
  package convenience init(slots: any WorkSlots = UnwatchedSlots()) {
    self.init(slots, CrashRecord(build: 0), nil, Counters())
  }

  /// Accounts are set aside, and nothing is written down.
  convenience init(settingAside accounts: Set<AccountID>) {
    var record = CrashRecord(build: 0)
    for account in accounts { record.suspects[account] = CrashRecord.Suspect(isSetAside: true) }
    self.init(UnwatchedSlots(), record, nil, Counters())
  }

  /// What another server knew at its start; for a replay.
  convenience init(knowing record: CrashRecord) {
    self.init(UnwatchedSlots(), record, nil, Counters())
  }

  private init(
    _ slots: any WorkSlots, _ record: CrashRecord, _ directory: DataDirectory?,
    _ counters: Counters, _ map: WorkMap? = nil
  ) {
    self.map = map
    self.slots = slots
    setAside = record.setAside
    unverified = record.unverified
    suspects = record.decidedAlone
    poison = record.suspects.keys.reduce(into: [:]) { $0[$1] = record.poison(of: $1) }
    atStart = record
    self.record = Lock(record)
    self.directory = directory
    self.counters = counters
  }

  /// Reads what the last crash left in a directory, and counts it, durably.
  ///
  /// - Parameter wrap: puts something around the slots; for tests.
  /// - Throws: `directoryUnusable` when one of its files cannot be used.
  static func open(
    in directory: DataDirectory, build: UInt64, counters: Counters,
    wrap: (any WorkSlots) -> any WorkSlots = { $0 }
  ) throws(StorageError) -> PoisonGuard {
    var record = try stored(in: directory, counters) ?? CrashRecord(build: build)
    let before = record
    record.tried(by: build)
    guard let (map, found) = try WorkMap.open(in: directory) else {
      counters.alarm("no room for deciding.map: a crash will not be told by whom")
      return PoisonGuard(wrap(UnwatchedSlots()), record, directory, counters)
    }
    if found.isDamaged {
      counters.alarm("deciding.map was damaged, and made again: what a crash left is not known")
    }
    record.count(found)
    if record != before {
      do throws(StorageError) {
        try directory.replace(.crashes, with: record.encoded)
      } catch {
        // Counted in this start alone; a full disk is no reason not to start.
        counters.alarm("the record of crashes was not written: \(error)")
      }
    }
    map.begin()
    let guarding = PoisonGuard(wrap(map), record, directory, counters, map)
    guarding.tell()
    return guarding
  }

  /// The accounts that nobody should replay.
  var notReplayed: NotReplayed { NotReplayed(setAside: setAside, unverified: unverified) }

  /// The accounts that nobody should replay, by the record of a directory; nil: it is damaged.
  static func notReplayed(in directory: DataDirectory) throws(StorageError) -> NotReplayed? {
    do throws(StorageError) {
      guard let bytes = try directory.read(.crashes) else { return NotReplayed() }
      return CrashRecord(encoded: bytes).map {
        NotReplayed(setAside: $0.setAside, unverified: $0.unverified)
      }
    } catch .tooLarge {
      return nil
    }
  }

  private static func stored(
    in directory: DataDirectory, _ counters: Counters
  ) throws(StorageError) -> CrashRecord? {
    let bytes: [UInt8]?
    do throws(StorageError) {
      bytes = try directory.read(.crashes)
    } catch .tooLarge {
      bytes = []
    }
    guard let bytes else { return nil }
    if let record = CrashRecord(encoded: bytes) { return record }
    try directory.setAside(.crashes)
    counters.alarm(
      "crashes was damaged, and is crashes.damaged now: nobody is set aside until the next crash")
    return nil
  }

  private func tell() {
    let trapped = record.withLock { Set($0.suspects.filter { $0.value.traps > 0 }.keys) }
    // Who was found in a slot when the process was killed is nobody to look at.
    for account in trapped.sorted() {
      if setAside.contains(account) {
        counters.alarm(
          "account \(account) is set aside: the server crashed on it again and again; it is tried "
            + "again by another build, or after wristwire account readmit")
      } else {
        counters.alarm("account \(account) is decided alone: the server crashed on it")
      }
    }
    let verifying = record.withLock { $0.suspects.filter { $0.value.findsVerifying > 0 } }
    for (account, suspect) in verifying.sorted(by: { $0.key < $1.key }) {
      counters.alarm(
        suspect.isUnverified
          ? "account \(account) is served, and left out when backups are verified: the server ended "
            + "in that again and again; it is tried again by another build, or after wristwire "
            + "account readmit"
          : "account \(account) was being verified for a backup when the server ended")
    }
  }

  /// Whether the account is out.
  func isSetAside(_ account: AccountID) -> Bool {
    !setAside.isEmpty && setAside.contains(account)
  }

  /// Whether the account shares no batch with others.
  func isSuspect(_ account: AccountID) -> Bool {
    !suspects.isEmpty && suspects.contains(account)
  }

  /// Whether deciding the act has crashed the server twice.
  func refuses(_ work: AccountWork) -> Bool {
    !poison.isEmpty && poison[work.account]?.contains(CrashRecord.Action(work)) == true
  }

  /// The receipt of a suspect's act is durable: the act is forgotten here. Returns at once.
  func settled(_ work: AccountWork) {
    forget { $0.settle(CrashRecord.Action(work), of: work.account) }
  }

  /// A copy was replayed from its first row to its last: nobody was found there. Returns at once.
  func verified() {
    forget { $0.settleVerified() }
  }

  private func forget(_ body: @escaping @Sendable (inout CrashRecord) -> Void) {
    writing.async { [self] in
      if isClosed.withLock({ $0 }) { return }
      let fresh = record.withLock { record -> CrashRecord? in
        let before = record
        body(&record)
        return record == before ? nil : record
      }
      guard let fresh, let directory else { return }
      // Not written: found once more at most.
      try? directory.replace(.crashes, with: fresh.encoded)
    }
  }

  /// Has an account tried again at the next start; false if it is neither set aside nor left out of
  /// replays.
  ///
  /// - Throws: `directoryUnusable`; nothing has changed then, and it may be tried again.
  func readmit(_ account: AccountID) throws(StorageError) -> Bool {
    // Nothing else changes the record: what is written here is not overtaken.
    let result = writing.sync { [self] () -> Result<Bool, StorageError> in
      var fresh = record.withLock { $0 }
      guard fresh.readmit(account) else { return .success(false) }
      do throws(StorageError) {
        try directory?.replace(.crashes, with: fresh.encoded)
      } catch {
        return .failure(error)
      }
      record.withLock { $0 = fresh }
      return .success(true)
    }
    return try result.get()
  }

  /// Lets what is being written become durable, and names nothing any more: whoever still works, as
  /// on a copy in a slow place, is not found by the next start, whose directory this is then.
  func close() {
    writing.sync {
      let wasOpen = isClosed.withLock { isClosed in
        defer { isClosed = true }
        return !isClosed
      }
      if wasOpen { map?.release() }
    }
  }
}

/// Names the program that runs: another build may decide what this one crashes on.
func runningBuild() -> UInt64 {
  var facts = stat()
  guard stat("/proc/self/exe", &facts) == 0 else { return 0 }
  var hash = UInt64(bitPattern: Int64(facts.st_size)) &* 0x9E37_79B9_7F4A_7C15
  hash ^= UInt64(bitPattern: Int64(facts.st_mtim.tv_sec)) &* 0xBF58_476D_1CE4_E5B9
  return hash ^ UInt64(bitPattern: Int64(facts.st_mtim.tv_nsec))
}
