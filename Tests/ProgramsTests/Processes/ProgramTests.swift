import CommandLineTool
import Testing

@Suite(.timeLimit(.minutes(2))) struct ProgramTests {
  @Test(arguments: ["watch-emulator", "phone-emulator", "widget-emulator"])
  func `help goes to stdout and is no failure`(program: String) async throws {
    let ending = try await ChildProcess.run(program, ["--help"])
    #expect(ending.status == 0)
    #expect(ending.output.contains("Usage:\n  \(program)"))
    #expect(ending.output.contains("Examples:"))
    #expect(ending.errors.isEmpty)
  }

  @Test(arguments: ["watch-emulator", "phone-emulator", "widget-emulator"])
  func `the version is the project's`(program: String) async throws {
    let ending = try await ChildProcess.run(program, ["--version"])
    #expect(ending.status == 0)
    #expect(ending.output == "\(program) \(toolVersion)\n")
  }

  @Test(arguments: [
    ("watch-emulator", [], "--server ADDR is needed"),
    ("watch-emulator", ["--bogus"], "unknown option --bogus"),
    (
      "watch-emulator", ["--server", "localhost:1", "--outbox", "/nowhere"],
      "this watch is not paired: give --token, WRISTWIRE_TOKEN or --code"
    ),
    (
      "watch-emulator", ["--server", "localhost:1", "--outbox", "/nowhere", "--token", "5ec2e7"],
      "--token is not 64 hexadecimal digits"
    ),
    ("widget-emulator", ["--widget"], "--widget needs a value"),
    ("widget-emulator", ["streak"], "unexpected argument \"streak\""),
  ])
  func `bad usage is status 2 with one line on stderr`(
    program: String, arguments: [String], message: String
  ) async throws {
    let ending = try await ChildProcess.run(program, arguments)
    #expect(ending.status == 2)
    #expect(ending.output.isEmpty)
    #expect(ending.errors.hasPrefix("\(program): \(message)"))
    #expect(ending.errors.split(separator: "\n").count == 1)
    #expect(!ending.errors.contains("5ec2e7"))
  }

  @Test func `output that cannot be written is a failure`() async throws {
    let shell = "exec \(ChildProcess.folder)/watch-emulator --help > /dev/full"
    let ending = try await ChildProcess.run("/bin/sh", ["-c", shell])
    #expect(ending.status == 1)
    #expect(ending.errors.contains("cannot write to stdout"))
  }
}
