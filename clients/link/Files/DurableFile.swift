internal import Glibc

/// Small files of a client: read whole, replaced atomically, so that a kill at any instant leaves
/// the old or the new content.
package enum DurableFile {
  /// Makes a directory for the owner alone (0700), with its parents, durably; an existing one is
  /// left as it is.
  package static func makeDirectory(_ path: String) throws(FileError) {
    if mkdir(path, 0o700) == 0 { return try syncDirectory(of: path) }
    if errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw .last("mkdir")
    }
    try makeDirectory(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last("mkdir") }
    try syncDirectory(of: path)
  }

  /// The whole content; nil when there is no such file.
  package static func read(_ path: String) throws(FileError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .last("open")
    }
    defer { _ = close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw .last("read")
      }
      bytes.append(contentsOf: chunk.prefix(count))
    }
  }

  /// Replaces the content: a temporary file beside it, fsync, rename, fsync of the directory
  /// (rename(2), fsync(2)). The file belongs to the owner alone (0600).
  package static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    let temporary = path + ".new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .last("open") }
    do throws(FileError) {
      try write(bytes, to: descriptor)
      guard fsync(descriptor) == 0 else { throw .last("fsync") }
    } catch {
      _ = close(descriptor)
      _ = unlink(temporary)
      throw error
    }
    _ = close(descriptor)
    guard rename(temporary, path) == 0 else { throw .last("rename") }
    try syncDirectory(of: path)
  }

  /// Makes the names in the directory of `path` durable.
  package static func syncDirectory(of path: String) throws(FileError) {
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { String(path[...$0]) } ?? "."
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("open") }
    defer { _ = close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .last("fsync") }
  }

  /// Writes all of `bytes` at the descriptor's position.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw .last("write")
      }
      written += count
    }
  }
}
