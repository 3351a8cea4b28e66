internal import Glibc

/// Copies small folders byte by byte: what a backup of a watch would do to an outbox.
enum FileCopy {
  /// Copies a folder and what is in it.
  static func copyFolder(_ source: String, to target: String) throws {
    guard mkdir(target, 0o700) == 0, let stream = opendir(source) else {
      throw DemoError("\(source) cannot be copied: errno \(errno)")
    }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name == "." || name == ".." { continue }
      if entry.pointee.d_type == UInt8(DT_DIR) {
        try copyFolder("\(source)/\(name)", to: "\(target)/\(name)")
      } else {
        try copyFile("\(source)/\(name)", to: "\(target)/\(name)")
      }
    }
  }

  private static func copyFile(_ source: String, to target: String) throws {
    let input = open(source, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw DemoError("\(source) cannot be read: errno \(errno)") }
    defer { close(input) }
    let output = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw DemoError("\(target) cannot be written: errno \(errno)") }
    defer { close(output) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(input, &buffer, buffer.count)
      if count == 0 { return }
      guard count > 0, write(output, buffer, count) == count else {
        throw DemoError("\(source) cannot be copied: errno \(errno)")
      }
    }
  }
}
