internal import Glibc

/// The file of a photo, read whole and written whole.
public enum PhotoFile {
  /// The bytes of the file at `path`, of which there may be `bytesMax`.
  public static func read(_ path: String, bytesMax: Int64) throws(ToolFailure) -> [UInt8] {
    // What is no file may have no end, or nothing to read for ever: opening it must not wait.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 { throw failure("read", path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw ToolFailure("\(printable(path)) is no file")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw failure("read", path) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      if bytes.count > bytesMax {
        throw ToolFailure("\(printable(path)) has more than \(bytesMax) bytes")
      }
    }
  }

  /// Writes a new file, or over an old one, readable by its owner alone.
  public static func write(_ bytes: [UInt8], to path: String) throws(ToolFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw failure("write", path) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 {
        let error = failure("write", path)
        close(descriptor)
        throw error
      }
      written += count
    }
    // An error of the last write may be told here (close(2)).
    if close(descriptor) != 0 { throw failure("write", path) }
  }

  private static func failure(_ verb: String, _ path: String) -> ToolFailure {
    ToolFailure("cannot \(verb) \(printable(path)): \(String(cString: strerror(errno)))")
  }
}
