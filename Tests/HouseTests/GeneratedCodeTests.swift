import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct GeneratedCodeTests {
  @Test func `the committed C is what the protocol's files give`() throws {
    let compiler = try Project.run("protoc-c", "--version")
    guard compiler.status == 0 else {
      Issue.record("protoc-c is missing: apt-get install protobuf-c-compiler libprotobuf-c-dev")
      return
    }
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "wristwire-generated-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let generation = try Project.run("sh", "proto/generate", folder.path)
    #expect(generation.status == 0, "\(generation.output)")
    let comparison = try Project.run(
      "diff", "-r", "--brief", folder.path, "Sources/CWireProto")
    // Written by hand: what makes a module of the generated files.
    let byHand = ["module.modulemap", "CWireProto.h"].map {
      "Only in Sources/CWireProto/include: \($0)"
    }
    let differences = comparison.output.split(separator: "\n").map(String.init)
      .filter { !byHand.contains($0) }
    #expect(differences.isEmpty, "run proto/generate and commit: \(differences)")
  }
}
