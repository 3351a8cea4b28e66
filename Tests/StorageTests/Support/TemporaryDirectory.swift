import Glibc
import Storage
import Testing

/// A private directory that goes with the object, files included.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var template = [CChar]("/tmp/wristwire-storage-XXXXXX".utf8CString)
    path = String(cString: try #require(mkdtemp(&template)))
  }

  deinit {
    for name in names() { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  /// A data directory locked by this process.
  func locked() throws -> DataDirectory { try DataDirectory(path: path) }

  func names() -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// The bytes of a file, nil if there is none. Opening a database drops SQLite's locks on it,
  /// which is of no matter here: the tests' lock is the directory's.
  func read(_ name: String) -> [UInt8]? {
    let descriptor = open("\(path)/\(name)", O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = Glibc.read(descriptor, &block, block.count), count > 0 {
      bytes += block.prefix(count)
    }
    return bytes
  }

  /// Puts a file there with these bytes and no others.
  func write(_ name: String, _ bytes: [UInt8], mode: mode_t = 0o600) throws {
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, mode)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try #require(bytes.isEmpty || Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
  }

  /// Changes bytes of a file.
  func edit(_ name: String, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = try #require(read(name))
    change(&bytes)
    try write(name, bytes)
  }

  /// What kill -9 would leave now: a copy of all files but the lock.
  func crashImage() throws -> TemporaryDirectory {
    let image = try TemporaryDirectory()
    for name in names() where name != "lock" { try image.write(name, read(name) ?? []) }
    return image
  }

  /// Every file's bytes, to see that nothing was touched.
  func contents() -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in names() where name != "lock" { contents[name] = read(name) }
    return contents
  }

  func mode(_ name: String = "") -> mode_t {
    var facts = stat()
    return stat("\(path)/\(name)", &facts) == 0 ? facts.st_mode & 0o7777 : 0
  }

  /// Puts a descriptor that cannot be written in place of the one this process has on a file, so
  /// that the next write to it fails with EBADF.
  func breakDescriptor(of name: String) throws {
    let target = "\(path)/\(name)"
    var broken = 0
    // Other tests of the process may hold many.
    for descriptor in 3..<Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))) {
      var buffer = [CChar](repeating: 0, count: 4_096)
      let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
      guard count > 0 else { continue }
      let link = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard link == target else { continue }
      let replacement = open("/dev/null", O_RDONLY)
      dup2(replacement, descriptor)
      close(replacement)
      broken += 1
    }
    try #require(broken > 0)
  }
}
