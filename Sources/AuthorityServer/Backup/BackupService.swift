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
}

/// Makes backups, and private copies to check, while the server serves: the copy in slices between
/// batches, everything else on a queue of its own.
final class BackupService: Sendable {
  private struct State {
    var isBusy = false
    var isStopping = false
    var progress = BackupProgress(phase: "none", pagesDone: 0, pages: 0)
  }

  private let shared: SharedServices
  private let dataPath: String
  /// One thread that may wait, for the disk and for the committer.
  private let worker = DispatchQueue(label: "wristwire.backup", qos: .utility)
  private let state = Lock(State())

  /// Room that a copy needs beyond its bytes: manifest, directory, and what is written meanwhile.
  private static let spareBytes: Int64 = 1 << 20

  init(shared: SharedServices, dataPath: String) {
    self.shared = shared
    self.dataPath = dataPath
    BackupTarget.remove(checkPath)
  }

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
  }

  private func onWorker<Answer: Sendable>(
    _ body: @escaping @Sendable (BackupService) -> Answer
  ) async -> Answer {
    await withCheckedContinuation { continuation in
      worker.async { continuation.resume(returning: body(self)) }
    }
  }

  private func report(_ target: String, _ keep: Int?) -> Result<BackupReport, BackupError> {
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
      let image = StoreImage(directory: partial)
      try copy(to: image)
      manifest = try verified(image, name, made)
      try BackupFile.write(manifest, to: "\(partial)/\(BackupManifest.fileName)")
    } catch {
      BackupTarget.remove(partial)
      throw error
    }
    let mark = try publish(manifest, partial, in: target, keep)
    return BackupReport(
      path: "\(target.path)/\(name)", madeMilliseconds: made.milliseconds,
      bytes: manifest.files.reduce(0) { $0 + $1.bytes },
      accounts: manifest.contents.accounts.count, lastRow: manifest.contents.lastRow,
      droppedRows: mark.map(dropRows) ?? 0)
  }

  /// Not once the server has ended: the directory may be another's by then.
  private func publish(
    _ manifest: BackupManifest, _ partial: String, in target: BackupTarget, _ keep: Int?
  ) throws(BackupError) -> BackupBook.Mark? {
    let now = shared.clock.now()
    let kept = Int64(shared.limits.journalDaysKept) * 86_400_000
    let result = state.withLock { state -> Result<BackupBook.Mark?, BackupError> in
      do throws(BackupError) {
        if state.isStopping { throw .stopping }
        try target.publish(partial, as: manifest.name)
        if let keep { target.prune(manifest.source, keeping: keep, newest: manifest.name) }
        let present = Set(target.backups(of: manifest.source).map(\.name))
        return .success(
          try shared.continuity.note(
            manifest, at: now, rowsKeptMilliseconds: kept, present: present))
      } catch {
        BackupTarget.remove(partial)
        return .failure(error)
      }
    }
    return try result.get()
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

  /// Checks a sealed copy with connections of its own, and says what is in it.
  private func verified(
    _ image: StoreImage, _ name: String, _ made: Instant
  ) throws(BackupError) -> BackupManifest {
    let (findings, contents) = BackupCheck.look(
      at: image, build: shared.build, setAside: shared.poison.setAside)
    guard let contents, findings.isEmpty else { throw .notVerified(findings) }
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

  private var checkPath: String { "\(dataPath)/check.partial" }

  private func findings() throws(BackupError) -> [String] {
    try expectReserve(beside: dataPath, bytes: databaseBytes + Self.spareBytes)
    guard mkdir(checkPath, 0o700) == 0 else {
      throw .targetRefuses(path: checkPath, errno: errno)
    }
    defer { BackupTarget.remove(checkPath) }
    let image = StoreImage(directory: checkPath)
    try copy(to: image)
    let setAside = shared.poison.setAside
    let asides = setAside.sorted().map { "account \($0) is set aside, and was not replayed" }
    return asides
      + BackupCheck.look(
        at: image, build: shared.build, setAside: setAside, deviceRows: true
      ).findings
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
    guard let epoch = EpochID(hex: mark.lastRowEpoch) else { return 0 }
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
