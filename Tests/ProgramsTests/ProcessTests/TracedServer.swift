import Foundation
import Glibc
import TestSupport
import Testing
import WatchTransfer

/// The real server under strace(1), which makes chosen system calls on its files fail.
struct TracedServer {
  /// What happens at the call.
  enum Fault: Sendable, CustomTestStringConvertible {
    /// SIGKILL as it is entered.
    case kill
    /// It fails, and does nothing.
    case error(String)

    var injection: String {
      switch self {
      case .kill: "signal=KILL"
      case .error(let name): "error=\(name)"
      }
    }

    var testDescription: String {
      switch self {
      case .kill: "SIGKILL"
      case .error(let name): name
      }
    }
  }

  static let isThere = access("/usr/bin/strace", X_OK) == 0

  let data: String
  let log: String
  private(set) var server: ServeProcess?

  /// Runs a server whose `call` number `count` on one of its files goes wrong; `server` is nil when
  /// it ended before it was ready.
  ///
  /// - Parameter onFiles: calls on other files are not counted; sockets are none.
  init(
    data: String, call: String, _ fault: Fault, at count: Int, onFiles: Bool = true,
    arguments: [String] = []
  ) async throws {
    self.data = data
    log = "\(data).strace"
    let paths = onFiles ? Self.files(of: data).flatMap { ["-P", $0] } : []
    let launcher =
      ["/usr/bin/strace", "-f", "-q", "-o", log, "-e", "trace=\(call)"] + paths + [
        "-e", "inject=\(call):\(fault.injection):when=\(count)",
      ]
    do {
      server = try await ServeProcess(data: data, arguments, launcher: launcher, secondsMax: 60)
    } catch let failure as ChildProcess.Failure {
      guard let ending = failure.ending else { throw failure }
      early = ending
    }
  }

  /// How it ended before it was ready.
  private(set) var early: ChildProcess.Ending?

  /// The server itself; strace is its parent.
  var id: pid_t? { server.flatMap { Processes.children(of: $0.child.id).first } }

  /// Stops it, if it was not asked to stop already, and says how it ended.
  func end(isAsked: Bool) async -> ChildProcess.Ending? {
    guard let server else { return early }
    if !isAsked, let id { kill(id, SIGTERM) }
    return await server.child.end()
  }

  /// Whether a call was made to go wrong: its line says so, or is the last before the kill.
  var wasInjected: Bool {
    let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    return text.contains("(INJECTED)") || text.contains("+++ killed by SIGKILL")
  }

  private static func files(of data: String) -> [String] {
    let names = [
      "journal.db", "journal.db-wal", "devices.db", "devices.db-wal", "deciding.map", "crashes",
      "lock", "ballast",
    ]
    return [data] + names.map { "\(data)/\($0)" }
  }
}
