import CommandLineTool
import Foundation
import TestSupport
import Testing
import WatchTransfer

private let token = String(repeating: "ab", count: 32)
private let watch = ["--server", "127.0.0.1:7420", "--token", token, "--outbox", "wrist"]
private let widget = ["--server", "unix:run.sock", "--token", token, "--widget", "today"]

private func parsed(_ tool: Tool, _ arguments: [String]) throws -> ParsedArguments {
  guard case .run(let parsed) = try tool.interpret(arguments, variable: { _ in nil }) else {
    throw ToolFailure("help instead of a command")
  }
  return parsed
}

@Suite struct EmulatorOptionsTests {
  @Test func `a watch that is told little waits half a minute`() throws {
    let options = try DeviceOptions(parsed(EmulatedKind.watch.tool, watch))
    #expect(options.server == "127.0.0.1:7420")
    #expect(options.token == [UInt8](repeating: 0xAB, count: 32))
    #expect(options.outbox == "wrist")
    #expect(!options.isOffline && !options.isJSON)
    #expect(options.deviceClock == nil)
    #expect(options.staySeconds == 0 && options.timeoutSeconds == 30)
    #expect(options.script.isEmpty)
  }

  @Test func `a watch is told everything`() throws {
    let more = [
      "--offline", "--json", "--device-clock", "2026-11-30T12:00:00Z", "--stay", "5",
      "--timeout=7", "--do", "match A B", "--do", "point home", "--do", "state",
    ]
    let options = try DeviceOptions(parsed(EmulatedKind.watch.tool, watch + more))
    #expect(options.isOffline && options.isJSON)
    #expect(options.deviceClock == .at(Samples.noon))
    #expect(options.staySeconds == 5 && options.timeoutSeconds == 7)
    #expect(
      options.script == [
        .match(home: "A", away: "B", halfLengthMinutes: nil), .point(.home), .state,
      ])
  }

  @Test func `only a phone is told who plays`() throws {
    for script in ["squad home Ada#7", "sub home Ada Ben", "undo-sub \(Samples.entry)"] {
      #expect(throws: UsageError.self) {
        try DeviceOptions(parsed(EmulatedKind.watch.tool, watch + ["--do", script]), of: .watch)
      }
      let options = try DeviceOptions(
        parsed(EmulatedKind.phone.tool, watch + ["--do", script]), of: .phone)
      #expect(options.script.count == 1)
    }
    let help = EmulatedKind.allCases.map { kind in
      guard case .show(let text) = try? kind.tool.interpret(["--help"], variable: { _ in nil })
      else { return "" }
      return text
    }
    #expect(!help[0].contains("  squad ") && help[1].contains("  squad "))
    #expect(help[0].contains("--interactive") && !help[1].contains("--interactive"))
  }

  @Test func `a terminal without a script shows the watch's screen`() throws {
    func shows(_ more: [String], _ kind: EmulatedKind = .watch, onTerminal: Bool) throws -> Bool {
      try DeviceOptions(parsed(kind.tool, watch + more), of: kind)
        .showsScreen(onTerminal: onTerminal)
    }
    #expect(try shows([], onTerminal: true))
    #expect(try !shows([], onTerminal: false))
    #expect(try shows(["--interactive"], onTerminal: false))
    for more in [["--json"], ["--stay", "3"], ["--do", "state"]] {
      #expect(try !shows(more, onTerminal: true))
      #expect(throws: UsageError.self) { try shows(more + ["--interactive"], onTerminal: true) }
    }
    #expect(try !shows([], .phone, onTerminal: true))
  }

  @Test(arguments: [
    (["point home"], true), (["match A B", "point home"], false), (["state", "mark x"], false),
    (["mark x", "clock start", "match A B"], true), ([], false),
  ])
  func `a script that acts on a match before it makes one needs a known match`(
    script: [String], isNeeded: Bool
  ) throws {
    let options = try DeviceOptions(
      parsed(EmulatedKind.watch.tool, watch + script.map { "--do=\($0)" }))
    #expect(options.needsKnownMatch == isNeeded)
  }

  @Test(arguments: [
    ["--do", "jump"], ["--do", "mark x", "--do", "undo y"], ["--stay", "-1"], ["--stay", "x"],
    ["--timeout", "1.5"], ["--device-clock", "noon"], ["--widget", "today"],
  ])
  func `a watch that is told nonsense does nothing`(more: [String]) {
    #expect(throws: UsageError.self) {
      try DeviceOptions(parsed(EmulatedKind.watch.tool, watch + more))
    }
  }

  @Test func `a widget is told everything, or little`() throws {
    var options = try WidgetOptions(parsed(WidgetOptions.tool, widget))
    #expect(options.view == WidgetView(kind: .today, family: .small, appearance: .both))
    #expect(options.at == .now && options.format == .ansi && options.cache == nil)
    let more = [
      "--family", "corner", "--appearance", "night", "--at", "2026-11-30T12:00:00Z",
      "--format", "svg", "--cache", "kept",
    ]
    options = try WidgetOptions(parsed(WidgetOptions.tool, widget + more))
    #expect(options.view == WidgetView(kind: .today, family: .corner, appearance: .night))
    #expect(options.at == .at(Samples.noon) && options.format == .svg && options.cache == "kept")
  }

  @Test func `an activity is told its face, and nothing of a widget`() throws {
    let place = ["--server", "unix:run.sock", "--token", token]
    func options(_ more: [String]) throws -> WidgetOptions {
      try WidgetOptions(parsed(WidgetOptions.tool, place + more))
    }
    for face in ActivityFace.allCases {
      let options = try options(["--activity", face.rawValue])
      #expect(options.activity == face && options.look == nil && options.format == .ansi)
    }
    #expect(try options(["--activity", "compact", "--appearance", "night"]).look == .night)
    #expect(try options(["--widget", "today"]).activity == nil)
    for more in [
      ["--widget", "session"], ["--family", "small"], ["--at", "now"], ["--follow"],
    ] {
      #expect(throws: UsageError.self) { try options(["--activity", "compact"] + more) }
    }
    #expect(throws: UsageError.self) { try options(["--activity", "huge"]) }
    #expect(throws: UsageError.self, "neither widget nor activity") { try options([]) }
  }

  @Test(arguments: [
    ["--family", "tiny"], ["--appearance", "dusk"], ["--format", "png"], ["--at", "noon"],
    ["--widget", "streak"],
  ])
  func `a widget that is told nonsense fetches nothing`(more: [String]) {
    #expect(throws: UsageError.self) {
      try WidgetOptions(parsed(WidgetOptions.tool, widget + more))
    }
  }

  @Test(arguments: ["12345678", "1234 5678", "1234-5678"])
  func `a code of eight digits pairs, however it is written`(code: String) throws {
    let options = try DeviceOptions(
      parsed(EmulatedKind.watch.tool, ["--server", "127.0.0.1:1", "--outbox", "o", "--code", code]))
    #expect(options.code == PairingCode(number: 12_345_678) && options.token == nil)
    let widget = try WidgetOptions(
      parsed(WidgetOptions.tool, ["--server", "127.0.0.1:1", "--widget", "today", "--code", code]))
    #expect(widget.code == PairingCode(number: 12_345_678) && widget.token == nil)
  }

  @Test func `a code may stand in a file, as it was printed`() throws {
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/code"
    let words = ["--server", "127.0.0.1:1", "--outbox", "o", "--code-file", path]
    for (text, isCode) in [
      ("12345678 until 2026-11-30T12:00:00Z\n", true), ("1234 5678\r\n", true), ("12345678", true),
      ("", false), ("1234567\n8", false), ("code 12345678", false),
    ] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let options = try? DeviceOptions(parsed(EmulatedKind.watch.tool, words))
      #expect(options?.code == (isCode ? PairingCode(number: 12_345_678) : nil), "\(text)")
    }
    for more in [words + ["--code", "12345678"], words.dropLast() + ["\(folder.path)/none"]] {
      #expect(throws: UsageError.self) { try DeviceOptions(parsed(EmulatedKind.watch.tool, more)) }
    }
  }

  @Test(arguments: ["", "1234567", "123456789", "1234567x"])
  func `what is no code is said without showing it`(code: String) throws {
    let error = #expect(throws: UsageError.self) {
      try DeviceOptions(
        parsed(
          EmulatedKind.watch.tool, ["--server", "127.0.0.1:1", "--outbox", "o", "--code=\(code)"]))
    }
    let text = error?.description ?? ""
    #expect(text.contains("8 digits") && (code.isEmpty || !text.contains(code)), "\(text)")
  }

  @Test(arguments: [EmulatedKind.watch.tool.name, WidgetOptions.tool.name])
  func `help mentions every option, with examples and exit statuses`(name: String) throws {
    let tool = name == EmulatedKind.watch.tool.name ? EmulatedKind.watch.tool : WidgetOptions.tool
    guard case .show(let help) = try tool.interpret(["--help"], variable: { _ in nil }) else {
      throw ToolFailure("no help")
    }
    for command in tool.commands {
      for option in command.options { #expect(help.contains(option.heading)) }
      for ending in command.endings { #expect(help.contains("\(ending.status.rawValue)")) }
      #expect(!command.examples.isEmpty)
    }
    #expect(help.contains("WRISTWIRE_TOKEN"))
  }
}
