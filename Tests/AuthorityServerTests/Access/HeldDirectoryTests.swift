import AuthorityServer
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
}
