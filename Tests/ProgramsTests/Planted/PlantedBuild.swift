import Foundation

/// A copy of the package with every planted flaw in it, built into a fault simulator.
struct PlantedBuild {
  /// The environment variable that chooses a flaw, from 1.
  static let variable = "WRISTWIRE_PLANTED_FLAW"
  /// The fault simulator of the copy.
  let program: String

  /// Why there is no such build.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Copies the package that this file belongs to, plants, and builds, below `folder`.
  init(in folder: String) async throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../..").standardized.path
    let copy = "\(folder)/package"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    for name in ["Package.swift", "Sources", "Tests", "clients", "proto"] {
      try FileManager.default.copyItem(atPath: "\(package)/\(name)", toPath: "\(copy)/\(name)")
    }
    try Self.plant(in: copy)
    let swift = try await Self.swift()
    let arguments = [
      "build", "--package-path", copy, "--scratch-path", "\(folder)/build", "--product",
      "fault-simulator", "-c", "release", "-Xswiftc", "-Onone", "-Xswiftc", "-gnone", "-Xswiftc",
      "-num-threads", "-Xswiftc", "2",
    ]
    let ending = try await ChildProcess.run(
      swift, arguments, environment: ProcessInfo.processInfo.environment, secondsMax: 560)
    guard ending.status == 0 else {
      let errors = (ending.output + ending.errors).split(separator: "\n")
        .filter { $0.contains("error:") }
      throw Failure(description: errors.joined(separator: "\n"))
    }
    program = "\(folder)/build/release/fault-simulator"
  }

  /// Tells stories to a simulator that has `flaw`, from 1; 0: none.
  func tell(_ seeds: ClosedRange<Int>, flaw: Int) async throws -> ChildProcess.Ending {
    var environment = ProcessInfo.processInfo.environment
    environment[Self.variable] = "\(flaw)"
    // A flaw may well trip an invariant of the product: that is noticed, too.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    let arguments = [
      "--seeds", "\(seeds.lowerBound)..\(seeds.upperBound)", "--failures", "1", "--whole",
    ]
    return try await ChildProcess.run(
      program, arguments, environment: environment, secondsMax: 280)
  }

  private static func plant(in package: String) throws {
    var modules: Set<String> = []
    for (index, flaw) in PlantedFlaw.all.enumerated() {
      for edit in flaw.edits {
        let path = "\(package)/\(edit.file)"
        var text = try String(contentsOfFile: path, encoding: .utf8)
        let parts = text.components(separatedBy: edit.original)
        guard parts.count == 2 else {
          throw Failure(
            description:
              "'\(flaw.name)': \(edit.file) has \(parts.count - 1) times: \(edit.original)")
        }
        text = parts.joined(
          separator: edit.replacement.replacing("PLANTED", with: "(plantedFlaw == \(index + 1))"))
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        modules.insert(edit.file.split(separator: "/").prefix(2).joined(separator: "/"))
      }
    }
    for module in modules {
      let source = """
        internal import Glibc

        /// Which flaw this process has; 0: none.
        let plantedFlaw = getenv("\(variable)").map { atoi($0) } ?? 0

        """
      try source.write(
        toFile: "\(package)/\(module)/PlantedFlaws.swift", atomically: true, encoding: .utf8)
    }
  }

  /// The toolchain that is used here.
  private static func swift() async throws -> String {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    for folder in path.split(separator: ":") {
      let candidate = "\(folder)/swift"
      if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
    }
    throw Failure(description: "there is no swift on the PATH")
  }
}
