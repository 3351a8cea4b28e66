internal import CommandLineTool
internal import Foundation
internal import Glibc
internal import Transport
internal import WatchTransfer

/// A server of the load tester's own, on a temporary directory that goes with it.
final class SpawnedServer {
  private let program: String
  private let directory: String
  private let stop: StopFlag
  private var server: Subprocess?

  /// Makes the directory; the server is the `wristwire` beside this program.
  init(stop: StopFlag) throws(ToolFailure) {
    program = try Self.sibling("wristwire")
    self.stop = stop
    let parent = environmentVariable("TMPDIR") ?? "/tmp"
    var template = Array("\(parent)/load-tester-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ToolFailure(
        "cannot make a directory in \(parent): \(String(cString: strerror(errno)))")
    }
    directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Starts the server with limits that do not limit a load, and says where it listens.
  func start(_ options: LoadOptions) throws -> SocketAddress {
    let limits = "\(directory)/limits"
    try SmallFile.replace(limits, with: Self.limits(options))
    var arguments = ["serve", "--data", data, "--limits", limits]
    let wanted = try options.server.map { text throws(UsageError) in try address(text) }
    if let wanted, wanted.unixPath != nil {
      arguments += ["--listen", "127.0.0.1:0", "--unix", wanted.unixPath ?? ""]
    } else {
      arguments += ["--listen", wanted?.description ?? "127.0.0.1:0"]
    }
    let server = try Subprocess(program, arguments)
    self.server = server
    guard let line = server.line(waiting: 30_000), line.hasPrefix("ready ") else {
      throw ToolFailure("wristwire serve has not begun to serve")
    }
    if let wanted, wanted.unixPath != nil { return wanted }
    return try SocketAddress(parsing: String(line.dropFirst(6)))
  }

  /// Adds accounts and pairs a device for every connection; their tokens.
  func devices(for options: LoadOptions, accounts: Int) throws -> [[UInt8]] {
    let kind: DeviceKind = options.scenario.acts ? .watch : .widget
    let each = (options.connections + accounts - 1) / accounts
    try run(["account", "add", "load", "--zone", "UTC", "--count", "\(accounts)", "--data", data])
    var tokens: [[UInt8]] = []
    try run([
      "pair", "--account", "load", "--accounts", "\(accounts)", "--kind", kind.word,
      "--count", "\(each)", "--data", data,
    ]) { line in
      if let token = hexadecimalBytes(of: line) { tokens.append(token) }
    }
    return Array(tokens.prefix(options.connections))
  }

  /// Stops the server and removes everything.
  func remove() {
    if let server {
      server.signal(SIGTERM)
      if server.end(waiting: 10_000) == nil {
        server.signal(SIGKILL)
        _ = server.end(waiting: 5_000)
      }
    }
    try? FileManager.default.removeItem(atPath: directory)
  }

  private var data: String { "\(directory)/data" }

  /// Runs `wristwire` to its end, and hands out its lines.
  private func run(_ arguments: [String], _ take: (String) -> Void = { _ in }) throws {
    let child = try Subprocess(program, arguments)
    while child.end(waiting: 0) == nil {
      if let line = child.line(waiting: 50) { take(line) }
      if stop.signal != nil { child.signal(SIGKILL) }
    }
    while let line = child.line(waiting: 0) { take(line) }
    if stop.signal == nil, child.end(waiting: 0) != 0 {
      throw ToolFailure("wristwire \(arguments[0]) has failed")
    }
  }

  private static func limits(_ options: LoadOptions) -> String {
    let waiting = min(1_000_000, max(65_536, 2 * options.connections * options.pipeline))
    return """
      connectionsPerAccountMax = \(max(64, options.connections))
      inFlightMax = \(max(64, options.pipeline))
      actsPerSecond = 10000000
      actsBurst = 10000000
      commitQueueMax = \(waiting)

      """
  }

  /// The program of that name in the folder of this one.
  private static func sibling(_ name: String) throws(ToolFailure) -> String {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    let folder = own.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let path = folder.joined(separator: "/") + "/\(name)"
    guard access(path, X_OK) == 0 else {
      throw ToolFailure("there is no \(name) beside this program: build it (\(path))")
    }
    return path
  }
}
