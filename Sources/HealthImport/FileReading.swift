import Glibc

/// The system calls of the import.
enum FileReading {
  /// Opens a file for as long as the body runs.
  ///
  /// - Throws: `fileUnreadable`, or what the body throws.
  static func withFile<Result>(
    _ path: String, _ body: (Int32) throws(HealthImportError) -> Result
  ) throws(HealthImportError) -> Result {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .fileUnreadable(errno: errno) }
    defer { close(descriptor) }
    return try body(descriptor)
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
