import CommandLineTool
import TestSupport
import Testing
import WatchTransfer

/// Buttons as a person tries them from the shell.
@Suite(.timeLimit(.minutes(1))) struct ControllerProgramTests {
  private let folder = try! TemporaryDirectory()

  private func run(
    _ program: String, at server: ServeProcess, _ token: [UInt8], _ words: [String]
  ) async throws -> [JSONValue] {
    let ending = try await ChildProcess.run(
      program,
      [
        "--server", "127.0.0.1:\(server.port)", "--outbox",
        "\(folder.path)/\(hexadecimal(of: token).prefix(8))", "--token", hexadecimal(of: token),
        "--json",
      ] + words.flatMap { ["--do", $0] }, environment: ServeProcess.environment)
    #expect(ending.status == 0, "\(ending)")
    return try ending.output.split(separator: "\n").map { try JSONParser.parse(String($0)) }
  }

  private func receipts(_ lines: [JSONValue]) -> [String] {
    lines.filter { $0["type"]?.text == "receipt" }.map {
      $0["reason"]?.text ?? $0["outcome"]?.text ?? ""
    }
  }

  @Test func `a controller presses, and does nothing else`() async throws {
    let server = try await ServeProcess(data: "\(folder.path)/data")
    try await server.addAccount()
    let phone = try await server.pair(.phone)
    let controller = try await server.pair(.controller)
    _ = try await run(
      "phone-emulator", at: server, phone,
      [
        "match Reds Blues",
        "keymap 1:press=point-home 1:double=point-away 1:hold=undo-point "
          + "2:press=mark:\"Morning run\"",
      ])
    let pressed = try await run(
      "watch-emulator", at: server, controller,
      [
        "press 1", "double 1", "press 2", "hold 2", "press 9", "mark Morning run", "keymap none",
      ])
    #expect(
      receipts(pressed) == [
        "applied", "applied", "applied", "unmapped", "unmapped", "forbidden", "forbidden",
      ])
    var shown = try await run("phone-emulator", at: server, phone, ["state"])
    var facets = shown.last { $0["type"]?.text == "state" }?["facets"]
    #expect(facets?["score"]?["home"]?.wholeNumber == 1)
    #expect(facets?["score"]?["away"]?.wholeNumber == 1)
    #expect(facets?["today"]?["items"]?.elements?.first?["done"]?.json == "true")
    // A hold takes back its newest point; it is shown no facet itself.
    let held = try await run("watch-emulator", at: server, controller, ["hold 1", "state"])
    #expect(receipts(held) == ["applied"])
    #expect(held.last { $0["type"]?.text == "state" }?["facets"]?.json == "{}")
    shown = try await run("phone-emulator", at: server, phone, ["state"])
    facets = shown.last { $0["type"]?.text == "state" }?["facets"]
    #expect(facets?["score"]?["away"]?.wholeNumber == 0)
    #expect(await server.end().status == 0)
  }
}
