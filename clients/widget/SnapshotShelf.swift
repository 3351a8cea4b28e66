internal import AuthorityLink
internal import WatchTransfer
internal import WireFormat

/// A snapshot as it is kept: whose it is, and its bytes as they came.
struct KeptSnapshot: Hashable, Sendable {
  var account: AccountID
  var revision: Revision
  var hash: UInt64
  var content: [UInt8]
}

/// The last snapshot of each view, in memory and, with a directory, on disk: one file for each,
/// replaced atomically; what is broken is not there.
struct SnapshotShelf {
  private let directory: String?
  private let owner: String
  private var kept: [WidgetView: KeptSnapshot] = [:]

  /// A shelf for the device that has `token`; nil: memory only.
  init(directory: String?, token: [UInt8]) {
    self.directory = directory
    owner = String(contentHash(token), radix: 16)
    // Without a directory to write to, memory has to do.
    if let directory { try? DurableFile.makeDirectory(directory) }
  }

  /// The last snapshot of `view`; with an account, only that account's.
  mutating func snapshot(of view: WidgetView, for account: AccountID?) -> KeptSnapshot? {
    if kept[view] == nil { kept[view] = load(view) }
    guard let found = kept[view], account == nil || account == found.account else { return nil }
    return found
  }

  /// Keeps a snapshot. One that cannot be written is kept in memory.
  mutating func keep(_ snapshot: KeptSnapshot, of view: WidgetView) {
    guard kept[view] != snapshot else { return }
    kept[view] = snapshot
    var writer = FieldWriter()
    writer.put(snapshot.account)
    writer.put(snapshot.revision)
    writer.put(snapshot.hash)
    writer.put(counted: snapshot.content)
    try? file(of: view)?.replace(with: writer.bytes)
  }

  private func load(_ view: WidgetView) -> KeptSnapshot? {
    guard let content = file(of: view)?.read() else { return nil }
    var reader = FieldReader(content)
    guard let account = reader.id(AccountTag.self), let revision = reader.number(UInt64.self),
      let hash = reader.number(UInt64.self), let bytes = reader.counted(), reader.isAtEnd
    else { return nil }
    return KeptSnapshot(account: account, revision: revision, hash: hash, content: bytes)
  }

  private func file(of view: WidgetView) -> SealedFile? {
    directory.map { directory in
      let name = "\(view.kind.word)-\(view.family.word)-\(view.appearance.word)"
      return SealedFile(path: "\(directory)/\(owner)-\(name)", magic: "WWSNAP01")
    }
  }
}
