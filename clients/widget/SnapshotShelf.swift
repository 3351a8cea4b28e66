internal import AuthorityLink
internal import WatchTransfer
internal import WireFormat

/// A snapshot as it is kept: whose it is, and its bytes as they came.
package struct KeptSnapshot: Hashable, Sendable {
  var account: AccountID
  var revision: Revision
  var hash: UInt64
  var content: [UInt8]

  init(account: AccountID, revision: Revision, hash: UInt64, content: [UInt8]) {
    self.account = account
    self.revision = revision
    self.hash = hash
    self.content = content
  }

  /// Reads the content of a file; nil when it is none.
  package init?(encoded content: [UInt8]) {
    var reader = FieldReader(content)
    guard let account = reader.id(AccountTag.self), let revision = reader.number(UInt64.self),
      let hash = reader.number(UInt64.self), let bytes = reader.counted(), reader.isAtEnd
    else { return nil }
    self.init(account: account, revision: revision, hash: hash, content: bytes)
  }

  /// The content of its file.
  package var encoded: [UInt8] {
    var writer = FieldWriter()
    writer.put(account)
    writer.put(revision)
    writer.put(hash)
    writer.put(counted: content)
    return writer.bytes
  }
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
    try? file(of: view)?.replace(with: snapshot.encoded)
  }

  private func load(_ view: WidgetView) -> KeptSnapshot? {
    file(of: view)?.read().flatMap { KeptSnapshot(encoded: $0) }
  }

  private func file(of view: WidgetView) -> SealedFile? {
    directory.map { directory in
      let name = "\(view.kind.word)-\(view.family.word)-\(view.appearance.word)"
      return SealedFile(path: "\(directory)/\(owner)-\(name)", magic: "WWSNAP01")
    }
  }
}
