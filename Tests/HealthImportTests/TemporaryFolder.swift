import Glibc
import Testing

/// A folder of a test's own, removed with its files by `remove()`.
final class TemporaryFolder {
  let path: String
  private var files: [String] = []

  init() throws {
    var template = Array("/tmp/health-import-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  func remove() {
    for file in files { unlink(file) }
    rmdir(path)
  }

  /// Writes a file and answers its path.
  func write(_ text: String, as name: String) throws -> String {
    let file = path + "/" + name
    files.append(file)
    let stream = try #require(fopen(file, "w"))
    defer { fclose(stream) }
    let bytes = Array(text.utf8)
    try #require(fwrite(bytes, 1, bytes.count, stream) == bytes.count)
    return file
  }
}
