import Glibc
import Testing
import WatchTransfer

@testable import WireFormat

/// The examples in proto/README.md are what this build writes and reads.
struct SpecificationTests {
  /// Bytes by the heading they stand under.
  static let examples = hexExamples(in: specification())

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

  @Test func `Every message of the protocol has an example`() {
    let words = Set(Self.examples.keys.map { $0.prefix { $0 != "," } })
    let messages = [
      "Hello", "Welcome", "Act", "Receipt", "Conflict", "Settled", "Hold", "Update", "Resume",
      "Fetch", "Snapshot", "NotModified", "Reload", "Ping", "Pong", "Goodbye",
      "Query", "Page", "Chunk", "ChunkState", "Pulse",
    ]
    for message in messages { #expect(words.contains(message[...])) }
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

  /// proto/README.md, found from this file.
  private static func specification() -> String {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    guard let file = fopen("/\(root)/proto/README.md", "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&block, 1, block.count, file), count > 0 {
      bytes += block[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
