import CommandLineTool
import Foundation
import Testing

/// The stories that are told each time, by the program itself: there the order of dictionaries
/// follows from the seed too, so that what held once holds.
@Suite(.serialized, .timeLimit(.minutes(15))) struct FaultSimulatorTests {
  private func tell(_ arguments: String...) async throws -> (ChildProcess.Ending, JSONValue) {
    let ending = try await ChildProcess.run(
      "fault-simulator", arguments + ["--json"], environment: ServeProcess.environment,
      secondsMax: 800)
    return (ending, try JSONParser.parse(String(ending.output.dropLast())))
  }

  @Test func `every promise holds in every story`() async throws {
    let (ending, report) = try await tell("--seeds", "1..2000", "--steps", "25")
    #expect(ending.status == 0, "\(ending.output.prefix(4_000))")
    #expect(report["seeds"]?.json == "2000")
    // Faults happened, and facets were compared: a story in which nothing happens proves nothing.
    let faults = report["faults"]?.members ?? []
    #expect(faults.count >= 18)
    #expect(faults.allSatisfy { Int($0.1.json) ?? 0 >= 15 }, "\(faults)")
    // So did everything that can be done: a kind that is only ever refused proves nothing.
    let applied = Set((report["applied"]?.members ?? []).map(\.0))
    let missing = try Self.actions().subtracting(applied)
    #expect(missing.isEmpty, "never applied: \(missing.sorted())")
    #expect(Int(report["projections"]?.json ?? "") ?? 0 > 40_000)
    print("claim: simulated stories without a broken promise: \(report["seeds"]?.json ?? "0")")
    print("claim: events in them: \(report["steps"]?.json ?? "0")")
    print("claim: facets compared with a fresh projection: \(report["projections"]?.json ?? "0")")
  }

  /// The names of the protocol's actions: `defineWorkout`.
  private static func actions() throws -> Set<String> {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../proto/wristwire/v1/actions.proto").standardized.path
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let members = text.split(separator: "\n").drop { !$0.contains("oneof action {") }.dropFirst()
      .prefix { !$0.contains("}") }
    let names = members.compactMap { line -> String? in
      let words = line.split(separator: " ")
      guard words.count >= 4, words[2] == "=" else { return nil }
      let parts = words[1].split(separator: "_")
      return parts.dropFirst().reduce(String(parts.first ?? "")) { $0 + $1.capitalized }
    }
    try #require(names.count > 50)
    return Set(names)
  }

  @Test func `a seed tells the same story in every process`() async throws {
    let reports = [try await tell("--seeds", "7..12").1, try await tell("--seeds", "7..12").1]
    for key in ["steps", "projections", "faults"] {
      #expect(reports[0][key]?.json == reports[1][key]?.json, "\(key)")
    }
  }
}
