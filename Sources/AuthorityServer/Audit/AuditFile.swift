internal import Glibc

/// The files of the audit log: `audit.log`, which grows to a bound, and `audit.log.1`, which it was
/// before. Both belong to the owner alone (0600). Not Sendable; nothing here ends a server.
///
/// A line is written whole or not at all. It is in the kernel's hands when the call returns, so
/// that it outlives the process, though not a loss of power.
final class AuditFile {
  /// The name in the data directory.
  static let name = "audit.log"

  private let path: String
  private let bytesMax: Int
  private var descriptor: Int32 = -1
  /// Bytes in `audit.log`.
  private(set) var bytes = 0

  /// A log in `directory` whose two files have at most `bytesMax` bytes each.
  init(directory: String, bytesMax: Int) {
    path = "\(directory)/\(Self.name)"
    self.bytesMax = bytesMax
    _ = open()
  }

  deinit {
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
  }

  /// Appends lines, each ended by its line feed; how many of them were written.
  func append(_ lines: [[UInt8]]) -> Int {
    for (index, line) in lines.enumerated() {
      guard descriptor >= 0 || open(), makeRoom(for: line.count), write(line) else { return index }
    }
    return lines.count
  }

  private func open() -> Bool {
    descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    var facts = stat()
    // The mode is set whatever the umask made of it.
    guard descriptor >= 0, fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      fchmod(descriptor, 0o600) == 0
    else {
      close()
      return false
    }
    bytes = Int(facts.st_size)
    return true
  }

  private func close() {
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
    descriptor = -1
  }

  private func makeRoom(for count: Int) -> Bool {
    if bytes == 0 || bytes + count <= bytesMax { return true }
    // Without a rename nothing more is written: the bound is kept.
    guard rename(path, path + ".1") == 0 else { return false }
    close()
    return open()
  }

  private func write(_ line: [UInt8]) -> Bool {
    let before = bytes
    var done = 0
    while done < line.count {
      let count = line[done...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 {
        // Half a line would spoil the next one.
        if done > 0, ftruncate(descriptor, off_t(before)) != 0 { close() }
        return false
      }
      done += count
    }
    bytes = before + line.count
    return true
  }
}
