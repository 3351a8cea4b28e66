import Foundation

/// The files of this project, as they lie on disk.
enum Project {
  /// The project's root folder.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A source file, with its path from the root.
  struct File: Sendable {
    let path: String
    let text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
  }

  /// One file.
  static func file(_ path: String) throws -> File {
    File(path: path, text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
  }

  /// The files below a folder whose names end in one of `extensions`, in order.
  static func files(below folder: String, _ extensions: String...) throws -> [File] {
    let base = root.appending(path: folder)
    guard let paths = FileManager.default.enumerator(atPath: base.path) else { return [] }
    return try paths.compactMap { $0 as? String }.sorted()
      .filter { path in extensions.contains { path.hasSuffix(".\($0)") } }
      .map { try file("\(folder)/\($0)") }
  }

  /// What a command printed, and how it ended.
  struct Outcome {
    let status: Int32
    let output: String
  }

  /// Runs a command from the root folder; stdout and stderr together.
  static func run(_ command: String, _ arguments: String...) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [command] + arguments
    process.currentDirectoryURL = root
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self))
  }
}
