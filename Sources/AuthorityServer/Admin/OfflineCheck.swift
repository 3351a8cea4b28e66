internal import Glibc
internal import Storage
internal import WatchTransfer

/// `wristwire check` on a directory that no server runs on, or on a backup: nothing in it is
/// changed.
public enum OfflineCheck {
  /// What is wrong, a line each; empty: all is well.
  ///
  /// - Throws: `StorageError` when the directory cannot be opened alone.
  public static func run(directory path: String) throws -> [String] {
    // Opening a directory would make it.
    guard access(path, F_OK) == 0 else { return ["there is no directory \(path)"] }
    let build = facetBuild(try MachineZones())
    if BackupCheck.isBackup(path) { return try findings(ofBackup: path, build) }
    let directory = try DataDirectory(path: path)
    let notReplayed = try PoisonGuard.notReplayed(in: directory)
    var findings = StorageCheck.check(directory: directory) { journal in
      let replay = try JournalReplay(
        of: journal, build: build, notReplayed: notReplayed?.all ?? [])
      let asides = (notReplayed?.lines ?? []).map { Finding(file: .journal, problem: .replay($0)) }
      return try asides + replay.findings + replay.lostBytes()
    }
    if notReplayed == nil {
      findings.append(Finding(file: .crashes, problem: .damage("is not what was written")))
    }
    return findings.map(\.description)
  }

  private static func findings(ofBackup path: String, _ build: String) throws -> [String] {
    do throws(BackupError) {
      _ = try BackupCheck.verify(path, build: build)
      return []
    } catch {
      guard case .damaged(_, let findings) = error else { throw error }
      return findings
    }
  }
}
