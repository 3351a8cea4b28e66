internal import AuthorityLink
internal import Glibc
internal import WatchTransfer
internal import WireFormat

/// The directory of one watch: locked, with a room for each token it has ever used, and what was
/// set aside. What belongs to another token or account is neither sent nor shown.
final class ClientDirectory {
  private let path: String
  private let lock: DirectoryLock
  /// The room of the present token.
  let room: String

  /// Makes the directory (0700) if it is not there, and locks it until this object is gone, unless
  /// the caller lends his `lock` of it.
  init(
    _ path: String, token: [UInt8], lock lent: DirectoryLock? = nil
  ) throws(OutboxError) {
    self.path = path
    // 64 bits of a hash of 256 random ones: names the token without giving it away.
    room = path + "/token-" + Self.hex(contentHash(token))
    if let lent, lent.directory.utf8.elementsEqual(path.utf8) {
      lock = lent
    } else {
      do throws(DirectoryLockError) {
        lock = try DirectoryLock(path)
      } catch {
        throw OutboxError(error)
      }
    }
    try makeRoom()
  }

  /// The outbox file of the present token.
  var outbox: String { Self.outbox(in: room) }

  /// The cache of the present token.
  var surface: String { room + "/surface" }

  /// The outbox file in a room.
  static func outbox(in room: String) -> String { room + "/outbox" }

  /// All rooms but the present token's: of other tokens, and set aside.
  func otherRooms() -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var rooms: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let full = path + "/" + name
      if name.hasPrefix("token-") || name.hasPrefix("aside-"), full != room { rooms.append(full) }
    }
    // The order of readdir is the file system's.
    return rooms.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
  }

  /// Gives the present room another name, which says whose it is, and makes an empty one.
  func setAside(account: AccountID) throws(OutboxError) {
    var number = 1
    while access(asidePath(account, number), F_OK) == 0 { number += 1 }
    guard rename(room, asidePath(account, number)) == 0 else {
      throw OutboxError(.last("rename"))
    }
    try makeRoom()
  }

  /// Removes the outbox of a room whose actions stand in the present one.
  func removeOutbox(in room: String) {
    _ = unlink(Self.outbox(in: room))
  }

  private func makeRoom() throws(OutboxError) {
    do throws(FileError) {
      try DurableFile.makeDirectory(room)
      try DurableFile.syncDirectory(of: room)
    } catch {
      throw OutboxError(error)
    }
  }

  private func asidePath(_ account: AccountID, _ number: Int) -> String {
    "\(path)/aside-\(account)-\(number)"
  }

  private static func hex(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

extension OutboxError {
  /// A directory that could not be locked.
  init(_ error: DirectoryLockError) {
    switch error {
    case .locked(let directory): self = .locked(directory: directory)
    case .failed(_, let call, let number): self = .storage(call: call, number: number)
    }
  }

  /// A failed call on the outbox's files.
  init(_ error: FileError) {
    self = .storage(call: error.call, number: error.number)
  }
}
