internal import Dispatch
internal import Foundation
internal import Glibc
internal import Guards
internal import Storage
internal import WatchTransfer

/// How far a backup has come.
public struct BackupProgress: Codable, Sendable, Equatable {
  /// `copying`, `checking` or `none`.
  public var phase: String
  public var pagesDone: Int
  public var pages: Int
}

/// A backup that was made.
public struct BackupReport: Codable, Sendable, Equatable {
  public var path: String
  /// Everything acknowledged before then is in it; milliseconds since 1970.
  public var madeMilliseconds: Int64
  public var bytes: Int64
  public var accounts: Int
  public var lastRow: Int64
  /// Journal rows that were dropped, as backups have them.
  public var droppedRows: Int64
  /// Accounts that could not be read, by their ids: it does not have them.
  public var damaged: [String]
}

/// Makes backups, and private copies to check, while the server serves: the copy in slices between
/// batches, everything else on a queue of its own.
final class BackupService: Sendable {
  private struct State {
    var isBusy = false
    var isServing = false
    var isStopping = false
    var progress = BackupProgress(phase: "none", pagesDone: 0, pages: 0)
  }

  private let shared: SharedServices
  private let partitions: [Partition]
  private let dataPath: String
  /// One thread that may wait, for the disk and for the committer.
  private let worker = DispatchQueue(label: "wristwire.backup", qos: .utility)
  private let state = Lock(State())
  /// Called where a target may be slow, when a backup has just got its name; for tests.
  let onPublished = Lock<(@Sendable () -> Void)?>(nil)

  /// Room that a copy needs beyond its bytes: manifest, directory, and what is written meanwhile.
  private static let spareBytes: Int64 = 1 << 20

  /// Damaged accounts that an alarm names.
  private static let toldMax = 16

  init(shared: SharedServices, partitions: [Partition], dataPath: String) {
    self.shared = shared
    self.partitions = partitions
    self.dataPath = dataPath
    BackupTarget.remove(checkPath)
  }

  /// Lets backups drop old rows from now on. A command that opens the directory for itself knows
  /// nothing of the limits that its server has.
  func beginServing() { state.withLock { $0.isServing = true } }

  /// How far the backup under way has come.
  var progress: BackupProgress { state.withLock { $0.progress } }

  /// Makes one backup and keeps the newest `keep` of this directory's in `target`; nil: all.
  func backUp(to target: String, keep: Int?) async -> Result<BackupReport, BackupError> {
    let isFree = state.withLock { state in
      defer { state.isBusy = true }
      return !state.isBusy
    }
    guard isFree else { return .failure(.underWay) }
    let result = await onWorker { service in service.report(target, keep) }
    state.withLock {
      $0.isBusy = false
      $0.progress = BackupProgress(phase: "none", pagesDone: 0, pages: 0)
    }
    return result
  }

  /// Makes the backup that is planned, and takes down when it fails.
  func backUpAsPlanned(_ plan: BackupPlan) async {
    guard case .failure(let error) = await backUp(to: plan.target, keep: plan.keep) else { return }
    if error == .stopping || error == .underWay { return }
    shared.counters.alarm("a planned backup was not made: \(error)")
    let now = shared.clock.now()
    await onWorker { service in
      service.state.withLock { state in
        // The directory is another's once the server has ended.
        if !state.isStopping { try? service.shared.continuity.note(error, at: now) }
      }
    }
  }

  /// Checks a private copy of everything; what is wrong, a line each.
  func check() async -> [String] {
    await onWorker { service in
      do throws(BackupError) {
        return try service.findings()
      } catch {
        return ["nothing was checked: \(error)"]
      }
    }
  }

  /// Ends what is under way; afterwards nothing is written any more.
  func stop() {
    state.withLock { $0.isStopping = true }
    // Whatever still waits for its target does so without the server's end.
    shared.continuity.end()
  }

  /// Does what touches the data directory: not once the server has ended, as the directory may be
  /// another's by then. Nothing in it may wait for a target: a stop waits for it.
  private func whileServing<Answer>(
    _ body: () throws(BackupError) -> Answer
  ) throws(BackupError) -> Answer {
    let result = state.withLock { state -> Result<Answer, BackupError> in
      if state.isStopping { return .failure(.stopping) }
      do throws(BackupError) {
        return .success(try body())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func onWorker<Answer: Sendable>(
    _ body: @escaping @Sendable (BackupService) -> Answer
  ) async -> Answer {
    await withCheckedContinuation { continuation in
      worker.async { continuation.resume(returning: body(self)) }
    }
  }

  private func report(_ target: String, _ keep: Int?) -> Result<BackupReport, BackupError> {
    // Not while it stops: that ends what was begun by itself.
    defer { try? whileServing { shared.continuity.end() } }
    do throws(BackupError) {
      return .success(try make(target, keep))
    } catch {
      return .failure(error)
    }
  }

  /// Copies, verifies, and only then gives it a backup's name.
  private func make(_ given: String, _ keep: Int?) throws(BackupError) -> BackupReport {
    let target = try BackupTarget(given, data: dataPath)
    let made = shared.clock.now()
    let bytes = databaseBytes + Self.spareBytes
    try expectReserve(beside: target.path, bytes: bytes)
    let (partial, name) = try target.begin(at: made, bytes: bytes)
    let manifest: BackupManifest
    do throws(BackupError) {
      try whileServing { () throws(BackupError) in try shared.continuity.begin(at: made) }
      manifest = try verified(StoreImage(directory: partial), name, made)
      try BackupFile.write(manifest, to: "\(partial)/\(BackupManifest.fileName)")
    } catch {
      BackupTarget.remove(partial)
      throw error
    }
    let mark = try publish(manifest, partial, in: target, keep)
    let damaged = manifest.contents.damaged ?? []
    for account in damaged.prefix(Self.toldMax) {
      shared.counters.alarm(
        "account \(account) cannot be read, and new backups do not have it: restore one that does")
    }
    return BackupReport(
      path: "\(target.path)/\(name)", madeMilliseconds: made.milliseconds,
      bytes: manifest.files.reduce(0) { $0 + $1.bytes },
      accounts: manifest.contents.accounts.count + manifest.contents.copied.count,
      lastRow: manifest.contents.lastRow, droppedRows: mark.map(dropRows) ?? 0, damaged: damaged)
  }

  /// Gives a verified copy its name, and takes it in. The target may be slow, or gone: nobody waits
  /// for it. What has its name when the server ends is a backup that no device is told of.
  private func publish(
    _ manifest: BackupManifest, _ partial: String, in target: BackupTarget, _ keep: Int?
  ) throws(BackupError) -> BackupBook.Mark? {
    do throws(BackupError) {
      try whileServing {}
      try target.publish(partial, as: manifest.name)
      onPublished.withLock { $0 }?()
      try whileServing { () throws(BackupError) in try shared.continuity.note(manifest) }
    } catch {
      BackupTarget.remove(partial)
      throw error
    }
    if let keep { target.prune(keeping: keep, newest: manifest) }
    let present = Set(target.backups(of: manifest.source).map(\.name))
    return shared.continuity.droppable(
      at: shared.clock.now(),
      rowsKeptMilliseconds: Int64(shared.limits.journalDaysKept) * 86_400_000, present: present)
  }

  /// Copies both databases: the list of devices last, so that it has every account of the journal.
  private func copy(to image: StoreImage) throws(BackupError) {
    try copyJournal(to: image.path(of: .journal))
    try copying { () throws(StorageError) in
      try shared.registry.copy(to: image.path(of: .devices))
    }
    state.withLock { $0.progress.phase = "checking" }
    try copying { () throws(StorageError) in try image.seal() }
    if state.withLock({ $0.isStopping }) { throw .stopping }
  }

  private func copyJournal(to path: String) throws(BackupError) {
    let done = DispatchSemaphore(value: 0)
    let outcome = Lock<BackupError?>(nil)
    shared.committer.submit(
      .copy(
        CopyOrder(path: path, pages: shared.limits.backupPagesPerStep) { [self] news in
          switch news {
          case .success(let progress):
            let isStopping = state.withLock { state in
              state.progress = BackupProgress(
                phase: "copying", pagesDone: progress.total - progress.remaining,
                pages: progress.total)
              return state.isStopping
            }
            if progress.remaining > 0, !isStopping { return true }
            if isStopping { outcome.withLock { $0 = .stopping } }
          case .failure(let error):
            outcome.withLock { $0 = .copy(error) }
          }
          done.signal()
          return false
        }))
    done.wait()
    if let error = outcome.withLock({ $0 }) { throw error }
  }

  /// Copies everything, checks the sealed copy with connections of its own, and says what is in it.
  private func verified(
    _ image: StoreImage, _ name: String, _ made: Instant
  ) throws(BackupError) -> BackupManifest {
    let sight = try mendedSight(of: image)
    guard var contents = sight.contents else { throw .notVerified(sight.findings) }
    shared.poison.verified()
    let damaged = sight.damaged.union(shared.withheld)
    contents.damaged = damaged.isEmpty ? nil : damaged.sorted().map(\.description)
    try expectSomebody(contents, sight)
    var files: [BackupManifest.File] = []
    for file in StoreImage.files {
      let facts = try FileDigest.of(image.path(of: file))
      files.append(
        BackupManifest.File(name: file.name, bytes: facts.bytes, sha256: facts.sha256))
    }
    return BackupManifest(
      name: name, source: shared.continuity.source, madeMilliseconds: made.milliseconds,
      epoch: shared.epoch.description, files: files, contents: contents)
  }

  /// A copy in which nobody can be read is no backup.
  private func expectSomebody(
    _ contents: BackupContents, _ sight: BackupCheck.Sight
  ) throws(BackupError) {
    guard let damaged = contents.damaged else { return }
    let kept = Set(contents.accounts.map(\.id)).subtracting(damaged)
    if !kept.isEmpty || !contents.copied.isEmpty { return }
    let findings =
      sight.findings
      + shared.withheld.subtracting(sight.damaged).sorted().map { "account \($0) is withheld" }
    let more = findings.count - Self.toldMax
    throw .notVerified(findings.prefix(Self.toldMax) + (more > 0 ? ["and \(more) more"] : []))
  }

  /// Copies and looks. Accounts that are damaged are mended by the server, and all is copied once
  /// more; those that it could not mend before are not tried again.
  private func mendedSight(of image: StoreImage) throws(BackupError) -> BackupCheck.Sight {
    try copy(to: image)
    let first = try look(at: image)
    let new = first.damaged.subtracting(shared.continuity.damaged)
      .subtracting(shared.poison.notReplayed.all)
    if first.contents == nil || new.isEmpty { return first }
    for account in new.sorted() { mend(account) }
    for file in StoreImage.files { unlink(image.path(of: file)) }
    try copy(to: image)
    return try look(at: image)
  }

  private func look(
    at image: StoreImage, deviceRows: Bool = false
  ) throws(BackupError) -> BackupCheck.Sight {
    let sight = BackupCheck.look(
      at: image, build: shared.build, notReplayed: shared.poison.notReplayed.all,
      deviceRows: deviceRows, slots: shared.poison.slots,
      isEnded: { [state] in state.withLock { $0.isStopping } })
    // It may have been broken off: nothing is found by that.
    if state.withLock({ $0.isStopping }) { throw .stopping }
    return sight
  }

  /// Has the server store the account anew, from memory or from its rows, if it can.
  private func mend(_ account: AccountID) {
    let done = DispatchSemaphore(value: 0)
    let partition = partitions[Int(account.low % UInt64(partitions.count))]
    shared.outside(.mend(account)) {
      partition.enter { $0.mend(account) { done.signal() } }
    }
    done.wait()
  }

  private var checkPath: String { "\(dataPath)/check.partial" }

  private func findings() throws(BackupError) -> [String] {
    try expectReserve(beside: dataPath, bytes: databaseBytes + Self.spareBytes)
    guard mkdir(checkPath, 0o700) == 0 else {
      throw .targetRefuses(path: checkPath, errno: errno)
    }
    defer { BackupTarget.remove(checkPath) }
    let image = StoreImage(directory: checkPath)
    try copy(to: image)
    return try shared.poison.notReplayed.lines + look(at: image, deviceRows: true).findings
  }

  /// A copy on the disk of the data must not take what acts need.
  private func expectReserve(beside path: String, bytes: Int64) throws(BackupError) {
    var (here, there) = (stat(), stat())
    guard stat(dataPath, &here) == 0, stat(path, &there) == 0, here.st_dev == there.st_dev else {
      return
    }
    let needed = bytes + Int64(shared.limits.freeSpaceReserveBytes)
    let free = try BackupTarget.freeBytes(path)
    if free < needed { throw .noRoom(path: path, neededBytes: needed, freeBytes: free) }
  }

  private var databaseBytes: Int64 {
    ["journal.db", "journal.db-wal", "devices.db", "devices.db-wal"].reduce(0) { sum, name in
      var facts = stat()
      return stat("\(dataPath)/\(name)", &facts) == 0 ? sum + Int64(facts.st_size) : sum
    }
  }

  /// Drops what is before `mark`, a slice after the other; how many rows went.
  private func dropRows(before mark: BackupBook.Mark) -> Int64 {
    guard state.withLock({ $0.isServing }), let epoch = EpochID(hex: mark.lastRowEpoch) else {
      return 0
    }
    var dropped: Int64 = 0
    while !state.withLock({ $0.isStopping }) {
      let done = DispatchSemaphore(value: 0)
      let slice = Lock<Int64>(0)
      shared.committer.submit(
        .dropRows(
          RowDrop(before: mark.lastRow, epoch: epoch) { result in
            slice.withLock { $0 = (try? result.get()) ?? 0 }
            done.signal()
          }))
      done.wait()
      let count = slice.withLock { $0 }
      if count == 0 { break }
      dropped += count
    }
    return dropped
  }
}
