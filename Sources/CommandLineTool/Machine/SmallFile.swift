internal import Glibc

/// A file of a few hundred bytes, read whole and replaced whole.
public enum SmallFile {
  /// What a file may hold at most, in bytes.
  public static let bytesMax = 65_536

  /// The text of the file at `path`.
  public static func read(_ path: String) throws(ToolFailure) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw failure("read", path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw failure("read", path) }
      if count == 0 { break }
      bytes += buffer[..<count]
      if bytes.count > bytesMax {
        throw ToolFailure("\(printable(path)) has more than \(bytesMax) bytes")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Replaces the file at `path`, readable by its owner alone: a reader sees the old text or the
  /// new one (rename(2)).
  public static func replace(_ path: String, with text: String) throws(ToolFailure) {
    let fresh = "\(path).new"
    let descriptor = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw failure("write", fresh) }
    var isWritten = true
    Array(text.utf8).withUnsafeBytes { bytes in
      isWritten = Glibc.write(descriptor, bytes.baseAddress, bytes.count) == bytes.count
    }
    if !isWritten || fsync(descriptor) != 0 {
      let error = failure("write", fresh)
      close(descriptor)
      throw error
    }
    close(descriptor)
    if rename(fresh, path) != 0 { throw failure("replace", path) }
  }

  private static func failure(_ verb: String, _ path: String) -> ToolFailure {
    ToolFailure("cannot \(verb) \(printable(path)): \(String(cString: strerror(errno)))")
  }
}

/// The first line of standard input, at most 256 bytes of it; nothing behind it is read.
func firstInputLine() -> String {
  var bytes: [UInt8] = []
  var byte: UInt8 = 0
  while bytes.count < 256 {
    let count = read(STDIN_FILENO, &byte, 1)
    if count < 0, errno == EINTR { continue }
    if count <= 0 || byte == UInt8(ascii: "\n") { break }
    bytes.append(byte)
  }
  return String(decoding: bytes, as: UTF8.self)
}
