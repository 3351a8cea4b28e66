internal import Authority
internal import Storage
internal import WatchTransfer

extension AdminService {
  /// Writes everything of an account into a new folder, an absolute path: see `AccountExport`.
  func exportAccount(_ name: String, to path: String) async throws -> AdminResponse {
    let listed = try shared.registry.account(named: name)
    let partition = partition(of: listed.id)
    let state: AccountState? = await withCheckedContinuation { done in
      shared.outside(.export(listed.id)) {
        partition.enter { $0.export(listed.id) { done.resume(returning: $0) } }
      }
    }
    guard let state else {
      return .failed("the account \(name) cannot be read; see wristwire status")
    }
    let export = AccountExport(account: listed, state: state)
    do throws(AccountFolder.Failure) {
      let folder = try AccountFolder(path)
      do throws(AccountFolder.Failure) {
        let photos = try await write(export, to: folder)
        return .exported(
          logs: state.logs.count, photos: photos, missing: export.wholePhotos.count - photos)
      } catch {
        folder.discard()
        throw error
      }
    } catch {
      return .failed("nothing was exported: \(error)")
    }
  }

  /// Writes everything; how many photos could be read.
  private func write(
    _ export: AccountExport, to folder: AccountFolder
  ) async throws(AccountFolder.Failure) -> Int {
    var photos = 0
    for photo in export.wholePhotos {
      let key = AttachmentKey(account: export.account.id, hash: photo.hash)
      guard let bytes = await attachment(key, bytes: photo.bytes) else { continue }
      try folder.write(bytes, to: "photos/\(photo.hash)")
      photos += 1
    }
    try folder.write(Array(export.json.utf8), to: "account.json")
    try folder.write(Array(export.logTable.utf8), to: "logs.csv")
    try folder.write(Array(export.setTable.utf8), to: "sets.csv")
    try folder.write(Array(export.weightTable.utf8), to: "weights.csv")
    try folder.finish()
    return photos
  }

  /// All bytes of a photo, read in pieces between two rounds of commits.
  private func attachment(_ key: AttachmentKey, bytes total: Int64) async -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < total {
      let start = Int64(bytes.count)
      let range = start..<min(total, start + AttachmentLimits.rangeBytes.upperBound)
      let found: Result<[UInt8]?, StorageError> = await withCheckedContinuation { done in
        shared.committer.submit(
          .readAttachment(key, range) { done.resume(returning: $0) })
      }
      guard case .success(let piece?) = found else { return nil }
      bytes += piece
    }
    return bytes
  }
}
