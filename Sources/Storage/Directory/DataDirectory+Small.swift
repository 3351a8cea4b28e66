internal import Glibc

extension DataDirectory {
  /// The bytes of a small file; nil if there is none. At most `StorageLimits.smallFileBytesMax`.
  ///
  /// - Throws: `directoryUnusable`, `tooLarge`.
  public func read(_ file: DataFile) throws(StorageError) -> [UInt8]? {
    let path = path(of: file)
    // A pipe in its place would wait for somebody to write, open(2); it reads as an empty file.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw .directoryUnusable(path: path, errno: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .directoryUnusable(path: path, errno: errno) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      if bytes.count > StorageLimits.smallFileBytesMax {
        throw .tooLarge(bytes: bytes.count, max: StorageLimits.smallFileBytesMax)
      }
    }
  }

  /// Replaces a small file whole, durably: a crash leaves the old bytes or the new (rename(2)).
  ///
  /// - Throws: `directoryUnusable`; the old file stays then.
  public func replace(_ file: DataFile, with bytes: [UInt8]) throws(StorageError) {
    let path = path(of: file)
    let fresh = path + ".new"
    let descriptor = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .directoryUnusable(path: fresh, errno: errno) }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      written += count
    }
    guard written == bytes.count, fsync(descriptor) == 0 else {
      let problem = errno
      close(descriptor)
      unlink(fresh)
      throw .directoryUnusable(path: fresh, errno: problem)
    }
    close(descriptor)
    guard rename(fresh, path) == 0 else { throw .directoryUnusable(path: path, errno: errno) }
    try Self.synchronize(directory: self.path)
  }

  /// Puts a damaged file out of the way, under its name with `.damaged`, in place of an older one.
  ///
  /// - Throws: `directoryUnusable`.
  public func setAside(_ file: DataFile) throws(StorageError) {
    let path = path(of: file)
    guard rename(path, path + ".damaged") == 0 else {
      throw .directoryUnusable(path: path, errno: errno)
    }
  }
}
