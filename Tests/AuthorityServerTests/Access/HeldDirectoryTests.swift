import AuthorityServer
import Glibc
import Storage
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct HeldDirectoryTests {
  private func open(_ path: String) throws -> AuthorityServer {
    try AuthorityServer(ServerConfiguration(directory: path)) { Issue.record($0) }
  }

  @Test func `a server waits for a command that holds the directory for a moment`() async throws {
    let temporary = try TemporaryDirectory()
    let path = "\(temporary.path)/data"
    let command = try DataDirectory(path: path)
    var attempts = 0
    let server = try await AdminConnection.openServer(directory: path) {
      attempts += 1
      if attempts == 3 { command.release() }
      return try open(path)
    }
    #expect(attempts == 3)
    await server.stop()
  }

  @Test func `a server does not wait for another server`() async throws {
    let fixture = try await Scene.server()
    var attempts = 0
    await #expect(throws: ServerRunsError.self) {
      _ = try await AdminConnection.openServer(directory: fixture.dataPath) {
        attempts += 1
        return try open(fixture.dataPath)
      }
    }
    #expect(attempts == 1)
    await fixture.stop()
  }

  @Test func `a command does not wait for ever for a place before a server that is stopped`()
    throws
  {
    let temporary = try TemporaryDirectory()
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: "\(temporary.path)/admin.sock".utf8)
    }
    func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    var descriptors = [socket(AF_UNIX, type, 0)]
    defer { for descriptor in descriptors { close(descriptor) } }
    try #require(call { bind(descriptors[0], $0, $1) } == 0 && listen(descriptors[0], 0) == 0)
    // Nobody accepts; others have taken all the places there are.
    while true {
      let other = socket(AF_UNIX, type | Int32(SOCK_NONBLOCK.rawValue), 0)
      descriptors.append(other)
      if call({ connect(other, $0, $1) }) != 0 { break }
    }
    #expect(errno == EAGAIN)
    #expect(AdminConnection.running(directory: temporary.path, waitSeconds: 1) == nil)
  }
}
