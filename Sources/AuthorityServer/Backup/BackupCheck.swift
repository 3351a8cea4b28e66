internal import Glibc
internal import Storage
internal import WatchTransfer

/// Looks at copies and backups; nothing in them is changed.
enum BackupCheck {
  /// What is wrong with a sealed copy, a line each, and what it holds if nothing is. Accounts that
  /// are set aside are not replayed: their rows and checkpoints have their checksums.
  static func look(
    at image: StoreImage, build: String, setAside: Set<AccountID>, deviceRows: Bool = false
  ) -> (findings: [String], contents: BackupContents?) {
    var contents: BackupContents?
    let findings = image.findings(deviceRows: deviceRows) { journal in
      let replay = try JournalReplay(of: journal, build: build, setAside: setAside)
      contents = replay.contents
      return replay.findings
    }
    return (findings.map(\.description), findings.isEmpty ? contents : nil)
  }

  /// Whether a directory says of itself that it is a backup.
  static func isBackup(_ directory: String) -> Bool {
    access("\(directory)/\(BackupManifest.fileName)", F_OK) == 0
  }

  /// Makes sure that a backup is as it was made.
  ///
  /// - Throws: `notABackup`, `damaged`.
  static func verify(_ directory: String, build: String) throws(BackupError) -> BackupManifest {
    let manifest = try BackupManifest.read(in: directory)
    var wrong: [String] = []
    for file in StoreImage.files {
      guard let listed = manifest.files.first(where: { $0.name == file.name }) else {
        wrong.append("\(file.name) is not listed")
        continue
      }
      guard let facts = try? FileDigest.of("\(directory)/\(file.name)") else {
        wrong.append("\(file.name) cannot be read")
        continue
      }
      if facts.bytes != listed.bytes || facts.sha256 != listed.sha256 {
        wrong.append("\(file.name) is not as it was made")
      }
    }
    if wrong.isEmpty {
      let setAside = Set(manifest.contents.setAside.compactMap { AccountID(hex: $0) })
      let (findings, contents) = look(
        at: StoreImage(directory: directory), build: build, setAside: setAside)
      wrong = findings
      // Another build reads the same rows, so what they hold is the same.
      if findings.isEmpty, contents != manifest.contents {
        wrong.append("\(BackupManifest.fileName) does not say what is in it")
      }
    }
    if !wrong.isEmpty { throw .damaged(path: directory, wrong) }
    return manifest
  }
}
