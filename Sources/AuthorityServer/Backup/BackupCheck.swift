internal import Glibc
internal import Storage
internal import WatchTransfer

/// Looks at copies and backups; nothing in them is changed.
enum BackupCheck {
  /// What a look came to.
  struct Sight {
    /// What is wrong, a line each; with the accounts that are damaged, unless they are told apart.
    var findings: [String]
    /// Accounts that are not what they should be.
    var damaged: Set<AccountID>
    /// What the copy holds of all others; nil when more than single accounts is wrong.
    var contents: BackupContents?
  }

  /// Looks at a sealed copy. The rows and checkpoints of accounts that are not replayed have their
  /// checksums. Whose rows are replayed is named in `slots`; what was found when `isEnded` broke
  /// that off is nothing to go by.
  static func look(
    at image: StoreImage, build: String, notReplayed: Set<AccountID>, deviceRows: Bool = false,
    slots: any WorkSlots = UnwatchedSlots(), isEnded: @escaping @Sendable () -> Bool = { false }
  ) -> Sight {
    var contents: BackupContents?
    var ofAccounts: [AccountID: Finding] = [:]
    let (findings, unreadable) = image.sortedFindings(deviceRows: deviceRows) { journal in
      let replay = try JournalReplay(
        of: journal, build: build, notReplayed: notReplayed, slots: slots, isEnded: isEnded)
      contents = replay.contents
      ofAccounts = replay.damaged
      return []
    }
    for account in unreadable {
      ofAccounts[account] = Finding(file: .journal, problem: .checkpointChecksum(account: account))
    }
    return Sight(
      findings: findings.map(\.description) + ofAccounts.values.map(\.description).sorted(),
      damaged: Set(ofAccounts.keys), contents: findings.isEmpty ? contents : nil)
  }

  /// Whether a directory says of itself that it is a backup.
  static func isBackup(_ directory: String) -> Bool {
    access("\(directory)/\(BackupManifest.fileName)", F_OK) == 0
  }

  /// Makes sure that a backup is as it was made. Accounts of `notReplayed`, which a server has
  /// crashed on here, are not replayed, nor are those that the backup leaves out.
  ///
  /// - Throws: `notABackup`, `damaged`.
  static func verify(
    _ directory: String, build: String, notReplayed: Set<AccountID> = [],
    slots: any WorkSlots = UnwatchedSlots()
  ) throws(BackupError) -> BackupManifest {
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
      let listed = manifest.contents
      let leftOut = notReplayed.union(listed.leftOut.compactMap { AccountID(hex: $0) })
      let sight = look(
        at: StoreImage(directory: directory), build: build, notReplayed: leftOut, slots: slots)
      if let contents = sight.contents, sight.damaged.isSubset(of: leftOut) {
        // Another build reads the same rows, so what they hold is the same.
        if !listed.agrees(with: contents, without: Set(leftOut.map(\.description))) {
          wrong.append("\(BackupManifest.fileName) does not say what is in it")
        }
      } else {
        wrong = sight.findings
      }
    }
    if !wrong.isEmpty { throw .damaged(path: directory, wrong) }
    return manifest
  }
}
