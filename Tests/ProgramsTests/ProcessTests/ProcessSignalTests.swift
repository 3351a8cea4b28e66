import AuthorityServer
import Foundation
import Glibc
import TestSupport
import Testing
import WatchTransfer

/// G2, G3, G10, G13: signals in every phase, another program on the database, a disk that is slow.
@Suite(.serialized, .timeLimit(.minutes(4))) struct ProcessSignalTests {
  private let folder = try! TemporaryDirectory()

  private var data: String { "\(folder.path)/data" }

  /// strace(1) with every fdatasync made slow.
  private func slowly(milliseconds: Int, from count: Int = 1) -> [String] {
    [
      "/usr/bin/strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync", "-e",
      "inject=fdatasync:delay_enter=\(milliseconds * 1_000):when=\(count)+",
    ]
  }

  private func directory() async throws -> [Writer] {
    let server = try await ServeProcess(data: data)
    try await server.addAccount()
    var writers: [Writer] = []
    for index in 0..<4 {
      writers.append(Writer(index: index, account: "anna", token: try await server.pair(.watch)))
    }
    let id = server.child.id
    writers = try await writeAll(
      writers, to: server, steps: Steps(until: 200) { kill(id, SIGKILL) })
    _ = await server.child.end()
    return writers
  }

  private func verifyAll(_ writers: [Writer]) async throws {
    #expect(try await wristwire("check", "--data", data).output == "ok\n")
    let server = try await ServeProcess(data: data)
    let done = try await writeAll(writers, to: server, steps: Steps(until: 0) {})
    try await verify(done, on: server)
    #expect(await server.end().status == 0)
  }

  @Test(.enabled(if: TracedServer.isThere), arguments: [SIGTERM, SIGINT, SIGQUIT])
  func `G2 G3 a signal while a server starts and recovers ends it cleanly`(signal: Int32)
    async throws
  {
    let writers = try await directory()
    let launcher = slowly(milliseconds: 300)
    let words = [
      "\(ChildProcess.folder)/wristwire", "serve", "--data", data, "--listen", "127.0.0.1:0",
    ]
    let child = try ChildProcess(
      launcher[0], Array(launcher.dropFirst()) + words, environment: ServeProcess.environment)
    var server: pid_t?
    // From there on signals wait for their turn; recovery's first fdatasync takes a while.
    #expect(
      Processes.wait {
        server = Processes.children(of: child.id).first
        return server.map { Processes.looksAfter(signal, $0) } ?? false
      })
    if let server { kill(server, signal) }
    let ending = await child.end()
    #expect(ending.status == 0, "\(ending)")
    try await verifyAll(writers)
  }

  @Test(.enabled(if: TracedServer.isThere), arguments: [1, 2])
  func `G2 a SIGTERM in the middle of a commit, and a second one, keep what was said`(
    signals: Int
  ) async throws {
    var writers = try await directory()
    let server = try await ServeProcess(
      data: data, launcher: slowly(milliseconds: 200, from: 8), secondsMax: 60)
    let id = try #require(Processes.children(of: server.child.id).first)
    // Every commit takes 200 ms now, so that this comes while one is under way.
    let steps = Steps(until: 70) {
      for _ in 0..<signals { kill(id, SIGTERM) }
    }
    writers = try await writeAll(writers, to: server, steps: steps)
    let ending = await server.child.end()
    // Signals of one number that wait are one; a second that is seen ends it at once.
    #expect(ending.status == 0 || signals > 1 && ending.status == 128 + SIGTERM, "\(ending)")
    try await verifyAll(writers)
  }

  @Test func `G3 a server that was stopped for a while turns nobody away when it goes on`()
    async throws
  {
    let limits = "\(folder.path)/limits"
    try Data("idleMilliseconds = 7000\nleaseMilliseconds = 7000\n".utf8).write(
      to: URL(filePath: limits))
    let server = try await ServeProcess(data: data, ["--limits", limits])
    try await server.addAccount()
    let clients = try await (0..<8).asyncMap { _ in
      let client = try server.client()
      _ = try client.greet(Hello(token: try await server.pair(.watch)))
      return client
    }
    server.child.signal(SIGSTOP)
    // Longer than the silence after which a server hangs up: nothing tells when that is over.
    _ = Processes.wait(milliseconds: isFullForm ? 15_000 : 8_000) { false }
    server.child.signal(SIGCONT)
    for client in clients {
      try client.send(.ping(Ping(nonce: 7)))
      let nonce = try client.next { message -> UInt64? in
        if case .pong(let pong) = message { pong.nonce } else { nil }
      }
      #expect(nonce == 7)
    }
    #expect(try await server.status().connections == clients.count)
    #expect(await server.end().status == 0)
  }

  @Test func `a command does not wait for ever for a server that is stopped`() async throws {
    let server = try await ServeProcess(data: data)
    try await server.addAccount()
    server.child.signal(SIGSTOP)
    for words in [
      ["status"], ["pair", "--account", "anna", "--kind", "watch"],
      ["pair", "--account", "anna", "--kind", "watch", "--code"],
      ["revoke", "--account", "anna", "--device", "none"],
      ["account", "add", "ben", "--zone", "UTC"],
    ] {
      let ending = try await wristwire(words + ["--data", data, "--wait", "1"])
      #expect(ending.status == 1 && ending.output.isEmpty, "\(words): \(ending)")
      #expect(ending.errors.contains("did not answer within 1 s"), "\(words): \(ending)")
    }
    server.child.signal(SIGCONT)
    let ending = try await wristwire(["status", "--data", data, "--wait", "30"])
    #expect(ending.status == 0, "\(ending)")
    let none = try await wristwire(["status", "--data", data, "--wait", "0"])
    #expect(none.status == 2 && none.errors.contains("--wait"), "\(none)")
    #expect(await server.end().status == 0)
  }

  @Test(arguments: ["journal.db", "devices.db"])
  func `G10 a database that another program holds is said, and a running server holds its own`(
    file: String
  ) async throws {
    let writers = try await directory()
    // What SQLite's EXCLUSIVE lock is: https://www.sqlite.org/lockingv3.html, 3.0.
    let descriptor = open("\(data)/\(file)", O_RDWR | O_CLOEXEC)
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 0x4000_0000
    lock.l_len = 512
    #expect(fcntl(descriptor, F_SETLK, &lock) == 0)
    let ending = try await wristwire("serve", "--data", data, "--listen", "127.0.0.1:0")
    #expect(ending.status == 1, "\(ending)")
    #expect(ending.errors.contains("\(file) is open in another program"), "\(ending)")
    close(descriptor)
    let server = try await ServeProcess(data: data)
    if access("/usr/bin/sqlite3", X_OK) == 0 {
      let late = try await ChildProcess.run(
        "/usr/bin/sqlite3", ["\(data)/\(file)", "SELECT count(*) FROM starts;"])
      #expect(late.status != 0 && late.errors.contains("locked"), "\(late)")
    } else {
      print("skipped: sqlite3 is not installed")
    }
    #expect(await server.end().status == 0)
    try await verifyAll(writers)
  }

  @Test(.enabled(if: TracedServer.isThere))
  func `G13 a slow disk makes a bounded queue, holds and no threads`() async throws {
    let first = try await ServeProcess(data: data)
    try await first.addAccount()
    let others = [try await first.pair(.watch), try await first.pair(.watch)]
    #expect(await first.end().status == 0)
    let limits = "\(folder.path)/limits"
    try Data("commitQueueMax = 64\ninFlightMax = 64\n".utf8).write(to: URL(filePath: limits))
    let server = try await ServeProcess(
      data: data, ["--limits", limits], launcher: slowly(milliseconds: 2_000, from: 12),
      secondsMax: 120)
    let id = try #require(Processes.children(of: server.child.id).first)
    let threads = Processes.threads(of: id)
    let clients = try others.map { token in
      let client = try server.client()
      client.setTimeout(seconds: 60)
      _ = try client.greet(Hello(token: token))
      return client
    }
    // Two outboxes offer more than may wait; what is too much is held, and nothing is lost of it.
    var holds = 0
    var outboxes = [GoalWatch(token: others[0]), GoalWatch(token: others[1])]
    for (index, client) in clients.enumerated() {
      for _ in 1...60 { outboxes[index].queue() }
      for number in 1...60 { try client.send(.act(outboxes[index].act(number))) }
    }
    for client in clients {
      answers: while true {
        switch try client.next() {
        case .receipt(let receipt): if receipt.number == 60 { break answers }
        case .hold(let hold):
          guard case .busy = hold.reason else {
            throw ChildProcess.Failure(description: "\(hold)")
          }
          holds += 1
          break answers
        default: continue
        }
      }
    }
    #expect(holds > 0, "120 acts found room in a queue of 64")
    #expect(Processes.threads(of: id) <= threads + 4)
    // Reads go on meanwhile.
    #expect(try await server.status().held >= holds)
    kill(id, SIGTERM)
    #expect(await server.child.end().status == 0)
    let again = try await ServeProcess(data: data)
    for index in outboxes.indices {
      guard case .settled = try outboxes[index].visit(again) else {
        throw ChildProcess.Failure(description: "not settled")
      }
    }
    var revisions: [Revision] = []
    for receipt in outboxes.flatMap(\.receipts) {
      if case .applied(let revision) = receipt.outcome { revisions.append(revision) }
    }
    // The later of two edits in one second is refused: a receipt too.
    #expect(outboxes.allSatisfy { $0.receipts.count == 60 })
    #expect(revisions.sorted() == Array(2..<2 + Revision(revisions.count)))
    #expect(await again.end().status == 0)
    #expect(try await wristwire("check", "--data", data).output == "ok\n")
  }
}

extension Sequence {
  /// `map`, one after the other.
  fileprivate func asyncMap<Result>(
    _ body: (Element) async throws -> Result
  ) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}
