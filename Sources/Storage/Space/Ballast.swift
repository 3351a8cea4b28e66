internal import Glibc
internal import Guards

/// A file that takes up room, so that a start on a full disk has some to win back.
public struct Ballast: Sendable {
  private let directory: DataDirectory

  /// The ballast of a directory; nothing is touched yet.
  public init(in directory: DataDirectory) {
    self.directory = directory
  }

  /// What making it came to.
  public enum Outcome: Sendable, Equatable {
    /// The file takes up the whole size.
    case made
    /// The disk had too little room; the file is gone.
    case noRoom
  }

  /// What the file takes up on disk, in bytes; 0 if there is none. A file that was cut off while it
  /// was made counts for what it has.
  ///
  /// - Throws: `directoryUnusable`.
  public func heldBytes() throws(StorageError) -> Int64 {
    var facts = stat()
    if stat(path, &facts) == 0 {
      // In blocks of 512 bytes whatever the file system's own are: stat(2).
      return min(Int64(facts.st_blocks) * 512, Int64(facts.st_size))
    }
    if errno == ENOENT { return 0 }
    throw .directoryUnusable(path: path, errno: errno)
  }

  /// Makes the file, or makes it whole, with blocks that are really reserved (posix_fallocate(3)).
  ///
  /// - Throws: `directoryUnusable` for anything but a lack of room.
  public func make(bytes: Int64) throws(StorageError) -> Outcome {
    invariant(bytes > 0, "a ballast of nothing")
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      if errno == ENOSPC || errno == EDQUOT { return .noRoom }
      throw .directoryUnusable(path: path, errno: errno)
    }
    defer { close(descriptor) }
    var code = posix_fallocate(descriptor, 0, off_t(bytes))
    while code == EINTR { code = posix_fallocate(descriptor, 0, off_t(bytes)) }
    switch code {
    case 0:
      return .made
    case ENOSPC, EDQUOT, EFBIG:
      try free()
      return .noRoom
    default:
      throw .directoryUnusable(path: path, errno: code)
    }
  }

  /// Gives the room back; nothing happens if there is no file.
  ///
  /// - Throws: `directoryUnusable`.
  public func free() throws(StorageError) {
    if unlink(path) != 0, errno != ENOENT {
      throw .directoryUnusable(path: path, errno: errno)
    }
  }

  private var path: String { directory.path(of: .ballast) }
}
