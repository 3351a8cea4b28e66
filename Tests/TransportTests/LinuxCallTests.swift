import CLinux
import Glibc
import Testing

/// The calls of CLinux that this layer itself does not use.
struct LinuxCallTests {
  @Test("A file is locked by one open file at a time")
  func lock() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/lock"
    let first = open(path, O_CREAT | O_RDWR, 0o600)
    let second = open(path, O_RDWR)
    defer {
      close(first)
      close(second)
    }
    #expect(clinux_lock_exclusive(first) == 0)
    #expect(clinux_lock_exclusive(second) == -EWOULDBLOCK)
    #expect(clinux_unlock(first) == 0)
    #expect(clinux_lock_exclusive(second) == 0)
    #expect(clinux_lock_exclusive(-1) == -EBADF)
  }

  @Test("Room on disk is reserved, and its lack told")
  func allocate() throws {
    let directory = try TemporaryDirectory()
    let file = open("\(directory.path)/ballast", O_CREAT | O_RDWR, 0o600)
    defer { close(file) }
    #expect(clinux_allocate(file, 8_192) == 0)
    var status = stat()
    #expect(fstat(file, &status) == 0)
    #expect(status.st_size == 8_192)
    #expect(clinux_allocate(file, 0) == -EINVAL)
    #expect(clinux_free_bytes(directory.path) > 0)
    #expect(clinux_free_bytes("/nowhere") == -Int64(ENOENT))
  }

  @Test("Random bytes fill the whole buffer")
  func random() {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    #expect(clinux_random(&bytes, bytes.count) == 0)
    #expect(Set(bytes).count > 200)
    #expect(bytes.suffix(64).contains { $0 != 0 })
  }
}
