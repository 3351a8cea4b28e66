import Glibc
import Storage
import Testing

struct DataDirectoryTests {
  let temporary: TemporaryDirectory

  init() throws {
    temporary = try TemporaryDirectory()
  }

  @Test("a missing directory is made, private")
  func made() throws {
    let path = temporary.path + "/data"
    let directory = try DataDirectory(path: path)
    #expect(temporary.mode("data") == 0o700)
    #expect(temporary.mode("data/lock") == 0o600)
    #expect(directory.path == path)
    #expect(directory.path(of: .journal) == path + "/journal.db")
    unlink(path + "/lock")
    rmdir(path)
  }

  @Test("every file is private, whatever the umask")
  func files() throws {
    let directory = try temporary.locked()
    let journal = try SQLiteJournal.start(directory)
    _ = try journal.append([batch(1)])
    let devices = try DeviceStore.open(directory: directory)
    _ = try Ballast(in: directory).make(bytes: 4_096)
    for name in temporary.names() { #expect(temporary.mode(name) == 0o600, "\(name)") }
    #expect(
      temporary.names() == [
        "ballast", "devices.db", "devices.db-wal", "journal.db", "journal.db-wal", "lock",
      ])
    try devices.close()
  }

  @Test("a database others could read is closed to them")
  func tightened() throws {
    try SQLiteJournal.start(temporary.locked()).close()
    chmod(temporary.path + "/journal.db", 0o644)
    _ = try SQLiteJournal.start(temporary.locked(), 2)
    #expect(temporary.mode("journal.db") == 0o600)
  }

  @Test("a second server is told who runs, and may start once the first is gone")
  func second() throws {
    var first: DataDirectory? = try temporary.locked()
    let error = #expect(throws: StorageError.self) { try temporary.locked() }
    #expect(error == .alreadyRunning(pid: getpid()))
    #expect(error?.description == "already running (pid \(getpid()))")
    withExtendedLifetime(first) {}
    first = nil
    _ = try temporary.locked()
  }

  @Test("a server that released its directory lets the next one in while it still exists")
  func released() throws {
    let first = try temporary.locked()
    first.release()
    first.release()
    _ = try temporary.locked()
    withExtendedLifetime(first) {}
  }

  @Test("a second server is told even where the lock file says nothing")
  func secondWithoutID() throws {
    let first = try temporary.locked()
    try temporary.write("lock", [])
    #expect(throws: StorageError.alreadyRunning(pid: nil)) { try temporary.locked() }
    withExtendedLifetime(first) {}
  }

  @Test("a lock file left behind by a dead server is no lock")
  func stale() throws {
    try temporary.write("lock", [UInt8]("4194304000 and more".utf8))
    _ = try temporary.locked()
    #expect(temporary.read("lock") == [UInt8]("\(getpid())\n".utf8))
  }

  @Test("the open journal keeps the lock")
  func heldByJournal() throws {
    let journal = try SQLiteJournal.start(temporary.locked())
    #expect(throws: StorageError.alreadyRunning(pid: getpid())) { try temporary.locked() }
    try journal.close()
  }

  @Test("an empty directory open to others is closed to them")
  func emptyOpen() throws {
    chmod(temporary.path, 0o755)
    _ = try temporary.locked()
    #expect(temporary.mode() == 0o700)
  }

  @Test("a directory with files that is open to others is refused, untouched")
  func filledOpen() throws {
    try temporary.write("notes", [1])
    chmod(temporary.path, 0o755)
    let error = #expect(throws: StorageError.self) { try temporary.locked() }
    #expect(error == .openToOthers(path: temporary.path, mode: 0o755))
    #expect(temporary.mode() == 0o755)
    #expect(temporary.names() == ["notes"])
  }

  @Test("a file in place of the directory is refused")
  func file() throws {
    try temporary.write("notes", [1])
    let path = temporary.path + "/notes"
    #expect(throws: StorageError.notADirectory(path: path)) { try DataDirectory(path: path) }
  }

  @Test("a pipe in the place of a small file holds nobody up")
  func pipe() throws {
    let directory = try temporary.locked()
    try #require(mkfifo(directory.path(of: .crashes), 0o600) == 0)
    #expect(try directory.read(.crashes) == [])
  }

  @Test("a path that cannot be made says why")
  func unusable() {
    let path = temporary.path + "/a/b"
    #expect(throws: StorageError.directoryUnusable(path: path, errno: ENOENT)) {
      try DataDirectory(path: path)
    }
  }

  @Test("a directory of another user is refused", .enabled(if: geteuid() == 0))
  func foreignOwner() throws {
    chown(temporary.path, 65_534, 65_534)
    #expect(throws: StorageError.wrongOwner(path: temporary.path, owner: 65_534)) {
      try temporary.locked()
    }
  }

  @Test("a symbolic link in place of the lock file is not followed")
  func link() throws {
    symlink("/dev/null", temporary.path + "/lock")
    #expect(
      throws: StorageError.directoryUnusable(path: temporary.path + "/lock", errno: ELOOP)
    ) { try temporary.locked() }
  }
}
