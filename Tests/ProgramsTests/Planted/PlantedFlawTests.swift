import Glibc
import Testing

/// Shows that the fault simulator finds mistakes: each of these is noticed within a stated number
/// of stories, and the same build without any holds every promise.
@Suite(.serialized, .timeLimit(.minutes(15))) struct PlantedFlawTests {
  @Test func `every planted flaw is noticed`() async throws {
    let folder = try TemporaryFolder()
    let build = try await PlantedBuild(in: folder.path)
    let healthy = try await build.tell(1...40, flaw: 0)
    #expect(healthy.status == 0, "\(healthy.output.prefix(2_000))")
    for (index, flaw) in PlantedFlaw.all.enumerated() {
      let ending = try await build.tell(1...flaw.seedsMax, flaw: index + 1)
      // A broken promise, or an invariant of the product; not a run that had to be ended.
      let isNoticed = ending.status == 1 || Self.traps.contains(ending.signal ?? 0)
      #expect(isNoticed, "'\(flaw)' went unnoticed in \(flaw.seedsMax) stories: \(ending.errors)")
      print("planted: \(flaw): \(Self.words(of: ending))")
    }
    print("claim: planted flaws, each noticed: \(PlantedFlaw.all.count)")
  }

  private static let traps: Set<Int32> = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV]

  private static func words(of ending: ChildProcess.Ending) -> String {
    let lines = ending.output.split(separator: "\n")
    guard ending.status == 1, let seeds = lines.first?.prefix(while: { $0 != "," }),
      let promise = lines.first(where: { $0.hasPrefix("seed ") })
    else { return "a trap: \(ending.errors.split(separator: "\n").first ?? "")" }
    return "noticed in \(seeds): \(promise)"
  }
}
