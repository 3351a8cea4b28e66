import Foundation
import Testing
import WatchTransfer

@testable import WireFormat

/// The examples in proto/README.md are what this build writes and reads.
struct SpecificationTests {
  /// Bytes by the heading they stand under.
  static let examples = hexExamples(in: file("proto/README.md"))

  @Test(arguments: Examples.client.indices)
  func `A client's example is written and read as the specification shows`(index: Int) throws {
    let example = Examples.client[index]
    let bytes = try #require(Self.examples[example.heading], "\(example.heading) is missing")
    #expect(MessageEncoder().frame(example.message) == bytes, "\(example.heading)")
    #expect(scan(bytes) == .frame(length: bytes.count - 4))
    #expect(fromClient(Array(bytes.dropFirst(4))) == .success(example.message))
  }

  @Test(arguments: Examples.server.indices)
  func `A server's example is written and read as the specification shows`(index: Int) throws {
    let example = Examples.server[index]
    let bytes = try #require(Self.examples[example.heading], "\(example.heading) is missing")
    #expect(MessageEncoder().frame(example.message) == bytes, "\(example.heading)")
    #expect(scan(bytes) == .frame(length: bytes.count - 4))
    #expect(fromServer(Array(bytes.dropFirst(4))) == .success(example.message))
  }

  @Test func `The bytes within messages are as the specification shows`() throws {
    let encoder = MessageEncoder()
    let decoder = MessageDecoder(limits: .fromServer)
    let body = try #require(Self.examples["ActionBody"])
    #expect(encoder.encode(Examples.body) == body)
    #expect(try decoder.decodeActionBody(body) == Examples.body)
    let facet = try #require(Self.examples["TeamsFacet"])
    #expect(encoder.encode(Examples.facet) == facet)
    #expect(
      try decoder.decodeFacet(EncodedFacet(kind: .teams, revision: 1, content: facet))
        == Examples.facet)
    let clock = try #require(Self.examples["MatchClockFacet"])
    #expect(encoder.encode(Examples.clockFacet) == clock)
    #expect(
      try decoder.decodeFacet(EncodedFacet(kind: .matchClock, revision: 1, content: clock))
        == Examples.clockFacet)
    let timeline = try #require(Self.examples["WidgetTimeline"])
    #expect(encoder.encode(Examples.timeline) == timeline)
    #expect(try decoder.decodeTimeline(timeline) == Examples.timeline)
  }

  @Test func `Every example of the specification is tested`() {
    let known = Examples.client.map(\.heading) + Examples.server.map(\.heading)
    #expect(
      Set(Self.examples.keys)
        == Set(known + ["ActionBody", "TeamsFacet", "MatchClockFacet", "WidgetTimeline"]))
  }

  @Test func `Every message of the protocol has an example`() throws {
    let words = Set(Self.examples.keys.map { $0.prefix { $0 != "," } })
    let messages = Self.oneof("message", in: "transfer").map(\.type)
    #expect(messages.first == "Hello" && messages.count >= 21)
    for message in messages { #expect(words.contains(message[...]), "\(message)") }
  }

  @Test func `Every question and every answer to one is told of`() {
    let named = Self.namedInProse()
    for oneof in ["question", "answer"] {
      let members = Self.oneof(oneof, in: "queries").map(\.name)
      #expect(!members.isEmpty, "\(oneof)")
      for member in members { #expect(named.contains(member), "\(member)") }
    }
  }

  @Test(arguments: [
    ("transfer", "RefusalReason"), ("transfer", "HoldReason"), ("transfer", "GoodbyeReason"),
    ("transfer", "ChunkRefusal"), ("transfer", "CueKind"), ("facets", "FacetKind"),
    ("facets", "ReadingKind"), ("facets", "ContinuityState"), ("queries", "QueryRefusal"),
    ("widgets", "WidgetKind"), ("widgets", "WidgetFamily"),
  ])
  func `Every case that a client must tell apart is told of`(file: String, choice: String) throws {
    let named = Self.namedInProse()
    let cases = Self.cases(of: choice, in: file)
    #expect(cases.count > 1)
    // `REFUSAL_GONE` and `GONE`, `WIDGET_KIND_MATCH` and `MATCH`.
    let first = try #require(cases.first)
    let common = cases.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    let prefix = common.prefix(through: try #require(common.lastIndex(of: "_")))
    for name in cases {
      let isNamed = named.contains(name) || named.contains(String(name.dropFirst(prefix.count)))
      #expect(isNamed, "\(name)")
    }
  }

  /// Every word that the prose sets in backticks: what it names as it stands on the wire.
  private static func namedInProse() -> Set<String> {
    let prose = file("proto/README.md").components(separatedBy: "\n# Examples\n")[0]
    var names: Set<String> = []
    for line in prose.split(separator: "\n") {
      for (index, span) in line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      where index % 2 == 1 {
        names.formUnion(
          span.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
      }
    }
    return names
  }

  /// The members of a oneof, by type and name.
  private static func oneof(_ name: String, in file: String) -> [(type: String, name: String)] {
    block("oneof \(name) {", in: file).compactMap { words in
      words.count >= 4 && words[2] == "=" ? (words[0], words[1]) : nil
    }
  }

  private static func cases(of choice: String, in file: String) -> [String] {
    block("enum \(choice) {", in: file).compactMap { words in
      words.count >= 3 && words[1] == "=" ? words[0] : nil
    }
  }

  /// The words of each line between `start` and the next brace.
  private static func block(_ start: String, in name: String) -> [[String]] {
    file("proto/wristwire/v1/\(name).proto").split(separator: "\n")
      .drop { !$0.contains(start) }.dropFirst().prefix { !$0.contains("}") }
      .map { $0.split(separator: " ").map(String.init) }
  }

  /// Each block fenced as `hex`, by the heading above it.
  private static func hexExamples(in text: String) -> [String: [UInt8]] {
    var examples: [String: [UInt8]] = [:]
    var heading = ""
    var digits: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```hex" {
        digits = ""
      } else if line == "```", let block = digits {
        if examples[heading] != nil { Issue.record("\(heading) has two examples") }
        examples[heading] = hexadecimalBytes(of: block)
        if examples[heading] == nil { Issue.record("\(heading) is not hexadecimal") }
        digits = nil
      } else if digits != nil {
        digits? += line.filter { $0 != " " }
      } else if line.hasPrefix("#") {
        heading = String(line.drop { $0 == "#" || $0 == " " })
      }
    }
    return examples
  }

  /// A file of the project, found from this one.
  private static func file(_ path: String) -> String {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    guard let file = fopen("/\(root)/\(path)", "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&block, 1, block.count, file), count > 0 {
      bytes += block[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
