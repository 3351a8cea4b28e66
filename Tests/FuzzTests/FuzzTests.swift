import AuthorityLink
import Foundation
import Fuzzing
import Testing

/// Every door with what is known to be hard for it. Coverage-guided runs: Tests/Fuzz/run.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FuzzTests {
  @Test(arguments: Harness.all) func `what once broke a door holds`(harness: Harness) throws {
    let check = try harness.make()
    for file in try InputFile.all(of: harness, in: "Crashes") { run(check, file) }
  }

  @Test(arguments: Harness.all) func `the corpus of a door holds`(harness: Harness) throws {
    let check = try harness.make()
    let files = try InputFile.all(of: harness, in: "Corpus")
    #expect(files.count > 3, "\(harness) has no corpus to begin from")
    for file in files {
      #expect(file.bytes.count <= harness.bytesMax, "\(file.path) is longer than inputs are")
      run(check, file)
    }
  }

  /// The seed is part of the name of what fails.
  @Test(arguments: Harness.all) func `a door holds against seeded changes`(harness: Harness) throws
  {
    let check = try harness.make()
    let corpus = try InputFile.all(of: harness, in: "Corpus")
    try #require(!corpus.isEmpty)
    for seed in 0..<UInt64(harness.mutations) {
      var mutator = Mutator(seed: seed)
      var bytes = corpus[mutator.below(corpus.count)].bytes
      mutator.mutate(
        &bytes, with: corpus[mutator.below(corpus.count)].bytes, bytesMax: harness.bytesMax)
      run(check, InputFile(path: "\(harness), seed \(seed)", bytes: bytes))
    }
  }

  private func run(_ check: Harness.Check, _ file: InputFile) {
    do {
      try file.bytes.withUnsafeBytes { try check($0) }
    } catch {
      Issue.record("\(file.path): \(error)\n\(Data(file.bytes).base64EncodedString())")
    }
  }
}

/// An input that is kept.
struct InputFile {
  let path: String
  let bytes: [UInt8]

  /// All files of a harness, in the order of their names.
  static func all(of harness: Harness, in folder: String) throws -> [InputFile] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "\(folder)/\(harness)")
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
      return []
    }
    return try names.sorted().filter { !$0.hasPrefix(".") }.map { name in
      InputFile(
        path: "\(harness)/\(name)",
        bytes: [UInt8](try Data(contentsOf: folder.appending(path: name))))
    }
  }
}
