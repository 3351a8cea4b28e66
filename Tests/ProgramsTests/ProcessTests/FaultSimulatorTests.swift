import CommandLineTool
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
    let (ending, report) = try await tell("--seeds", "1..1500", "--steps", "25")
    #expect(ending.status == 0, "\(ending.output.prefix(4_000))")
    #expect(report["seeds"]?.json == "1500")
    // Faults happened, and facets were compared: a story in which nothing happens proves nothing.
    let faults = report["faults"]?.members ?? []
    #expect(faults.count >= 18)
    #expect(faults.allSatisfy { Int($0.1.json) ?? 0 >= 15 }, "\(faults)")
    #expect(Int(report["projections"]?.json ?? "") ?? 0 > 40_000)
    print("claim: simulated stories without a broken promise: \(report["seeds"]?.json ?? "0")")
    print("claim: events in them: \(report["steps"]?.json ?? "0")")
    print("claim: facets compared with a fresh projection: \(report["projections"]?.json ?? "0")")
  }

  @Test func `a seed tells the same story in every process`() async throws {
    let reports = [try await tell("--seeds", "7..12").1, try await tell("--seeds", "7..12").1]
    for key in ["steps", "projections", "faults"] {
      #expect(reports[0][key]?.json == reports[1][key]?.json, "\(key)")
    }
  }
}
