import AuthorityServer
import FaultProxy
import TestSupport
import Testing
import Transport
import WatchTransfer

/// Malformed input: the catalogue's rows about bytes, over TCP and a Unix socket.
@Suite(.serialized, .timeLimit(.minutes(2))) struct BytesTests {
  @Test(arguments: BytesSection.allCases, BytesPath.allCases)
  func `each row gets the reaction that the table names`(
    section: BytesSection, path: BytesPath
  ) async throws {
    let fixture = try BytesStage.server()
    let server = try #require(fixture.server)
    let (admin, port, unixPath) = (server.admin, fixture.port, fixture.unixPath)
    try await run(section, path: path, admin: admin, port: port, unixPath: unixPath)
    await fixture.stop()
    #expect(!fixture.failure.isRaised)
  }

  @Test(arguments: BytesSection.allCases)
  func `each row gets the same reaction behind a proxy that splits its bytes`(
    section: BytesSection
  ) async throws {
    let fixture = try BytesStage.server()
    let server = try #require(fixture.server)
    var configuration = ProxyConfiguration(
      listen: try SocketAddress(parsing: "127.0.0.1:0"),
      server: try SocketAddress(parsing: "unix:\(fixture.unixPath)"))
    // Small enough to split every field, large enough for frames at their limit.
    configuration.up.split = 1...97
    configuration.down.split = 1...1_400
    let proxy = try FaultProxy(configuration)
    let port = try await proxy.listen().port
    try await run(
      section, path: .tcp, admin: server.admin, port: port ?? 0, unixPath: fixture.unixPath)
    await proxy.stop()
    await fixture.stop()
    #expect(!fixture.failure.isRaised)
  }

  private func run(
    _ section: BytesSection, path: BytesPath, admin: AdminService, port: UInt16, unixPath: String
  ) async throws {
    let failures = try await onThread {
      let stage = BytesStage(path: path, admin: admin, port: port, unixPath: unixPath)
      for row in section.rows { try stage.run(row) }
      return stage.failures
    }
    for failure in failures { Issue.record("\(failure)") }
  }

  @Test func `every row of the catalogue that is about bytes is there`() {
    let rows = BytesSection.allCases.flatMap { $0.rows }
    let ids = Set(rows.map { $0.name.split(separator: " ")[0] })
    let elsewhere: Set<Substring> = ["A5", "A6", "A7", "A14"]
    let parts = [
      ("A", Array(1...15)), ("B", Array(1...20)), ("C", [1, 2, 3, 4, 5, 7, 8, 9, 11]),
      ("D", [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15]),
    ]
    for part in parts {
      for number in part.1 where !elsewhere.contains("\(part.0)\(number)") {
        #expect(ids.contains("\(part.0)\(number)"))
      }
    }
    #expect(Set(rows.map(\.name)).count == rows.count, "two rows have one name")
  }
}
