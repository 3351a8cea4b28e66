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
    let ending = try await end(program, at: server, token, words)
    #expect(ending.status == 0, "\(ending)")
    return try ending.output.split(separator: "\n").map { try JSONParser.parse(String($0)) }
  }

  private func end(
    _ program: String, at server: ServeProcess, _ token: String, _ words: [String],
    timeoutSeconds: Int = 30
  ) async throws -> ChildProcess.Ending {
    try await ChildProcess.run(
      program,
      [
        "--server", "127.0.0.1:\(server.port)", "--outbox", "\(folder.path)/\(program)",
        "--token", token, "--json", "--timeout", "\(timeoutSeconds)",
      ] + words.flatMap { ["--do", $0] }, environment: ServeProcess.environment)
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

  @Test func `what one device made another edits by its name`() async throws {
    let server = try await ServeProcess(data: "\(folder.path)/data")
    try await server.addAccount()
    let phone = hexadecimal(of: try await server.pair(.phone))
    let watch = hexadecimal(of: try await server.pair(.watch))
    _ = try await run(
      "phone-emulator", at: server, phone,
      ["define Leg day", "define Arms", "define Arms", "exercise Sandbag other"])
    let shown = try await run(
      "watch-emulator", at: server, watch,
      [
        "edit-workout \"Leg day\" title Long legs", "edit-workout \"Long legs\" exercises Squat",
        "workouts legs", "routine Push Sandbag 1x5", "edit-exercise Sandbag name Bag carry",
        "records Bag carry", "preview Long legs", "state",
      ])
    let workouts = lines("workout", in: shown)
    #expect(workouts.map { $0["text"]?.text } == ["Long legs, 1 exercise"])
    #expect(workouts.first?["exercises"]?.elements?.map(\.text) == ["Squat"])
    let routines = lines("state", in: shown).last?["facets"]?["routines"]?["routines"]?.elements
    #expect(routines?.first?["entries"]?.elements?.map { $0["name"]?.text } == ["Bag carry"])
    #expect(
      lines("deletion", in: shown).first?["goes"]?.elements?.map(\.text)
        == ["The workout Long legs"])
    // Which of two is for the person to say; what was queued before is carried out, and said.
    let unclear = try await end(
      "watch-emulator", at: server, watch, ["theme night", "delete-workout Arms"])
    #expect(unclear.status == 1)
    #expect(unclear.errors.contains("2 workouts are called \"Arms\"; give an id: "), "\(unclear)")
    let unknown = try await end(
      "watch-emulator", at: server, watch, ["theme day", "routine Pull Sandbag 1x5"])
    #expect(unknown.status == 1)
    #expect(unknown.errors.contains("no exercise \"Sandbag\" is known here"), "\(unknown)")
    #expect(await server.end().status == 0)
  }

  @Test func `what stays queued when a script breaks off is said; so is a player nobody knows`()
    async throws
  {
    let server = try await ServeProcess(data: "\(folder.path)/data")
    try await server.addAccount()
    let phone = hexadecimal(of: try await server.pair(.phone))
    let strange = try await end(
      "phone-emulator", at: server, phone,
      ["match Reds Blues", "squad home Ada Ben bench Cem", "sub home Ben Cem", "sub home Ada Dan"])
    #expect(strange.status == 0)
    #expect(
      strange.errors
        == "phone-emulator: \"Dan\" is in no squad of this match; substituted all the same\n"
    )
    #expect(await server.end().status == 0)
    // Nobody answers any more.
    let broken = try await end(
      "phone-emulator", at: server, phone,
      ["mark Run", "mark Swim", "edit-workout Legs title Long legs"], timeoutSeconds: 1)
    #expect(broken.status == 1)
    #expect(broken.errors.contains("2 actions remain queued"), "\(broken)")
    #expect(broken.errors.contains("no workout \"Legs\" is known here"), "\(broken)")
  }
}
