import CommandLineTool
import TestSupport
import Testing
import WatchTransfer

/// A session that more than one device works at, and what becomes of wishes that come to nothing.
@Suite(.timeLimit(.minutes(1))) struct SharedSessionTests {
  private let folder = try! TemporaryDirectory()
  private static let token = String(repeating: "ab", count: 32)

  /// A session of three exercises, at the place that is shown.
  private static func session(at position: Int, done: Int = 0) -> Facet {
    var session = Samples.sessionFacet
    session.exercises = ["Back squat", "Bench press", "Plank"].map {
      SessionFacet.Exercise(name: $0, equipment: .body, targetSets: 2, doneSets: 0)
    }
    session.position = position
    session.exercises[position].doneSets = done
    session.reps = 5
    session.weight = nil
    session.rest = nil
    return .session(session)
  }

  private func terminal(_ server: String, _ token: String) throws -> PseudoTerminal {
    try PseudoTerminal(
      "watch-emulator",
      ["--server", server, "--outbox", "\(folder.path)/left", "--token", token, "--interactive"],
      environment: ServeProcess.environment, columns: 72, rows: 14)
  }

  private func script(
    _ server: String, _ token: String, _ words: [String]
  ) async throws -> ChildProcess.Ending {
    try await ChildProcess.run(
      "watch-emulator",
      ["--server", server, "--outbox", "\(folder.path)/right", "--token", token]
        + words.flatMap { ["--do", $0] }, environment: ServeProcess.environment)
  }

  @Test func `a set is logged at the exercise that the screen shows, whoever selected it`()
    async throws
  {
    let server = try await ServeProcess(data: "\(folder.path)/data")
    try await server.addAccount()
    let left = hexadecimal(of: try await server.pair(.watch, name: "left"))
    let right = hexadecimal(of: try await server.pair(.watch, name: "right"))
    let place = "127.0.0.1:\(server.port)"
    let plan = "\"Back squat\" 2x5@60kg \"Bench press\" 2x5@60kg Plank 2x1"
    var ending = try await script(place, right, ["routine Legs \(plan)", "start routine Legs"])
    #expect(ending.status == 0, "\(ending)")
    let terminal = try terminal(place, left)
    terminal.press("\t")
    _ = try await terminal.screen { screen in screen.contains { $0.contains("* Back squat 0/2") } }
    terminal.press("n")
    _ = try await terminal.screen { screen in screen.contains { $0.contains("* Bench press") } }
    ending = try await script(place, right, ["select 3"])
    #expect(ending.status == 0, "\(ending)")
    _ = try await terminal.screen { screen in screen.contains { $0.contains("* Plank 0/2") } }
    terminal.press("\r")
    let logged = try await terminal.screen { screen in screen.contains { $0.contains("1/2") } }
    #expect(logged.contains { $0.contains("* Plank 1/2") }, "\(logged)")
    terminal.press("q")
    #expect(await terminal.end() == 0)
    #expect(await server.end().status == 0)
  }

  @Test func `a start that is refused is not the session`() async throws {
    let others = Samples.session
    let authority = ScriptedAuthority(to: .watch, showing: [.session(nil)]) { action, shown in
      guard case .startSession = action else { return .applied }
      // Another device was faster: its session came into being, and runs.
      shown[.session] = Self.session(at: 1)
      return .refused(.running)
    }
    let path = "\(folder.path)/wire.sock"
    let server = try await authority.serve(at: path)
    // The session that runs is shown before anything else is done.
    let ending = try await script(
      "unix:\(path)", Self.token, ["start activity rowing", "goal steps 1", "state", "set 5"])
    #expect(ending.status == 0, "\(ending)")
    #expect(ending.output.contains("refused (running)"))
    guard case .completeSet(let session, let set) = authority.actions.last else {
      throw ChildProcess.Failure(description: "no set: \(authority.actions)")
    }
    #expect(session == others && set.position == 1)
    await server.stop()
  }

  @Test func `a finish that expired leaves the session to go on with`() async throws {
    let authority = ScriptedAuthority(to: .watch, showing: [Self.session(at: 0)]) { action, shown in
      switch action {
      case .controlSession(_, .finish): return .expired
      case .completeSet:
        shown[.session] = Self.session(at: 2, done: 1)
        return .applied
      default: return .applied
      }
    }
    let path = "\(folder.path)/wire.sock"
    let server = try await authority.serve(at: path)
    let terminal = try terminal("unix:\(path)", Self.token)
    terminal.press("\t")
    _ = try await terminal.screen { screen in screen.contains { $0.contains("* Back squat") } }
    await authority.show([Self.session(at: 2)], by: server)
    _ = try await terminal.screen { screen in screen.contains { $0.contains("* Plank 0/2") } }
    terminal.press("f")
    _ = try await terminal.screen { $0.last?.contains("expired") == true }
    terminal.press("\r")
    _ = try await terminal.screen { screen in screen.contains { $0.contains("* Plank 1/2") } }
    guard case .completeSet(Samples.session, let set) = authority.actions.last else {
      throw ChildProcess.Failure(description: "no set: \(authority.actions)")
    }
    #expect(set.position == 2)
    terminal.press("q")
    #expect(await terminal.end() == 0)
    await server.stop()
  }
}
