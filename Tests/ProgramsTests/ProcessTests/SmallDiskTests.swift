import AuthorityServer
import Foundation
import Glibc
import TestSupport
import Testing
import WatchTransfer
import WireFormat

/// A file system of a few MiB that is taken away with its owner. nil where mount(8) is refused.
final class SmallDisk {
  let path: String

  init?(mebibytes: Int, below folder: String) async {
    path = "\(folder)/disk"
    guard geteuid() == 0, mkdir(path, 0o700) == 0 else { return nil }
    let ending = try? await ChildProcess.run(
      "/usr/bin/mount",
      ["-t", "tmpfs", "-o", "size=\(mebibytes)m,mode=700", "wristwire", path])
    guard ending?.status == 0 else { return nil }
  }

  deinit {
    // Lazily: a server that a failed test left behind must not keep it.
    typealias Unmount = @convention(c) (UnsafePointer<CChar>, Int32) -> Int32
    if let symbol = dlsym(nil, "umount2") {
      _ = unsafeBitCast(symbol, to: Unmount.self)(path, 2)
    }
  }

  /// Writes a file until only `left` bytes are free.
  func fill(leaving left: Int) throws {
    var facts = statvfs()
    guard statvfs(path, &facts) == 0 else { return }
    let bytes = max(0, Int(facts.f_bavail) * Int(facts.f_frsize) - left)
    try Data(repeating: 7, count: bytes).write(to: URL(filePath: "\(path)/filler"))
  }

  /// Takes the file away.
  func empty() { unlink("\(path)/filler") }

  /// Mounts it again, to be read alone or to be written too.
  func remount(_ mode: String) async throws {
    let ending = try await ChildProcess.run("/usr/bin/mount", ["-o", "remount,\(mode)", path])
    #expect(ending.status == 0, "\(ending)")
  }
}

/// G4 and G6 on a real file system: small, full, with room again, read-only.
@Suite(.serialized, .timeLimit(.minutes(3))) struct SmallDiskTests {
  private let folder = try! TemporaryDirectory()

  private func disk(_ mebibytes: Int) async -> SmallDisk? {
    let disk = await SmallDisk(mebibytes: mebibytes, below: folder.path)
    if disk == nil { print("skipped: only root may mount a small file system, and not everywhere") }
    return disk
  }

  private func limits(_ lines: String) throws -> String {
    let path = "\(folder.path)/limits"
    try Data(lines.utf8).write(to: URL(filePath: path))
    return path
  }

  /// Waits until the server says that it takes acts, or holds them.
  private func wait(_ server: ServeProcess, acceptsActs: Bool) async throws {
    let deadline = monotonicMilliseconds() + 20_000
    while try await server.status().acceptsActs != acceptsActs {
      try #require(monotonicMilliseconds() < deadline)
      poll(nil, 0, 20)
    }
  }

  @Test func `G4 a full disk holds acts and not reads, and room again needs no restart`()
    async throws
  {
    guard let disk = await disk(40) else { return }
    let data = "\(disk.path)/data"
    let limits = try limits("freeSpaceReserveBytes = 8388608\nballastBytes = 0\n")
    let server = try await ServeProcess(data: data, ["--limits", limits])
    try await server.addAccount()
    var writer = GoalWatch(token: try await server.pair(.watch))
    writer.queue()
    guard case .settled = try writer.visit(server) else {
      throw ChildProcess.Failure(description: "")
    }
    try disk.fill(leaving: 2 << 20)
    try await wait(server, acceptsActs: false)
    let client = try server.client()
    _ = try client.greet(Hello(token: try await server.pair(.watch, name: "second")))
    let body = MessageEncoder().encode(
      ActionBody(
        occurred: DeviceClock(wall: Instant(milliseconds: Int64(time(nil)) * 1_000)),
        action: .setGoal(name: "steps", value: 9)))
    let act = Act(incarnation: .random(), number: 1, confirmed: 0, body: body)
    try client.send(.act(act))
    guard case .storageUnavailable = try client.hold().reason else {
      throw ChildProcess.Failure(description: "not held for want of room")
    }
    // Reads go on, and the list of devices too.
    try client.send(
      .fetch(Fetch(view: WidgetView(kind: .streak, family: .small, appearance: .day))))
    #expect(try client.snapshot().revision == 2)
    disk.empty()
    try await wait(server, acceptsActs: true)
    try client.send(.act(act))
    #expect(try client.receipt().outcome == .applied(3))
    #expect(await server.end().status == 0)
    #expect(try await wristwire("check", "--data", data).output == "ok\n")
  }

  @Test func `G4 a disk that is full at a commit ends the server, and the next one goes on`()
    async throws
  {
    guard let disk = await disk(40) else { return }
    let data = "\(disk.path)/data"
    let limits = try limits("freeSpaceReserveBytes = 0\nballastBytes = 0\n")
    let server = try await ServeProcess(data: data, ["--limits", limits])
    try await server.addAccount()
    let token = try await server.pair(.watch)
    var writers = [Writer(index: 0, account: "anna", token: token)]
    let id = server.child.id
    // Enough for some commits, and not for all.
    try disk.fill(leaving: 256 << 10)
    writers = try await writeAll(
      writers, to: server, steps: Steps(until: 60_000) { kill(id, SIGKILL) })
    let ending = await server.child.end()
    #expect(ending.status == 74, "\(ending)")
    #expect(ending.errors.hasPrefix("wristwire: a commit failed"), "\(ending)")
    // As it stands there is no room for a start: one line, and nothing is touched.
    let refused = try await wristwire("serve", "--data", data, "--listen", "127.0.0.1:0")
    #expect(refused.status == 1, "\(refused)")
    #expect(refused.errors == "wristwire: no room left for journal.db; free some space\n")
    disk.empty()
    let again = try await ServeProcess(data: data, ["--limits", limits])
    writers = try await writeAll(writers, to: again, steps: Steps(until: 0) {})
    try await verify(writers, on: again)
    #expect(await again.end().status == 0)
    #expect(try await wristwire("check", "--data", data).output == "ok\n")
  }

  @Test(arguments: [2, 8])
  func `G4 a file system that is too small is said at the start`(mebibytes: Int) async throws {
    guard let disk = await disk(mebibytes) else { return }
    let data = "\(disk.path)/data"
    let ending = try await wristwire("serve", "--data", data, "--listen", "127.0.0.1:0")
    #expect(ending.status == 1, "\(ending)")
    #expect(ending.errors == "wristwire: no room left for journal.db; free some space\n")
    #expect(access("\(data)/journal.db", F_OK) != 0)
  }

  @Test func `G6 a directory that can only be read is said, and left as it is`() async throws {
    guard let disk = await disk(40) else { return }
    let data = "\(disk.path)/data"
    let limits = try limits("freeSpaceReserveBytes = 0\nballastBytes = 0\n")
    let server = try await ServeProcess(data: data, ["--limits", limits])
    try await server.addAccount()
    #expect(await server.end().status == 0)
    try await disk.remount("ro")
    for arguments in [
      ["serve", "--data", data, "--listen", "127.0.0.1:0"], ["check", "--data", data],
    ] {
      let ending = try await ChildProcess.run(
        "wristwire", arguments, environment: ServeProcess.environment)
      #expect(ending.status == 1, "\(ending)")
      #expect(ending.errors.hasPrefix("wristwire: cannot use \(data)"), "\(ending)")
      #expect(ending.errors.split(separator: "\n").count == 1, "\(ending)")
    }
    try await disk.remount("rw")
    let again = try await ServeProcess(data: data, ["--limits", limits])
    #expect(try await again.status().accounts == 1)
    #expect(await again.end().status == 0)
  }
}
