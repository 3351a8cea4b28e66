import Testing

@Suite struct TidinessTests {
  private static let folders = ["Sources", "clients", "Tests", "proto"]

  @Test func `no source file is longer than 400 lines`() throws {
    for file in try sources() {
      let count = file.lines.count
      #expect(count <= 401, "\(file.path) has \(count) lines: split it by responsibility")
    }
  }

  @Test func `no comment is longer than 100 columns`() throws {
    for file in try everything() where file.path.hasSuffix(".swift") {
      for (index, line) in file.lines.enumerated() {
        let isComment = line.drop { $0 == " " }.hasPrefix("//")
        // An address cannot be broken.
        guard isComment, line.count > 100, !line.contains("://") else { continue }
        Issue.record("\(file.path):\(index + 1) has \(line.count) columns")
      }
    }
  }

  @Test func `nothing is left to do`() throws {
    // Spelled in two parts, so that this file passes.
    let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X:"]
    for file in try everything() {
      for (index, line) in file.lines.enumerated() {
        for mark in marks where line.contains(mark) {
          Issue.record("\(file.path):\(index + 1) has a \(mark)")
        }
      }
    }
  }

  @Test func `nothing outside the tests traps on what may be missing`() throws {
    for file in try sources() {
      for (index, line) in file.lines.enumerated() {
        let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
        for trap in ["try" + "!", "as" + "!"] where code.contains(trap) {
          Issue.record("\(file.path):\(index + 1) has \(trap)")
        }
      }
    }
  }

  @Test func `no file speaks of the machine it was written on`() throws {
    let places = ["/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/"]
    for file in try everything() + documents() {
      for (index, line) in file.lines.enumerated() {
        for place in places where line.contains(place) {
          Issue.record("\(file.path):\(index + 1) names \(place)")
        }
      }
    }
  }

  @Test func `every target that the design names for the main job is there`() throws {
    let folders =
      [
        "CProtobufC", "CSQLite", "CExpat", "CLinux", "CWireProto", "WatchTransfer", "Authority",
        "WireFormat", "SQLite", "Storage", "Transport", "AuthorityServer", "HealthImport",
        "wristwire", "watch-emulator", "phone-emulator", "widget-emulator", "load-tester",
      ].map { "Sources/\($0)" } + [
        "clients/link", "clients/watch", "clients/phone", "clients/widget",
      ]
    for folder in folders {
      let files = try Project.files(below: folder, "swift", "c", "h", "modulemap")
      #expect(!files.isEmpty, "\(folder) is missing")
      #expect(!files.contains { $0.path.hasSuffix("Placeholder.swift") }, "\(folder) is empty")
    }
  }

  @Test func `every test target tests something`() throws {
    for file in try Project.files(below: "Tests", "swift") {
      #expect(!file.path.hasSuffix("/Placeholder.swift"), "\(file.path) tests nothing")
    }
  }

  private func sources() throws -> [Project.File] {
    try ["Sources", "clients"].flatMap { try Project.files(below: $0, "swift") }
  }

  private func everything() throws -> [Project.File] {
    try Self.folders.flatMap { try Project.files(below: $0, "swift", "proto", "h", "modulemap") }
      .filter { !$0.path.contains(".pb-c.") } + Project.files(below: "Sources/CLinux", "c")
  }

  private func documents() throws -> [Project.File] {
    try Project.files(below: "proto", "md")
  }
}
