import AuthorityServer
import Foundation
import HealthImport
import TestSupport
import Testing

/// Reading ahead of a taker that gives up.
@Suite(.timeLimit(.minutes(1))) struct ExportSliceTests {
  private let folder = try! TemporaryDirectory()

  private struct GivenUp: Error {}

  private func export(workouts: Int) throws -> String {
    let workout =
      #" <Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="Watch" "#
      + #"startDate="2026-11-01 08:00:00 +0100" endDate="2026-11-01 09:00:00 +0100"/>\#n"#
    let path = "\(folder.path)/export.xml"
    let text = "<HealthData>\n\(String(repeating: workout, count: workouts))</HealthData>\n"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test(arguments: [0, 1, 2])
  func `a taker that gives up ends the reading, and nothing else`(slices: Int) async throws {
    let path = try export(workouts: 2_000)
    for _ in 0..<20 {
      var taken = 0
      await #expect(throws: GivenUp.self) {
        try await ExportSlices(path: path).handOn { _ in
          if taken == slices { throw GivenUp() }
          taken += 1
        }
      }
    }
  }

  @Test func `a cancelled reading is no finished one`() async throws {
    let path = try export(workouts: 2_000)
    let task = Task {
      try await ExportSlices(path: path).handOn { _ in
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `every item is handed on, in order`() async throws {
    let path = try export(workouts: 1_500)
    var counts: [Int] = []
    try await ExportSlices(path: path).handOn { counts.append($0.count) }
    #expect(counts.reduce(0, +) == 1_500)
    #expect(counts.allSatisfy { $0 <= 256 })
  }
}
