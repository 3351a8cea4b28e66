internal import CommandLineTool
internal import Simulation
internal import WatchTransfer

extension Campaign.Report {
  /// For programs; `milliseconds` is how long it took.
  func json(_ milliseconds: Int64) -> JSONValue {
    .object([
      ("seeds", .whole(seeds)), ("steps", .whole(steps)),
      ("projections", .whole(projections)),
      ("stepsPerSecond", .whole(steps * 1_000 / Int(milliseconds))),
      ("faults", .object(Self.sorted(faults).map { ($0.key, .whole($0.value)) })),
      ("applied", .object(Self.sorted(applied).map { ($0.key, .whole($0.value)) })),
      ("failures", .array(failures.map(\.json))),
    ])
  }

  /// For people; of a single story, `isWhole`, everything that was done.
  func text(_ milliseconds: Int64, isWhole: Bool) -> String {
    var lines = [
      "\(seeds) seeds, \(steps) steps, \(projections) fresh projections, "
        + "\(steps * 1_000 / Int(milliseconds)) steps/s"
    ]
    for (kind, count) in Self.sorted(faults) { lines.append("  \(count) × \(kind)") }
    lines.append("  applied actions: \(applied.values.reduce(0, +)) of \(applied.count) kinds")
    for failure in failures { lines += failure.lines(isWhole: isWhole) }
    if failures.isEmpty { lines.append("every promise held") }
    return lines.joined(separator: "\n")
  }

  private static func sorted(_ counts: [String: Int]) -> [(key: String, value: Int)] {
    counts.sorted { $0.key < $1.key }
  }
}

extension Campaign.Failure {
  fileprivate var json: JSONValue {
    .object([
      ("seed", .string("\(seed)")), ("step", .whole(step)), ("promise", .string(promise)),
      ("story", .array(story.map { .string($0) })),
      (
        "shortest",
        shortest.map {
          .object([
            ("moves", .whole($0.moves)), ("promise", .string($0.promise)),
            ("story", .array($0.story.map { .string($0) })),
          ])
        } ?? .null
      ),
    ])
  }

  fileprivate func lines(isWhole: Bool) -> [String] {
    var lines = ["seed \(seed) broke a promise at step \(step): \(promise)"]
    if isWhole || shortest == nil {
      lines += story.suffix(isWhole ? story.count : 40).map { "    \($0)" }
    }
    if let shortest {
      lines.append("  and with \(shortest.moves) of its moves: \(shortest.promise)")
      lines += shortest.story.map { "    \($0)" }
    }
    return lines
  }
}
