import Glibc

/// A folder that is gone when the test is over.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/wristwire-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw ChildProcess.Failure(description: "mkdtemp: \(String(cString: strerror(errno)))")
    }
    path = String(cString: made)
  }

  deinit {
    Self.removeAll(path)
  }

  /// Children first; a link is removed, not followed.
  private static func removeAll(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR, let stream = opendir(path) {
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { removeAll("\(path)/\(name)") }
      }
      closedir(stream)
    }
    remove(path)
  }
}
