import CommandLineTool
import Testing

/// A program of several commands, as the tests know it.
private let tool = Tool(
  name: "keeper", summary: "Keeps things.",
  commands: [
    CommandDescription(
      ["thing", "add"], summary: "Adds a thing.",
      positionals: [
        .init("NAME", "What it is called."), .init("PLACE", "Where.", isRequired: false),
      ],
      options: [
        .value("zone", "ZONE", "Its zone.", isRequired: true), .flag("json", "For machines."),
        .repeated("do", "ACTION", "What to do."), .value("count", "N", "How many."),
        .value("at", "INSTANT", "When."), .value("after", "SPAN", "How long after."),
        .value("family", "FAMILY", "Which shape."),
      ], examples: [.init("keeper thing add Box --zone UTC", "Adds a box.")]),
    CommandDescription(["thing", "list"], summary: "Lists things."),
    CommandDescription(["connect"], summary: "Connects.", options: [.token]),
  ])

private func parsed(
  _ arguments: [String], environment: [String: String] = [:]
) throws -> ParsedArguments {
  let request = try tool.interpret(arguments) { environment[$0] }
  guard case .run(let parsed) = request else { throw ToolFailure("help instead of a command") }
  return parsed
}

@Suite struct ArgumentTests {
  @Test func `options, switches and arguments may stand in any order`() throws {
    let lines = [
      ["thing", "add", "Box", "--zone", "UTC", "--json", "--do", "b", "--do=a=1"],
      ["thing", "add", "--json", "--zone=UTC", "--do", "b", "Box", "--do", "a=1"],
      ["thing", "add", "--json", "--zone=UTC", "--do", "b", "--do", "a=1", "--", "Box"],
    ]
    for line in lines {
      let arguments = try parsed(line)
      #expect(arguments.positionals == ["Box"])
      #expect(arguments.value("zone") == "UTC")
      #expect(arguments.flag("json"))
      #expect(arguments.all("do") == ["b", "a=1"])
      #expect(arguments.value("count") == nil)
    }
  }

  @Test func `a dash alone, and what follows two dashes, are arguments`() throws {
    #expect(try parsed(["thing", "add", "-", "--zone", "UTC"]).positionals == ["-"])
    #expect(
      try parsed(["thing", "add", "--zone", "UTC", "--", "--json", "--help"]).positionals
        == ["--json", "--help"])
  }

  @Test(
    arguments: [
      ([], UsageError.missingCommand(after: "keeper", known: ["thing", "connect"])),
      (["thong"], .unknownCommand("thong", known: ["thing", "connect"])),
      (["thing"], .missingCommand(after: "keeper thing", known: ["add", "list"])),
      (["thing", "eat"], .unknownCommand("thing eat", known: ["thing add", "thing list"])),
      (["thing", "add", "--zone", "UTC"], .missingPositional("NAME")),
      (["thing", "add", "Box"], .missingOption("--zone", valueName: "ZONE", variable: nil)),
      (["thing", "add", "Box", "--zone"], .missingValue(option: "--zone", valueName: "ZONE")),
      (
        ["thing", "add", "Box", "--zone", "--json"],
        .missingValue(option: "--zone", valueName: "ZONE")
      ),
      (["thing", "add", "Box", "--zone=A", "--zone=B"], .duplicateOption("--zone")),
      (["thing", "add", "Box", "--zoen", "A"], .unknownOption("--zoen", nearest: "--zone")),
      (["thing", "add", "Box", "-x"], .unknownOption("-x", nearest: nil)),
      (["thing", "add", "Box", "--json=yes"], .unexpectedValue(option: "--json")),
      (["thing", "add", "a", "b", "c", "--zone=A"], .unexpectedPositional("c")),
      (["thing", "list", "c"], .unexpectedPositional("c")),
    ] as [([String], UsageError)])
  func `a command line without sense is a usage error`(
    arguments: [String], error: UsageError
  ) {
    #expect(throws: error) { try parsed(arguments) }
    #expect(!error.description.contains("\n"))
  }

  @Test func `the token comes from the option or from the environment and is never shown`() throws {
    let token = String(repeating: "0f", count: 32)
    let bytes = [UInt8](repeating: 15, count: 32)
    let environment = ["WRISTWIRE_TOKEN": token]
    #expect(try parsed(["connect", "--token", token]).token() == bytes)
    #expect(try parsed(["connect"], environment: environment).token() == bytes)
    #expect(try parsed(["connect"]).token() == nil)
    let wrong = "5ec2e7" + token
    let error = #expect(throws: UsageError.self) {
      try parsed(["connect", "--token", wrong]).token()
    }
    #expect(error?.description.contains("5ec2e7") == false)
    #expect(error?.description.contains("64 hexadecimal digits") == true)
  }

  @Test func `values are checked for what they should be`() throws {
    let base = ["thing", "add", "Box", "--zone", "UTC"]
    #expect(try parsed(base + ["--count", "7"]).integer("count", in: 1...9) == 7)
    #expect(try parsed(base).integer("count", in: 1...9) == nil)
    for wrong in ["0", "10", "x", "", "1.5"] {
      #expect(throws: UsageError.self) {
        try parsed(base + ["--count", wrong]).integer("count", in: 1...9)
      }
    }
    let family = try parsed(base + ["--family", "b"])
    #expect(try family.choice("family", of: ["a", "b"]) { $0 } == "b")
    #expect(throws: UsageError.self) { try family.choice("family", of: ["a", "c"]) { $0 } }
    #expect(try parsed(base + ["--at", "now"]).instant("at") == .now)
    #expect(throws: UsageError.self) { try parsed(base + ["--at", "noon"]).instant("at") }
    #expect(throws: UsageError.self) { try parsed(base + ["--after", "5"]).duration("after") }
  }

  @Test(
    arguments: [
      ("+90s", 90_000), ("90s", 90_000), ("+36h", 129_600_000), ("+2d", 172_800_000),
      ("+2d12h", 216_000_000), ("1500ms", 1_500), ("5m", 300_000), ("PT36H", 129_600_000),
      ("P2D", 172_800_000), ("P2DT12H", 216_000_000), ("PT1M30S", 90_000), ("0s", 0),
      ("", nil), ("+", nil), ("90", nil), ("-90s", nil), ("90x", nil), ("s", nil), ("P", nil),
      ("PT", nil), ("P5", nil), ("P1M", nil), ("PT1D", nil), ("1s1h", nil), ("1h1h", nil),
      ("100001d", nil), ("99999999999999s", nil), ("9999999999999d", nil), ("1 h", nil),
    ] as [(String, Int64?)])
  func `a span is read, or refused`(text: String, milliseconds: Int64?) {
    #expect(DurationArgument(text)?.milliseconds == milliseconds)
  }

  @Test func `help names every option, example and exit status`() throws {
    for command in tool.commands {
      guard
        case .show(let help) = try tool.interpret(
          command.words + ["--help"], variable: { _ in nil })
      else { throw ToolFailure("no help") }
      for option in command.options { #expect(help.contains(option.heading)) }
      for example in command.examples { #expect(help.contains(example.command)) }
      for ending in command.endings { #expect(help.contains(ending.meaning)) }
      for line in help.split(separator: "\n") { #expect(line.count <= 80) }
    }
  }

  @Test func `help of the program and of a family lists their commands`() throws {
    for (arguments, listed) in [(["--help"], 3), (["thing", "--help"], 2), (["-h"], 3)] {
      guard case .show(let help) = try tool.interpret(arguments, variable: { _ in nil }) else {
        throw ToolFailure("no help")
      }
      #expect(tool.commands.count { help.contains($0.summary) } == listed)
    }
  }

  @Test func `the version is one line with the name of the program`() throws {
    guard case .show(let text) = try tool.interpret(["--version"], variable: { _ in nil }) else {
      throw ToolFailure("no version")
    }
    #expect(text == "keeper \(toolVersion)\n")
  }
}
