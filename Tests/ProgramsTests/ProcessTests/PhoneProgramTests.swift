import AuthorityServer
import CommandLineTool
import Foundation
import TestSupport
import Testing
import WatchTransfer

/// A phone beside a watch, as a person runs them: words in, facets and pages out.
@Suite(.timeLimit(.minutes(2))) struct PhoneProgramTests {
  private let folder = try! TemporaryDirectory()

  private func run(
    _ program: String, at server: ServeProcess, _ token: String, _ words: [String]
  ) async throws -> [JSONValue] {
    let ending = try await ChildProcess.run(
      program,
      [
        "--server", "127.0.0.1:\(server.port)", "--outbox", "\(folder.path)/\(program)",
        "--token", token, "--json",
      ] + words.flatMap { ["--do", $0] }, environment: ServeProcess.environment)
    #expect(ending.status == 0, "\(ending)")
    return try ending.output.split(separator: "\n").map { try JSONParser.parse(String($0)) }
  }

  private func lines(_ type: String, in lines: [JSONValue]) -> [JSONValue] {
    lines.filter { $0["type"]?.text == type }
  }

  @Test func `a phone says who plays, asks for pages, and shows how far its actions came`()
    async throws
  {
    let server = try await ServeProcess(data: "\(folder.path)/data")
    try await server.addAccount()
    let phone = hexadecimal(of: try await server.pair(.phone))
    let watch = hexadecimal(of: try await server.pair(.watch))
    let shown = try await run(
      "phone-emulator", at: server, phone,
      [
        "match Reds Blues", "squad home Ada#7 Ben bench Cem", "sub home Ben Cem",
        "mark Morning run", "define Leg day", "state", "preview Leg day", "trace last 2",
        "library in cable named low", "library named seated", "records", "outbox",
      ])
    let squads = lines("state", in: shown).last?["facets"]?["squads"]
    #expect(squads?["substitutions"]?.elements?.first?["text"]?.text == "Cem for Ben")
    #expect(
      lines("deletion", in: shown).first?["goes"]?.elements?.map(\.text) == ["The workout Leg day"])
    let days = lines("trace", in: shown).first?["days"]?.elements
    #expect(days?.map { $0["status"]?.text } == ["missed", "satisfied"])
    #expect(
      lines("exercise", in: shown).map { $0["name"]?.text } == [
        "Seated cable row", "Seated row machine",
      ])
    #expect(lines("record", in: shown).isEmpty)
    let kept = lines("kept", in: shown)
    #expect(kept.map { $0["stage"]?.text } == Array(repeating: "shown", count: 5))
    #expect(kept.map { $0["action"]?.text }.last == "defineWorkout")
    #expect(lines("stage", in: shown).count == 10, "each was received and shown")
    // The watch shows the match, and neither squads nor who played how long.
    let onWrist = try await run("watch-emulator", at: server, watch, ["state"])
    let facets = lines("state", in: onWrist).last?["facets"]
    #expect(facets?["teams"]?["home"]?.text == "Reds")
    #expect(facets?["squads"] == nil && facets?["playTime"] == nil)
    let status = try await server.status()
    #expect(status.actions.received >= 5 && status.actions.durable == 5)
    #expect(await server.end().status == 0)
  }
}
