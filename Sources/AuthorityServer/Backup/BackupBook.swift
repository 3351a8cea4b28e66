internal import Foundation
internal import Glibc
internal import Storage
internal import WatchTransfer

/// What a data directory knows of its backups: the file `backups.json`. A restore of the journal
/// replaces it by what the restored backup holds.
struct BackupBook: Codable, Sendable, Equatable {
  /// A verified backup of the history that the journal has now.
  struct Mark: Codable, Sendable, Equatable {
    var name: String
    var madeMilliseconds: Int64
    var lastRow: Int64
    var lastRowEpoch: String
  }

  /// Why the newest scheduled try failed.
  struct Failure: Codable, Sendable, Equatable {
    var atMilliseconds: Int64
    /// Whether the target itself said no.
    var isRefusal: Bool
    var words: String
  }

  /// What the newest restore went back behind.
  struct Restore: Codable, Sendable, Equatable {
    /// The name of the backup that was restored.
    var name: String
    /// Outboxes that had been told of a newer copy.
    var brokenPromises: Int
  }

  /// What devices were told of an account that newer backups leave out.
  struct Carried: Codable, Sendable, Equatable {
    var account: BackupContents.Account
    /// When the backup was made that has it.
    var madeMilliseconds: Int64
  }

  /// Backups in a row in which the server ended: verifying one may be what ended it.
  struct Unfinished: Codable, Sendable, Equatable {
    /// When the newest of them was begun.
    var atMilliseconds: Int64
    var count: Int

    /// How long no planned backup is begun after it: 15 min, twice as long after each further one,
    /// up to a day.
    var waitMilliseconds: Int64 { min(900_000 << Int64(min(max(count, 1) - 1, 7)), 86_400_000) }
  }

  /// The data directory, 32 hexadecimal digits drawn once.
  var source: String
  /// The newest verified backup, and what it holds of each outbox.
  var newest: BackupManifest?
  /// Oldest first; at most `marksMax`.
  var marks: [Mark] = []
  /// nil: the newest try was no failure.
  var failure: Failure?
  /// nil: a backup was made since, or there never was a restore.
  var restore: Restore?

  /// When the backup under way was begun; nil: none is. One that stands there at a start has not
  /// ended.
  var begunMilliseconds: Int64?
  /// nil: the server has not ended in a backup since the newest.
  var unfinished: Unfinished?
  /// nil: newer backups leave nobody out.
  var carried: [Carried]?

  /// Backups that are remembered: hourly ones of 40 days.
  static let marksMax = 1_024

  /// A book of nothing, for a directory that has none.
  init() {
    source = Identifier<BackupManifest>.random().description
  }

  /// Takes a verified backup in.
  mutating func note(_ manifest: BackupManifest) {
    let leftOut = manifest.contents.leftOut
    let left = promised.filter { leftOut.contains($0.account.id) }
    carried = left.isEmpty ? nil : left
    newest = manifest
    failure = nil
    unfinished = nil
    restore = nil
    marks.append(
      Mark(
        name: manifest.name, madeMilliseconds: manifest.madeMilliseconds,
        lastRow: manifest.contents.lastRow, lastRowEpoch: manifest.contents.lastRowEpoch))
    if marks.count > Self.marksMax { marks.removeFirst(marks.count - Self.marksMax) }
  }

  /// Goes back to a backup that is restored: what came after it is another history.
  mutating func goBack(to manifest: BackupManifest) {
    let broken = promisesBroken(by: manifest)
    marks.removeAll {
      $0.madeMilliseconds >= manifest.madeMilliseconds || $0.lastRow > manifest.contents.lastRow
    }
    note(manifest)
    restore = Restore(name: manifest.name, brokenPromises: broken)
  }

  /// What devices were told: of the newest backup, and of accounts that it leaves out an older one.
  private var promised: [Carried] {
    let made = newest?.madeMilliseconds ?? 0
    return (carried ?? [])
      + (newest?.contents.accounts ?? []).map { Carried(account: $0, madeMilliseconds: made) }
  }

  /// Outboxes that were told of more than `manifest` holds. An account that it has copied without a
  /// replay is there as of then.
  func promisesBroken(by manifest: BackupManifest) -> Int {
    let kept = Dictionary(
      manifest.contents.accounts.map { ($0.id, $0.outboxes) }, uniquingKeysWith: { $1 })
    let copied = manifest.contents.copied
    return promised.reduce(0) { sum, promise in
      let account = promise.account
      if copied.contains(account.id), manifest.madeMilliseconds >= promise.madeMilliseconds {
        return sum
      }
      return sum
        + account.outboxes.count { incarnation, number in
          number > kept[account.id]?[incarnation] ?? 0
        }
    }
  }

  /// What a start makes of it: a backup that was under way has ended with the server.
  mutating func takeUnfinished() {
    guard let begun = begunMilliseconds else { return }
    begunMilliseconds = nil
    unfinished = Unfinished(atMilliseconds: begun, count: (unfinished?.count ?? 0) + 1)
  }

  /// The backup whose rows the journal need not keep, but for its last: the newest that is old
  /// enough, and not newer than the oldest that is still there. nil: nothing may go.
  func droppable(at now: Instant, olderThan milliseconds: Int64, present: Set<String>) -> Mark? {
    guard let oldest = marks.first(where: { present.contains($0.name) }) else { return nil }
    let old = marks.last { now.milliseconds - $0.madeMilliseconds >= milliseconds }
    guard let old else { return nil }
    return old.lastRow <= oldest.lastRow ? old : oldest
  }

  /// Reads the book of a directory; a new one if there is none, or if it cannot be read, which
  /// promises nothing.
  static func read(in directory: DataDirectory) -> (book: BackupBook, isDamaged: Bool) {
    guard let data = FileManager.default.contents(atPath: directory.path(of: .backups)) else {
      return (BackupBook(), false)
    }
    guard let book = try? JSONDecoder().decode(BackupBook.self, from: data), book.isPlausible else {
      return (BackupBook(), true)
    }
    return (book, false)
  }

  /// Whether its numbers are some that a server may have written: they are calculated with.
  private var isPlausible: Bool {
    let moments =
      marks.map(\.madeMilliseconds) + (carried ?? []).map(\.madeMilliseconds)
      + [newest?.madeMilliseconds, begunMilliseconds, unfinished?.atMilliseconds].compactMap(\.self)
      + [failure?.atMilliseconds].compactMap(\.self)
    return moments.allSatisfy(BackupManifest.momentsMilliseconds.contains)
      && (unfinished.map { (0..<1_000_000).contains($0.count) } ?? true)
      && (restore.map { $0.brokenPromises >= 0 } ?? true)
  }

  /// Replaces the file of that path by this book, at once and durably.
  func write(to path: String) throws(BackupError) {
    try BackupFile.write(self, to: path)
  }
}

/// Small JSON files beside databases.
enum BackupFile {
  /// Replaces a file at once; it is durable, and its name too, when this returns.
  static func write(_ value: some Encodable, to path: String) throws(BackupError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else {
      throw .targetRefuses(path: path, errno: EINVAL)
    }
    let draft = "\(path).draft"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .targetRefuses(path: draft, errno: errno) }
    defer { close(descriptor) }
    var written = 0
    let bytes = [UInt8](data)
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .targetRefuses(path: draft, errno: errno) }
      written += count
    }
    guard fsync(descriptor) == 0, rename(draft, path) == 0 else {
      throw .targetRefuses(path: path, errno: errno)
    }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    try copying { () throws(StorageError) in try FileDurability.synchronize(directory: folder) }
  }
}
