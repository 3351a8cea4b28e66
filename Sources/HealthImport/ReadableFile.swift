import Glibc

/// A file open for reading; closed when it goes.
struct ReadableFile: ~Copyable {
  /// The open descriptor.
  let descriptor: Int32

  /// Opens a file.
  ///
  /// - Throws: `fileUnreadable`.
  init(path: String) throws(HealthImportError) {
    let opened = open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw .fileUnreadable(errno: errno) }
    descriptor = opened
  }

  deinit {
    close(descriptor)
  }

  /// Reads what is there, up to the buffer's size; 0 at the end. Starts over after a signal.
  ///
  /// - Throws: `fileUnreadable`.
  static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(HealthImportError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw .fileUnreadable(errno: errno) }
    }
  }
}
