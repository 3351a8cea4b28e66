internal import Glibc

extension DataDirectory {
  /// Takes the lock (flock(2)) and writes this process's id into its file; the descriptor that
  /// holds it.
  ///
  /// The kernel lets go of it however the process ends, so a lock left behind does not exist.
  static func lock(_ directory: String) throws(StorageError) -> Int32 {
    let path = "\(directory)/\(DataFile.lock.name)"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .directoryUnusable(path: path, errno: errno) }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      let failure = errno
      defer { close(descriptor) }
      if failure == EWOULDBLOCK { throw .alreadyRunning(pid: processID(in: descriptor)) }
      throw .directoryUnusable(path: path, errno: failure)
    }
    let digits = [UInt8]("\(getpid())\n".utf8)
    // The id is a courtesy to whoever comes second, so a full disk is no reason not to start.
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, digits, digits.count, 0) }
    return descriptor
  }

  private static func processID(in descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int32(String(decoding: bytes.prefix(count).prefix { $0 != 10 }, as: UTF8.self))
  }

  /// fsync(2) of a directory: the names in it are durable when this returns.
  static func synchronize(directory: String) throws(StorageError) {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .directoryUnusable(path: directory, errno: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .directoryUnusable(path: directory, errno: errno) }
  }
}
