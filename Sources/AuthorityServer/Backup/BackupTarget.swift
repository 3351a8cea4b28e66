internal import Foundation
internal import Glibc
internal import Storage
internal import WatchTransfer

/// A directory of backups, for one backup at a time: locked until it is released.
///
/// What is being made, or removed, has a name that begins with a dot and ends with `.partial`;
/// whatever has a backup's name is a backup.
final class BackupTarget {
  /// The absolute path.
  let path: String
  private var descriptor: Int32

  private static let partialSuffix = ".partial"

  /// Opens and locks a directory that is there, and clears away what a crash left.
  ///
  /// - Throws: `noTarget`, `insideData`, `targetRefuses`, `underWay`.
  init(_ given: String, data: String) throws(BackupError) {
    guard let resolved = realpath(given, nil) else { throw .noTarget(path: given) }
    defer { free(resolved) }
    path = String(cString: resolved)
    descriptor = -1
    if "\(path)/".hasPrefix("\(data)/") { throw .insideData(path: given) }
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ENOENT ? .noTarget(path: given) : .targetRefuses(path: given, errno: errno)
    }
    // A file system without locks is no reason not to back up.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw .underWay }
    for name in Self.names(in: path)
    where name.hasPrefix(".") && name.hasSuffix(BackupManifest.suffix + Self.partialSuffix) {
      Self.remove("\(path)/\(name)")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Makes the directory of a backup to be, and picks its name.
  ///
  /// - Throws: `targetRefuses`, `noRoom`.
  func begin(at moment: Instant, bytes: Int64) throws(BackupError) -> (path: String, name: String) {
    let stamp = moment.rfc3339.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    var name = "wristwire-\(stamp)\(BackupManifest.suffix)"
    var count = 1
    while access("\(path)/\(name)", F_OK) == 0 {
      count += 1
      name = "wristwire-\(stamp)-\(count)\(BackupManifest.suffix)"
    }
    let partial = "\(path)/.\(name)\(Self.partialSuffix)"
    guard mkdir(partial, 0o700) == 0 else { throw .targetRefuses(path: path, errno: errno) }
    let free = try Self.freeBytes(path)
    guard free >= bytes else {
      rmdir(partial)
      throw .noRoom(path: path, neededBytes: bytes, freeBytes: free)
    }
    return (partial, name)
  }

  /// Gives a verified copy its name; it is a backup from here on.
  func publish(_ partial: String, as name: String) throws(BackupError) {
    guard rename(partial, "\(path)/\(name)") == 0 else {
      throw .targetRefuses(path: path, errno: errno)
    }
    try copying { () throws(StorageError) in try FileDurability.synchronize(directory: path) }
  }

  /// The backups of one data directory in here, newest first.
  func backups(of source: String) -> [BackupManifest] { Self.backups(of: source, in: path) }

  /// See `backups(of:)`.
  static func backups(of source: String, in path: String) -> [BackupManifest] {
    names(in: path).filter { !$0.hasPrefix(".") && $0.hasSuffix(BackupManifest.suffix) }
      .compactMap { name in
        var manifest = try? BackupManifest.read(in: "\(path)/\(name)")
        // It may have been moved here under another name.
        manifest?.name = name
        return manifest
      }
      .filter { $0.source == source }
      .sorted { ($0.madeMilliseconds, $0.name) > ($1.madeMilliseconds, $1.name) }
  }

  /// Removes the oldest backups of a data directory until `keep` are left; never `newest`, and
  /// never the newest that has an account which that one leaves out.
  func prune(keeping keep: Int, newest: BackupManifest) {
    var lacking = newest.contents.leftOut
    let others = backups(of: newest.source).filter { $0.name != newest.name }
    for (index, old) in others.enumerated() {
      let has = lacking.intersection(old.contents.accounts.map(\.id))
      lacking.subtract(has)
      if index < max(keep, 1) - 1 || !has.isEmpty { continue }
      // First it is no backup any more: half of one must never look like one.
      let partial = "\(path)/.\(old.name)\(Self.partialSuffix)"
      if rename("\(path)/\(old.name)", partial) == 0 { Self.remove(partial) }
    }
  }

  /// Removes a directory with the files in it.
  static func remove(_ directory: String) {
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// What this user may still write at a path, in bytes.
  static func freeBytes(_ path: String) throws(BackupError) -> Int64 {
    var facts = statvfs()
    while statvfs(path, &facts) != 0 {
      if errno != EINTR { throw .targetRefuses(path: path, errno: errno) }
    }
    let (bytes, overflow) = UInt64(facts.f_bavail).multipliedReportingOverflow(
      by: UInt64(facts.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }

  private static func names(in path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }
}
