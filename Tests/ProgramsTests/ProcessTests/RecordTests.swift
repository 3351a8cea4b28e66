import AuthorityServer
import Foundation
import Glibc
import TestSupport
import Testing
import WatchTransfer

/// The flight recorder of the built server, and the command that replays.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RecordTests {
  private let folder = try! TemporaryDirectory()

  private var data: String { "\(folder.path)/data" }
  private var path: String { "\(folder.path)/run.record" }

  @Test func `a run that kill -9 ended replays, and the next start keeps it`() async throws {
    let server = try await ServeProcess(data: data, ["--record", path, "--partitions", "2"])
    var writers: [Writer] = []
    for account in ["anna", "bert"] {
      try await server.addAccount(account)
      for _ in 0..<4 {
        let token = try await server.pair(.watch, account: account)
        writers.append(Writer(index: writers.count, account: account, token: token))
      }
    }
    let steps = Steps(until: 2_000) { server.child.signal(SIGKILL) }
    writers = try await writeAll(writers, to: server, steps: steps)
    #expect(await server.child.end().signal == SIGKILL)
    let first = try await wristwire("replay", path, "--json")
    #expect(first.status == 0, "\(first)")
    #expect(first.output.contains("\"same\":true"))
    #expect(first.output.contains("\"ended\":false"))

    let again = try await ServeProcess(data: data, ["--record", path])
    writers = try await writeAll(writers, to: again, steps: Steps(until: 0) {})
    #expect(await again.end().status == 0)
    for part in [path, "\(path).1"] {
      let ending = try await wristwire("replay", part)
      #expect(ending.status == 0, "\(ending)")
      #expect(ending.output.hasSuffix("the same came out\n"))
    }
    #expect(try await wristwire("replay", path, "--show").status == 0)
  }

  @Test func `a record is redacted into a new file that replays and names nobody`() async throws {
    let server = try await ServeProcess(data: data, ["--record", path, "--partitions", "2"])
    try await server.addAccount("Marguerite")
    var writers: [Writer] = []
    for index in 0..<2 {
      let token = try await server.pair(.watch, account: "Marguerite")
      writers.append(Writer(index: index, account: "Marguerite", token: token))
    }
    _ = try await writeAll(writers, to: server, steps: Steps(until: 0) {})
    #expect(await server.end().status == 0)
    let out = "\(folder.path)/out.record"
    let redacted = try await wristwire("replay", path, "--redact", out)
    #expect(redacted.status == 0, "\(redacted)")
    #expect(redacted.output.hasSuffix("the same comes out of it\n"))
    #expect(redacted.output.contains("2 tokens replaced"))
    let attributes = try FileManager.default.attributesOfItem(atPath: out)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let again = try await wristwire("replay", out)
    #expect(again.status == 0, "\(again)")
    #expect(again.output.hasSuffix("the same came out\n"))
    let bytes = try Data(contentsOf: URL(filePath: out))
    #expect(bytes.range(of: Data("Marguerite".utf8)) == nil)
    for writer in writers { #expect(bytes.range(of: Data(writer.token)) == nil) }

    let taken = try await wristwire("replay", path, "--redact", out, "--json")
    #expect(taken.status == 1)
    #expect(taken.errors.contains("is there already"))
    #expect(try Data(contentsOf: URL(filePath: out)) == bytes)
    #expect(try await wristwire("replay", path, "--redact", out, "--show").status == 2)
    #expect(try await wristwire("replay", path, "--redact").status == 2)
    let json = try await wristwire("replay", out, "--redact", "\(out).2", "--json")
    #expect(json.status == 0)
    #expect(json.output.contains("\"parting\":null"))
  }

  @Test func `what is no whole record is not redacted`() async throws {
    let out = "\(folder.path)/out.record"
    for content in ["nonsense", "WWTAPE\u{0}\u{1}", "WWTAPE\u{0}\u{1}and then what is damaged"] {
      try Data(content.utf8).write(to: URL(filePath: path))
      let ending = try await wristwire("replay", path, "--redact", out)
      #expect(ending.status == 1)
      #expect(ending.errors.hasPrefix("wristwire: "))
      #expect(!FileManager.default.fileExists(atPath: out))
    }
  }

  @Test func `replay says what is wrong with what it is given`() async throws {
    try Data("nonsense".utf8).write(to: URL(filePath: path))
    let other = try await wristwire("replay", path)
    #expect(other.status == 1)
    #expect(other.errors == "wristwire: \(path) is not a flight record\n")
    #expect(try await wristwire("replay").status == 2)
    #expect(
      try await wristwire("serve", "--data", data, "--record-bytes", "2000000").status == 2)
  }
}
