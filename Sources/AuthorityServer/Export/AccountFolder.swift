internal import Foundation
internal import Glibc

/// The folder of an export, which is made under another name and gets its own when it is whole.
struct AccountFolder {
  /// What goes wrong with files.
  struct Failure: Error, CustomStringConvertible {
    let path: String
    let errno: Int32

    var description: String { "\(path): \(String(cString: strerror(errno)))" }
  }

  private let path: String
  private var fresh: String { "\(path).part" }

  /// Makes a folder that nobody else may read; what stands at `path` is left alone, and what an
  /// export that was killed has left beside it, too.
  init(_ path: String) throws(Failure) {
    self.path = path
    guard access(path, F_OK) != 0 else { throw Failure(path: path, errno: EEXIST) }
    try makeFolder("")
    do throws(Failure) {
      try makeFolder("/photos")
    } catch {
      discard()
      throw error
    }
  }

  /// Takes away what was written, as nobody should find half an export.
  func discard() {
    try? FileManager.default.removeItem(atPath: fresh)
  }

  private func makeFolder(_ name: String) throws(Failure) {
    guard mkdir(fresh + name, 0o700) == 0 else {
      throw Failure(path: fresh + name, errno: errno)
    }
  }

  /// Writes a file, readable by its owner alone.
  func write(_ bytes: [UInt8], to name: String) throws(Failure) {
    let file = "\(fresh)/\(name)"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure(path: file, errno: errno) }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(path: file, errno: errno) }
      written += count
    }
    guard fsync(descriptor) == 0 else { throw Failure(path: file, errno: errno) }
  }

  /// Everything is there.
  func finish() throws(Failure) {
    guard rename(fresh, path) == 0 else { throw Failure(path: path, errno: errno) }
  }
}
