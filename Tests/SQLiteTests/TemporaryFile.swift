import Glibc
import Testing

/// A private directory with one empty file for a database; both go with the object.
final class TemporaryFile {
  let directory: String
  var path: String { directory + "/test.db" }
  var logPath: String { path + "-wal" }

  init(holding bytes: [UInt8]? = []) throws {
    var template = [CChar]("/tmp/wristwire-sqlite-XXXXXX".utf8CString)
    directory = String(cString: try #require(mkdtemp(&template)))
    if let bytes { write(bytes) }
  }

  deinit {
    for suffix in ["", "-wal", "-journal", ".moved"] { unlink(path + suffix) }
    rmdir(directory)
  }

  func write(_ bytes: [UInt8], at offset: off_t = 0) {
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    #expect(pwrite(descriptor, bytes, bytes.count, offset) == bytes.count)
    close(descriptor)
  }

  func bytes(of path: String) -> Int {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts.st_size : -1
  }
}
