import Foundation
import Testing
import WatchTransfer

/// Every action of the protocol is told of; actions, questions and frames are generated wherever
/// they are made up.
struct ActionCoverageTests {
  /// The members of the body's oneof, as the wire names them: `define_workout`.
  static let actions: [String] = {
    guard let file = try? Project.file("proto/wristwire/v1/actions.proto") else { return [] }
    let members = file.lines.drop { !$0.contains("oneof action {") }.dropFirst()
      .prefix { !$0.contains("}") }
    return members.compactMap { line in
      let words = line.split(separator: " ")
      return words.count >= 4 && words[2] == "=" ? String(words[1]) : nil
    }
  }()

  /// `defineWorkout`.
  private func swiftName(_ action: String) -> String {
    let words = action.split(separator: "_")
    return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.capitalized }
  }

  @Test func `the protocol's actions are found`() {
    #expect(Self.actions.count >= 18)
    #expect(Self.actions.first == "define_workout")
    #expect(Set(Self.actions).count == Self.actions.count)
  }

  @Test(
    arguments: [
      "Sources/Simulation/Parties/ActionMix.swift", "Sources/Simulation/Peers/MoveScript.swift",
      "Tests/AuthorityTests/Support/ActionGenerator.swift",
      "Tests/WireFormatTests/Support/ActionSampler.swift",
      "Tests/StorageTests/Coding/CodingHistory.swift",
    ])
  func `every action is generated`(by path: String) throws {
    let missing = try missing(Self.actions.map(swiftName), in: path)
    #expect(missing.isEmpty, "\(path) never does \(missing.joined(separator: ", "))")
  }

  @Test(
    arguments: [
      "Sources/Simulation/Parties/ActionMix.swift", "Sources/Simulation/Peers/PeerTalk.swift",
      "Tests/WireFormatTests/Support/MessageSampler.swift",
    ])
  func `every question is asked`(by path: String) throws {
    let questions = try cases(of: "Question", in: "Sources/WatchTransfer/Queries/Query.swift")
    #expect(questions.count >= 7)
    let missing = try missing(questions, in: path)
    #expect(missing.isEmpty, "\(path) never asks \(missing.joined(separator: ", "))")
  }

  @Test(
    arguments: [
      "Sources/Simulation/Peers/PeerTalk.swift",
      "Tests/WireFormatTests/Support/MessageSampler.swift",
    ])
  func `every message of a client is sent`(by path: String) throws {
    let messages = try cases(
      of: "ClientMessage", in: "Sources/WatchTransfer/Transfer/Message.swift")
    #expect(messages.count >= 10)
    let missing = try missing(messages, in: path)
    #expect(missing.isEmpty, "\(path) never sends \(missing.joined(separator: ", "))")
  }

  /// The cases of an enumeration that carry something.
  private func cases(of name: String, in path: String) throws -> [String] {
    let lines = try Project.file(path).lines.drop { !$0.hasPrefix("public enum \(name):") }
    return lines.prefix { $0 != "}" }.compactMap { line in
      guard line.hasPrefix("  case "), let end = line.firstIndex(of: "(") else { return nil }
      return String(line[..<end].dropFirst("  case ".count))
    }
  }

  /// Those that a file, or a part of it (`ActionMix+Strength.swift`), never makes.
  private func missing(_ names: [String], in path: String) throws -> [String] {
    let stem = path.dropLast(".swift".count)
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    let text = try Project.files(below: folder, "swift")
      .filter { $0.path == path || $0.path.hasPrefix("\(stem)+") }.map(\.text).joined()
    return names.filter { !text.contains(".\($0)(") }
  }

  @Test func `every action has a row among the features and in the specification`() throws {
    let features = try Project.file("README.md").lines.drop { $0 != "## Features" }.dropFirst()
      .prefix { !$0.hasPrefix("## ") }
    let rows = features.filter { $0.hasPrefix("| `") }.compactMap { $0.split(separator: "|").first }
    let specification = try Project.file("proto/README.md").text
    for action in Self.actions {
      #expect(rows.contains { $0.contains("`\(swiftName(action))`") }, "\(action) in README.md")
      #expect(specification.contains("`\(action)`"), "\(action) in proto/README.md")
    }
  }

  @Test func `every test that a feature names is there`() throws {
    let tests = try Project.files(below: "Tests", "swift").map(\.text)
    let rows = try Self.features()
    #expect(rows.count > 40)
    for row in rows {
      let cells = row.split(separator: "|").map { $0.split(separator: "`") }
      let suites = (cells.last ?? []).filter { $0.hasSuffix("Tests") }
      #expect(!suites.isEmpty, "\(row)")
      for suite in suites {
        let isThere = tests.contains { text in
          text.contains("struct \(suite) {") || text.contains("class \(suite) {")
        }
        #expect(isThere, "\(suite)")
      }
    }
  }

  @Test(arguments: [
    ("facet", FacetKind.allCases.map(\.word)), ("reading", ReadingKind.allCases.map(\.word)),
    ("widget", WidgetKind.allCases.map(\.word)), ("device", DeviceKind.allCases.map(\.word)),
    ("families", WidgetFamily.allCases.map(\.word)),
  ])
  func `every kind of what is shown has a row among the features`(
    noun: String, kinds: [String]
  ) throws {
    let named = try Self.named(as: noun)
    for kind in kinds { #expect(named.contains(kind), "\(noun) \(kind)") }
  }

  /// A refusal names a field to a client, who knows those of the protocol.
  @Test(arguments: ["Sources/Authority/Deciding", "Sources/WireFormat/Decoding"])
  func `fields that are refused are named as on the wire`(folder: String) throws {
    let files = try ["actions", "common"].map { try Project.file("proto/wristwire/v1/\($0).proto") }
    let fields = files.flatMap(\.lines).compactMap { line in
      line.firstMatch(of: /([a-z0-9_]+) = [0-9]+;|oneof ([a-z_]+)/)
        .map { String($0.1 ?? $0.2 ?? "") }
    }
    // What is wrong as a whole.
    let known = Set(fields).union(["body"])
    var named: Set<String> = []
    for file in try Project.files(below: folder, "swift")
    where file.path.contains("Action") || folder.hasSuffix("Deciding") {
      for line in file.lines {
        for match in line.matches(of: /field: "([^"]+)"|Check\.[a-z]+\(.*"([A-Za-z0-9_]+)"\)/) {
          named.insert(String(match.1 ?? match.2 ?? ""))
        }
      }
    }
    #expect(named.count > 20)
    #expect(named.subtracting(known).isEmpty, "\(named.subtracting(known).sorted())")
  }

  @Test func `every question has a row among the features`() throws {
    let members = try Project.file("proto/wristwire/v1/queries.proto").lines
      .drop { !$0.contains("oneof question {") }.dropFirst().prefix { !$0.contains("}") }
    let questions = members.compactMap { line in
      line.split(separator: " ").dropFirst().first.map { swiftName(String($0)) }
    }
    #expect(questions.count >= 6)
    let named = try Self.named(as: "query")
    for question in questions { #expect(named.contains(question), "\(question)") }
  }

  /// The rows of the table of features.
  private static func features() throws -> [Substring] {
    try Project.file("README.md").lines.drop { $0 != "## Features" }.dropFirst()
      .prefix { !$0.hasPrefix("## ") }
      .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| action, query") }
  }

  /// What the rows name as one of a kind: of `facets \`today\`, \`streak\`` both.
  private static func named(as noun: String) throws -> Set<String> {
    var names: Set<String> = []
    for row in try features() {
      // Every other part stands in backticks.
      let parts = row.split(separator: "`", omittingEmptySubsequences: false)
      var isListed = false
      for (index, part) in parts.enumerated() {
        if index % 2 == 1 {
          if isListed { names.insert(String(part)) }
        } else if ![", ", " and "].contains(String(part)) {
          let word = (part.split(separator: " ").last ?? "").filter(\.isLetter)
          isListed = part.hasSuffix(" ") && [noun, "\(noun)s"].contains(word)
        }
      }
    }
    return names
  }

  /// Where a typed call, and where a script's word, makes an action; photos are named by a call.
  @Test(arguments: [
    ("a typed call", ["clients"]),
    ("a script's word", ["Sources/CommandLineTool/Script", "Sources/DeviceEmulator"]),
  ])
  func `every action can be asked for`(by means: String, in folders: [String]) throws {
    let declared = try Project.file("Sources/WatchTransfer/Actions/Action.swift").text
    let texts = try folders.flatMap { try Project.files(below: $0, "swift").map(\.text) }
    let text = texts.joined().filter { !$0.isWhitespace }
    for name in Self.actions.map(swiftName) {
      // With its first label, so that a word of the same name is not taken for it.
      let pattern = try Regex("case \(name)\\(\\s*(\\w+:)?")
      let match = try #require(declared.firstMatch(of: pattern), "\(name)")
      let label = match.output[1].substring ?? ""
      let calls = ["submit(.\(name)(\(label)", "Action.\(name)(\(label)"]
      let words = ["return.\(name)(\(label)", "{.\(name)(\(label)", ":.\(name)(\(label)"]
      let forms = folders == ["clients"] ? calls : words + ["client.\(name)("]
      #expect(forms.contains { text.contains($0) }, "\(name) has not \(means)")
    }
  }
}
