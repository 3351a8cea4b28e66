import CommandLineTool
import Foundation
import TestSupport
import Testing
import WatchTransfer

/// A session from the wrist as a person runs it: words of the script in, facets out.
@Suite(.timeLimit(.minutes(2))) struct SessionProgramTests {
  private let folder = try! TemporaryDirectory()

  private func watch(
    _ server: ServeProcess, _ token: String, _ words: [String]
  ) async throws -> [JSONValue] {
    let script = words.flatMap { ["--do", $0] }
    let ending = try await ChildProcess.run(
      "watch-emulator",
      [
        "--server", "127.0.0.1:\(server.port)", "--outbox", "\(folder.path)/outbox", "--token",
        token, "--json",
      ] + script, environment: ServeProcess.environment)
    #expect(ending.status == 0, "\(ending)")
    return try ending.output.split(separator: "\n").map { try JSONParser.parse(String($0)) }
  }

  private func facets(_ lines: [JSONValue]) throws -> JSONValue {
    try #require(lines.last { $0["type"]?.text == "state" }?["facets"])
  }

  @Test func `a routine is made, run set by set, finished and dismissed`() async throws {
    let server = try await ServeProcess(data: "\(folder.path)/data")
    try await server.addAccount()
    let token = hexadecimal(of: try await server.pair(.watch))
    var lines = try await watch(
      server, token,
      [
        "exercise Sandbag carry other",
        "routine \"Leg day\" \"Back squat\" 2x5@82.25kg \"Sandbag carry\" 1x1@40kg",
        "start routine Leg day", "set 3 60kg warm-up", "pulse 142 210 1500", "set 5 82.25kg",
        "weight 85kg", "reps 4",
        "state",
      ])
    let session = try facets(lines)["session"]
    #expect(session?["title"]?.text == "Leg day")
    #expect(session?["progress"]?.text == "Back squat · set 2 of 2 · 4 × 85 kg")
    #expect(session?["sets"]?.elements?.count == 2)
    // Its own pulse comes back to it, before the receipt of what followed.
    let live = try #require(lines.last { $0["type"]?.text == "state" }?["readings"]?["live"])
    #expect(live["text"]?.text == "142 bpm, 210 kcal, 1.5 km")
    #expect(live["heartRate"]?.wholeNumber == 142)
    let set = try #require(session?["sets"]?.elements?.last?["id"]?.text)
    lines = try await watch(
      server, token,
      [
        "set 4 85kg", "undo-set \(set)", "edit-set \(set) 5 80kg", "select next", "set 1 40kg",
        "rest 60", "pause", "resume", "sample 0 140 12", "finish", "state",
      ])
    let shown = try facets(lines)
    #expect(shown["session"]?["session"]?.json == "null")
    let summary = shown["lastSession"]
    #expect(summary?["setCount"]?.wholeNumber == 2)
    #expect(
      summary?["exercises"]?.elements?.compactMap { $0["text"]?.text } == [
        "1/2 · best 4 × 85 kg", "1/1 · best 1 × 40 kg",
      ])
    #expect(shown["today"]?["items"]?.elements?.first?["title"]?.text == "Leg day")
    #expect(shown["streak"]?["days"]?.wholeNumber == 1)
    #expect(shown["routines"]?["routines"]?.elements?.count == 1)
    lines = try await watch(server, token, ["dismiss", "drop-routine Leg day", "state"])
    #expect(try facets(lines)["lastSession"]?["session"]?.json == "null")
    #expect(try facets(lines)["routines"]?["routines"]?.elements?.isEmpty == true)
    #expect(await server.end().status == 0)
    let check = try await ChildProcess.run(
      "wristwire", ["check", "--data", "\(folder.path)/data"],
      environment: ServeProcess.environment)
    #expect(check.output == "ok\n", "\(check)")
  }

  @Test func `what was made is edited by its name, in this run and in a later one`() async throws {
    let server = try await ServeProcess(data: "\(folder.path)/data")
    try await server.addAccount()
    let token = hexadecimal(of: try await server.pair(.watch))
    _ = try await watch(server, token, ["exercise Sandbag other", "define Legs"])
    let lines = try await watch(
      server, token,
      [
        "edit-exercise Sandbag name Bag carry", "edit-exercise \"Bag carry\" equipment kettlebell",
        "routine Push \"Bag carry\" 1x5", "edit-routine Push title Leg day",
        "edit-routine \"Leg day\" plan \"Bag carry\" 2x5 Plank 1x1",
        "edit-workout Legs title Long legs", "edit-workout \"Long legs\" exercises Squat",
        "preview Long legs", "delete-workout Long legs", "match Reds Blues",
        "name-team home Red Lions", "point home", "point home insist", "library named bag carry",
        "state",
      ])
    let refused = lines.filter {
      $0["type"]?.text == "receipt" && $0["outcome"]?.text != "applied"
    }
    #expect(refused.isEmpty, "\(refused.map(\.json))")
    let routine = try facets(lines)["routines"]?["routines"]?.elements?.first
    #expect(routine?["title"]?.text == "Leg day")
    #expect(
      routine?["entries"]?.elements?.map { $0["name"]?.text } == ["Bag carry", "Plank"])
    let exercise = lines.first { $0["type"]?.text == "exercise" }
    #expect(exercise?["name"]?.text == "Bag carry")
    #expect(exercise?["equipment"]?.text == "kettlebell")
    let preview = lines.first { $0["type"]?.text == "deletion" }
    #expect(preview?["goes"]?.elements?.map(\.text) == ["The workout Long legs"])
    #expect(try facets(lines)["teams"]?["home"]?.text == "Red Lions")
    #expect(try facets(lines)["score"]?["home"]?.wholeNumber == 2)
    #expect(await server.end().status == 0)
  }
}
