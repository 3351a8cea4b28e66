import AuthorityServer
import Glibc
import TestSupport
import WatchTransfer

/// The built server on a data directory, as a supervisor runs it: started, asked, signalled,
/// killed.
final class ServeProcess: Sendable {
  let child: ChildProcess
  let data: String
  let unixPath: String
  let port: UInt16
  /// Where it speaks TLS, if it was told to, and what clients pin.
  let secured: (port: UInt16, pin: String)?

  /// What every program of the tests is run with: a crash is to be seen as one, and at once.
  static let environment = ["SWIFT_BACKTRACE": "enable=no", "PATH": "/usr/bin:/bin"]

  /// Starts a server and waits until it is ready. `launcher`: a command that runs the program it is
  /// given.
  init(
    data: String, _ arguments: [String] = [], launcher: [String] = [], secondsMax: Int = 300,
    program name: String = "wristwire"
  ) async throws {
    self.data = data
    unixPath = "\(data).sock"
    let program = "\(ChildProcess.folder)/\(name)"
    let words =
      launcher + [program, "serve", "--data", data, "--listen", "127.0.0.1:0", "--unix", unixPath]
      + arguments
    child = try ChildProcess(
      words[0], Array(words.dropFirst()), environment: Self.environment, secondsMax: secondsMax)
    var port: UInt16?
    var secured: (port: UInt16, pin: String)?
    var isReady = false
    for await line in child.lines {
      if let match = line.wholeMatch(of: /ready tls:127\.0\.0\.1:(\d+) pin (\S+)/) {
        secured = UInt16(match.1).map { ($0, String(match.2)) }
      }
      if line.hasPrefix("ready 127.0.0.1:") { port = UInt16(line.dropFirst(16)) }
      if line == "ready unix:\(unixPath)" { isReady = true }
      if isReady, port != nil { break }
    }
    guard isReady, let port else {
      let ending = await child.end()
      throw ChildProcess.Failure(description: "not ready: \(ending)", ending: ending)
    }
    self.port = port
    self.secured = secured
  }

  /// Ends it with a signal and waits for the end.
  func end(_ signal: Int32 = SIGTERM) async -> ChildProcess.Ending {
    child.signal(signal)
    return await child.end()
  }

  /// Asks through the admin socket, as a command does.
  func ask(_ request: AdminRequest) async throws -> AdminResponse {
    guard let connection = AdminConnection.running(directory: data) else {
      throw ChildProcess.Failure(description: "no server answers at \(data)")
    }
    let response = await connection.perform(request)
    await connection.close()
    return response
  }

  func status() async throws -> ServerStatus {
    guard case .status(let status) = try await ask(.status) else {
      throw ChildProcess.Failure(description: "no status")
    }
    return status
  }

  func addAccount(_ name: String = "anna") async throws {
    let response = try await ask(.addAccount(name: name, zone: "Europe/Berlin"))
    guard case .done = response else {
      throw ChildProcess.Failure(description: "\(response)")
    }
  }

  func pair(_ kind: DeviceKind, account: String = "anna", name: String? = nil) async throws
    -> [UInt8]
  {
    let response = try await ask(.pair(account: account, kind: kind.word, name: name))
    guard case .paired(let token, _) = response, let bytes = hexadecimalBytes(of: token) else {
      throw ChildProcess.Failure(description: "\(response)")
    }
    return bytes
  }

  /// A client over TCP or the Unix socket.
  func client(overTCP: Bool = true) throws -> WireClient {
    overTCP ? try WireClient(port: port) : try WireClient(unixPath: unixPath)
  }
}

/// Runs a command of `wristwire` to its end.
func wristwire(_ arguments: String..., input: String = "") async throws -> ChildProcess.Ending {
  try await wristwire(arguments, input: input)
}

/// The same with a list.
func wristwire(_ arguments: [String], input: String = "") async throws -> ChildProcess.Ending {
  try await ChildProcess.run(
    "wristwire", arguments, environment: ServeProcess.environment, input: input)
}
