internal import CommandLineTool
internal import Glibc

/// `wristwire demo`
enum DemoCommand {
  static let description = CommandDescription(
    ["demo"], summary: "Shows what the authority promises, and checks each claim it prints.",
    examples: [.init("wristwire demo", "a few seconds; exit 0 only if every claim held")])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    let interruption = Interruption()
    let folder = try temporaryFolder()
    defer { removeFolder(folder) }
    return try await withThrowingTaskGroup(of: ExitStatus?.self) { group in
      group.addTask {
        var demo = try await Demo(folder: folder)
        try await demo.tell()
        printLine("all \(demo.claims) claims held")
        return .ok
      }
      group.addTask {
        for await signal in interruption.signals { return .interrupted(by: signal) }
        return nil
      }
      defer { group.cancelAll() }
      while let status = try await group.next() {
        if let status { return status }
      }
      return .failed
    }
  }

  private static func temporaryFolder() throws -> String {
    var template = Array("/tmp/wristwire-demo-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ToolFailure("no temporary directory: errno \(errno)")
    }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Removes the folder and what is in it, two levels deep at most.
  private static func removeFolder(_ path: String) {
    if let stream = opendir(path) {
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name == "." || name == ".." { continue }
        if unlink("\(path)/\(name)") != 0 { removeFolder("\(path)/\(name)") }
      }
    }
    rmdir(path)
  }
}
