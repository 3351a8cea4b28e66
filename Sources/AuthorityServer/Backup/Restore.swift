internal import Foundation
internal import Glibc
internal import Storage
internal import WatchTransfer

/// `wristwire restore`: puts the journal of a backup in the place of a data directory's.
///
/// The list of accounts and devices stays as it is, if there is one: devices that were paired after
/// the backup stay paired, what was revoked or erased stays so, and accounts that the backup does
/// not know are made again. The server's next start draws an epoch of its own, so every surface
/// notices.
public enum Restore {
  /// What was done.
  public struct Report: Sendable, Equatable {
    /// The name of the backup.
    public var name: String
    /// Everything acknowledged before then is in it; RFC 3339.
    public var made: String
    public var accounts: Int
    /// What the journal that was there is called now; nil: there was none.
    public var keptAside: String?
    /// Whether the list of devices was taken from the backup, as there was none.
    public var tookDevices: Bool
    /// Accounts that were not replayed before, by their ids, as a server crashed on them here, or
    /// where the backup was made. They are restored as the backup has them.
    public var notReplayed: [String]
    /// The same, a line each that says why.
    public var asides: [String]
    /// Accounts that the backup does not have, as they could not be read when it was made.
    public var damaged: [String]
    /// Outboxes that had been told of a newer backup than this.
    public var brokenPromises: Int
  }

  /// Verifies a backup and restores it.
  ///
  /// - Parameter replaces: whether a journal that is there may be set aside.
  /// - Throws: `BackupError`, with everything as it was; `StorageError` when the directory cannot
  ///   be locked, as when a server runs on it.
  public static func run(from backup: String, to data: String, replaces: Bool) throws -> Report {
    try run(from: backup, to: data, replaces: replaces, slots: UnwatchedSlots())
  }

  /// The same; `slots` are told whose rows are replayed.
  static func run(
    from backup: String, to data: String, replaces: Bool, slots: any WorkSlots
  ) throws -> Report {
    // A directory that is not there is made only for a backup that is whole.
    let known = access(data, F_OK) == 0 ? try DataDirectory(path: data) : nil
    let notReplayed = try known.flatMap { try PoisonGuard.notReplayed(in: $0) } ?? NotReplayed()
    let manifest = try BackupCheck.verify(
      backup, build: facetBuild(try MachineZones()), notReplayed: notReplayed.all, slots: slots)
    let directory = try known ?? DataDirectory(path: data)
    if "\(backup)/".hasPrefix("\(directory.path)/") {
      throw BackupError.insideData(path: backup)
    }
    let journal = directory.path(of: .journal)
    let isThere = access(journal, F_OK) == 0 || access("\(journal)-wal", F_OK) == 0
    if isThere, !replaces { throw BackupError.wouldOverwrite(path: directory.path) }
    let pending = PendingRestore(into: directory)
    let files = StoreImage.files.filter {
      $0 == .journal || access(directory.path(of: $0), F_OK) != 0
    }
    for file in files {
      let facts = try FileDigest.copy(
        "\(backup)/\(file.name)", to: pending.path(of: file))
      let listed = manifest.files.first { $0.name == file.name }
      guard facts.sha256 == listed?.sha256 else {
        throw BackupError.damaged(path: backup, ["\(file.name) changed while it was read"])
      }
    }
    var (book, _) = BackupBook.read(in: directory)
    book.goBack(to: manifest)
    try book.write(to: pending.path(of: .backups))
    let aside = isThere ? try keepAside(pending) : nil
    try pending.commit()
    directory.release()
    let verified = Set(manifest.contents.accounts.compactMap { AccountID(hex: $0.id) })
    let skipped = notReplayed.intersection(verified)
    let copied = manifest.contents.copied.sorted()
    return Report(
      name: manifest.name, made: manifest.made.rfc3339,
      accounts: manifest.contents.accounts.count + manifest.contents.copied.count,
      keptAside: aside, tookDevices: files.contains(.devices),
      notReplayed: skipped.all.sorted().map(\.description) + copied,
      asides: skipped.lines
        + copied.map { "account \($0) was not replayed when the backup was made, nor now" },
      damaged: manifest.contents.damaged ?? [],
      brokenPromises: book.restore?.brokenPromises ?? 0)
  }

  /// Gives the old journal a name that nothing has.
  private static func keepAside(_ pending: PendingRestore) throws -> String {
    let stamp = AuthorityClock().now().rfc3339.prefix(19).filter { $0 != "-" && $0 != ":" }
    var count = 1
    while true {
      let name = "journal.db.before-\(stamp)Z" + (count > 1 ? "-\(count)" : "")
      do throws(StorageError) {
        try pending.keepAside(as: name)
        return name
      } catch {
        guard case .copyFailed(_, .system(errno: EEXIST)) = error, count < 1_000 else {
          throw error
        }
        count += 1
      }
    }
  }
}
