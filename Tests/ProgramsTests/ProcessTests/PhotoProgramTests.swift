import CommandLineTool
import Foundation
import TestSupport
import Testing
import WatchTransfer

/// A photo from a file to a file, and everything of an account in a folder.
@Suite(.timeLimit(.minutes(2))) struct PhotoProgramTests {
  private let folder = try! TemporaryDirectory()

  private func run(_ program: String, _ arguments: [String]) async throws -> ChildProcess.Ending {
    try await ChildProcess.run(program, arguments, environment: ServeProcess.environment)
  }

  private func watch(
    _ server: ServeProcess, _ token: String, _ words: [String]
  ) async throws -> [JSONValue] {
    let ending = try await run(
      "watch-emulator",
      [
        "--server", "127.0.0.1:\(server.port)", "--outbox", "\(folder.path)/outbox", "--token",
        token, "--json",
      ] + words.flatMap { ["--do", $0] })
    #expect(ending.status == 0, "\(ending)")
    return try ending.output.split(separator: "\n").map { try JSONParser.parse(String($0)) }
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func `a photo goes with its log from a file to a file, and into an export`() async throws {
    let server = try await ServeProcess(data: "\(folder.path)/data")
    try await server.addAccount()
    let token = hexadecimal(of: try await server.pair(.watch))
    let photo = Data((0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 13 ^ $0 >> 7) })
    let (source, target) = ("\(folder.path)/in.jpg", "\(folder.path)/out.jpg")
    try photo.write(to: URL(filePath: source))
    _ = try await watch(server, token, ["mark Morning run", "weigh 80.50 kg"])
    var lines = try await watch(
      server, token, ["attach-photo newest \(source)", "photo newest > \(target)", "history"])
    #expect(try Data(contentsOf: URL(filePath: target)) == photo)
    #expect(try mode(target) == 0o600)
    let entry = try #require(lines.last { $0["type"]?.text == "history" })
    let (log, hash) = (
      try #require(entry["log"]?.text), try #require(entry["photo"]?["hash"]?.text)
    )
    #expect(entry["photo"]?["bytes"]?.wholeNumber == 150_000)
    _ = try await watch(
      server, token, ["edit-log \(log) notes Wet, and \"windy\"", "edit-log newest tags hill"])
    lines = try await watch(server, token, ["preview-log \(log)"])
    let goes = lines.last { $0["type"]?.text == "deletion" }?["goes"]?.elements
    #expect(goes?.compactMap(\.text).contains("Its photo") == true)

    let taken = "\(folder.path)/taken"
    let export = ["account", "export", "anna", "--data", "\(folder.path)/data", "--to"]
    let ending = try await run("wristwire", export + [taken])
    #expect(ending.status == 0 && ending.output.contains("1 logs, 1 photos"), "\(ending)")
    try expectExport(taken, hash: hash, photo: photo)
    #expect(try await run("wristwire", export + [taken]).status == 1, "nothing is overwritten")
    #expect(await server.end().status == 0)
    // Without a server it is the same.
    let offline = "\(folder.path)/offline"
    #expect(try await run("wristwire", export + [offline]).status == 0)
    try expectExport(offline, hash: hash, photo: photo)
    let check = try await run("wristwire", ["check", "--data", "\(folder.path)/data"])
    #expect(check.output == "ok\n", "\(check)")
  }

  @Test func `a photo is a file: nobody waits at a pipe`() throws {
    let pipe = "\(folder.path)/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, folder.path, "/dev/zero"] {
      #expect(throws: ToolFailure.self) { try PhotoFile.read(path, bytesMax: 1_000) }
    }
  }

  private func expectExport(_ path: String, hash: String, photo: Data) throws {
    #expect(try Data(contentsOf: URL(filePath: "\(path)/photos/\(hash)")) == photo)
    let json = try JSONParser.parse(
      String(decoding: try Data(contentsOf: URL(filePath: "\(path)/account.json")), as: UTF8.self))
    let log = try #require(json["logs"]?[0])
    #expect(log["title"]?.text == "Morning run" && log["photo"]?.text == hash)
    #expect(log["notes"]?.text == "Wet, and windy" || log["notes"]?.text == "Wet, and \"windy\"")
    #expect(json["weights"]?[0]?["weight"]?.text == "80.50")
    #expect(json["photos"]?[0]?["bytes"]?.wholeNumber == 150_000)
    for book in [
      "preferences", "goals", "workouts", "schedules", "weeklySchedules", "exercises", "routines",
      "sessions", "matches", "keymap", "streak", "zones",
    ] { #expect(json[book] != nil, "\(book)") }
    let logs = try String(contentsOf: URL(filePath: "\(path)/logs.csv"), encoding: .utf8)
    #expect(logs.hasPrefix("id,day,title,activityType,start,end,") && logs.hasSuffix("\r\n"))
    #expect(logs.contains("\"Wet, and "))
    let weights = try String(contentsOf: URL(filePath: "\(path)/weights.csv"), encoding: .utf8)
    #expect(weights.contains(",80.50,kg\r\n"))
    #expect(try mode(path) == 0o700)
    for name in ["account.json", "logs.csv", "sets.csv", "weights.csv", "photos/\(hash)"] {
      #expect(try mode("\(path)/\(name)") == 0o600, "\(name)")
    }
  }
}
