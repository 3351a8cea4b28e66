import CommandLineTool
import Foundation
import TestSupport
import Testing

/// A data directory of the first release, killed in the middle of its work: two accounts after two
/// starts, with rows in the write-ahead log that no checkpoint includes. This build opens it and
/// shows every facet as that release showed it.
@Suite(.timeLimit(.minutes(2))) struct FirstReleaseTests {
  private static let fixture = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/first-release")

  private let folder = try! TemporaryDirectory()

  private var data: String { "\(folder.path)/data" }

  private func copyFixture() throws {
    let files = FileManager.default
    try files.createDirectory(
      atPath: data, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for name in ["journal.db", "journal.db-wal", "devices.db"] {
      try files.copyItem(
        at: Self.fixture.appending(path: name), to: URL(filePath: "\(data)/\(name)"))
    }
  }

  private func check() async throws {
    let ending = try await ChildProcess.run(
      "wristwire", ["check", "--data", data], environment: ServeProcess.environment)
    #expect(ending.output == "ok\n", "\(ending)")
  }

  /// Facets as a fresh watch is shown them.
  private func facets(_ account: JSONValue, _ server: ServeProcess, _ name: String) async throws
    -> (revision: Int64?, facets: JSONValue)
  {
    let token = try #require(account["token"]?.text)
    let ending = try await ChildProcess.run(
      "watch-emulator",
      [
        "--server", "127.0.0.1:\(server.port)", "--outbox", "\(folder.path)/\(name)", "--token",
        token, "--device-clock", "2026-06-16T06:01:00Z", "--json", "--do", "state",
      ], environment: ServeProcess.environment)
    #expect(ending.status == 0, "\(ending)")
    let state = try ending.output.split(separator: "\n").map { try JSONParser.parse(String($0)) }
      .first { $0["type"]?.text == "state" }
    return (state?["revision"]?.wholeNumber, try #require(state?["facets"]))
  }

  @Test func `the first release's data opens and shows the same facets`() async throws {
    try copyFixture()
    let server = try await ServeProcess(
      data: data, ["--test-clock", "2026-06-16T06:01:00Z"])
    for name in ["anna", "bert"] {
      let text = try String(
        contentsOf: Self.fixture.appending(path: "\(name).json"), encoding: .utf8)
      let expected = try JSONParser.parse(text)
      let shown = try await facets(expected, server, name)
      // One turn: the facets are projected by another build.
      #expect(shown.revision == (expected["revision"]?.wholeNumber ?? 0) + 1)
      let differences = Self.differences(
        try #require(expected["facets"]), shown.facets, at: name)
      #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }
    #expect(await server.end().status == 0)
    try await check()
  }

  /// What `old` says and `new` does not say; `new` may say more.
  private static func differences(
    _ old: JSONValue, _ new: JSONValue?, at path: String
  ) -> [String] {
    // The first flip holds from the newest turn, which is another one; to what it flips, and every
    // later one, has stayed.
    if path.hasSuffix("theme.flips[0].at") { return [] }
    if let elements = old.elements, elements.count == new?.elements?.count {
      return elements.indices.flatMap { differences(elements[$0], new?[$0], at: "\(path)[\($0)]") }
    }
    guard let members = old.members else {
      return old.json == new?.json ? [] : ["\(path): \(old.json), now \(new?.json ?? "nothing")"]
    }
    return members.flatMap { differences($0.1, new?[$0.0], at: "\(path).\($0.0)") }
  }
}
