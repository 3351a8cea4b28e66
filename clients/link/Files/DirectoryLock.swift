internal import CLinux
internal import Glibc

/// Keeps a client's directory from every other process, as long as it lives. The lock is a file of
/// its own, because the files beside it are replaced.
public final class DirectoryLock: Sendable {
  /// Which directory.
  public let directory: String
  private let descriptor: Int32

  /// Makes the directory (0700) if it is not there, and locks it.
  ///
  /// - Throws: `locked` when another process has it, `failed` when it cannot be used.
  public init(_ directory: String) throws(DirectoryLockError) {
    self.directory = directory
    let opened: Int32
    do throws(FileError) {
      try DurableFile.makeDirectory(directory)
      opened = open(directory + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard opened >= 0 else { throw .last("open") }
    } catch {
      throw .failed(directory: directory, call: error.call, number: error.number)
    }
    // From here on deinit closes it, also when this initializer throws: all properties are there.
    descriptor = opened
    let outcome = clinux_lock_exclusive(opened)
    guard outcome == 0 else {
      if outcome == -EWOULDBLOCK { throw .locked(directory: directory) }
      throw .failed(directory: directory, call: "flock", number: -outcome)
    }
  }

  deinit {
    // The lock goes with its descriptor, flock(2).
    _ = close(descriptor)
  }
}

/// Why a directory could not be locked.
public enum DirectoryLockError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another process has it.
  case locked(directory: String)
  /// A call on it failed, with this `errno`.
  case failed(directory: String, call: String, number: Int32)

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .locked(let directory):
      "\(directory) is in use by another process; end it or choose another directory"
    case .failed(let directory, let call, let number):
      "\(directory) cannot be used (\(FileError(call: call, number: number))); check the "
        + "directory and the disk"
    }
  }
}
