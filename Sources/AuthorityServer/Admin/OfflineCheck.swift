internal import Glibc
internal import Storage
internal import WatchTransfer

/// `wristwire check` on a directory that no server runs on: nothing in it is changed.
public enum OfflineCheck {
  /// What is wrong, a line each; empty: all is well.
  ///
  /// - Throws: `StorageError` when the directory cannot be opened alone.
  public static func run(directory path: String) throws -> [String] {
    // Opening a directory would make it.
    guard access(path, F_OK) == 0 else { return ["there is no directory \(path)"] }
    let directory = try DataDirectory(path: path)
    let build = facetBuild(try MachineZones())
    let setAside = try PoisonGuard.setAside(in: directory)
    let poison = PoisonGuard(settingAside: setAside ?? [])
    var findings = StorageCheck.check(directory: directory) { journal in
      try Recovery(journal: journal, build: build, poison: poison).compareReplay()
    }
    if setAside == nil {
      findings.append(Finding(file: .crashes, problem: .damage("is not what was written")))
    }
    return findings.map(\.description)
  }
}
