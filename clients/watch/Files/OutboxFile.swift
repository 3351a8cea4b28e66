internal import AuthorityLink
internal import Glibc

/// The open outbox file: appended to, made durable, written anew.
final class OutboxFile {
  /// Where it is.
  let path: String
  /// Its length in bytes.
  private(set) var length: Int
  private var descriptor: Int32

  /// Opens the file, or makes an empty one, and returns what it holds. A torn end is cut off; what
  /// is read is durable before it is believed. nil: what is there is no outbox, and stays as it is.
  static func open(
    _ path: String
  ) throws(OutboxError) -> (file: OutboxFile, content: OutboxLog.Content)? {
    do throws(FileError) {
      let bytes = try DurableFile.read(path) ?? []
      guard let content = OutboxLog.read(bytes) else { return nil }
      if content.isDamaged { try keepDamaged(path) }
      let file = try OutboxFile(path, length: content.length)
      if content.length == 0 {
        try file.write(OutboxLog.header)
        try DurableFile.syncDirectory(of: path)
      }
      guard fsync(file.descriptor) == 0 else { throw FileError.last("fsync") }
      return (file, content)
    } catch {
      throw OutboxError(error)
    }
  }

  private init(_ path: String, length: Int) throws(FileError) {
    self.path = path
    self.length = length
    descriptor = try Self.openForAppending(path)
    guard ftruncate(descriptor, off_t(length)) == 0 else {
      let error = FileError.last("ftruncate")
      _ = close(descriptor)
      throw error
    }
  }

  deinit {
    _ = close(descriptor)
  }

  /// Appends records; a kill of the process loses none of them, a power cut may until `sync`. When
  /// it fails the file is as before.
  func append(_ records: [OutboxRecord]) throws(FileError) {
    let bytes = records.flatMap { OutboxLog.sealed($0) }
    do throws(FileError) {
      try write(bytes)
    } catch {
      // Half a record is cut off at the next start too; only a later append behind it would matter.
      _ = ftruncate(descriptor, off_t(length))
      throw error
    }
  }

  /// Everything appended is on disk (fdatasync(2) writes the new length too).
  func sync() throws(FileError) {
    guard fdatasync(descriptor) == 0 else { throw .last("fdatasync") }
  }

  /// Writes the file anew: a kill at any instant leaves the old or the new one.
  func rewrite(_ records: [OutboxRecord]) throws(FileError) {
    let bytes = OutboxLog.header + records.flatMap { OutboxLog.sealed($0) }
    try DurableFile.replace(path, with: bytes)
    let renewed = try Self.openForAppending(path)
    _ = close(descriptor)
    descriptor = renewed
    length = bytes.count
  }

  private func write(_ bytes: [UInt8]) throws(FileError) {
    try DurableFile.write(bytes, to: descriptor)
    length += bytes.count
  }

  private static func openForAppending(_ path: String) throws(FileError) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC
    let descriptor = Glibc.open(path, flags, 0o600)
    guard descriptor >= 0 else { throw .last("open") }
    return descriptor
  }

  /// A second name for the damaged file, before it is written anew.
  private static func keepDamaged(_ path: String) throws(FileError) {
    _ = unlink(path + ".damaged")
    guard link(path, path + ".damaged") == 0 else { throw .last("link") }
  }
}
