package import WatchTransfer

/// A set of civil days as runs of adjoining ones, so that years of daily logs are one run.
package struct DayRuns: Sendable, Equatable {
  /// By their numbers; in order, and no two adjoin.
  package private(set) var runs: [ClosedRange<Int32>] = []

  /// No days.
  package init() {}

  /// The first day of all.
  package var first: CivilDay? { runs.first.map { CivilDay(number: $0.lowerBound) } }

  /// The last day of all.
  package var last: CivilDay? { runs.last.map { CivilDay(number: $0.upperBound) } }

  /// Whether a day is among them.
  package func contains(_ day: CivilDay) -> Bool { run(holding: day) != nil }

  /// The run that a day is in.
  func run(holding day: CivilDay) -> ClosedRange<Int32>? {
    let index = index(reaching: day.number)
    guard index < runs.count, runs[index].lowerBound <= day.number else { return nil }
    return runs[index]
  }

  /// First day of the first run that begins after `day`.
  func start(after day: CivilDay) -> CivilDay? {
    let index = runs.partitionIndex { $0.lowerBound <= day.number }
    return index < runs.count ? CivilDay(number: runs[index].lowerBound) : nil
  }

  /// How many days lie from `first` to `last`.
  func count(from first: CivilDay, through last: CivilDay) -> Int {
    var count = 0
    var index = index(reaching: first.number)
    while index < runs.count, runs[index].lowerBound <= last.number {
      let from = max(runs[index].lowerBound, first.number)
      let through = min(runs[index].upperBound, last.number)
      count += Int(through) - Int(from) + 1
      index += 1
    }
    return count
  }

  /// Adds a day.
  mutating func insert(_ day: CivilDay) { insert(day.number...day.number) }

  /// Adds every day of a span.
  mutating func insert(_ span: ClosedRange<Int32>) {
    // Runs that touch the span become one with it.
    let first = runs.partitionIndex { Int64($0.upperBound) + 1 < Int64(span.lowerBound) }
    var end = first
    var merged = span
    while end < runs.count, Int64(runs[end].lowerBound) <= Int64(span.upperBound) + 1 {
      merged =
        min(merged.lowerBound, runs[end].lowerBound)...max(merged.upperBound, runs[end].upperBound)
      end += 1
    }
    runs.replaceSubrange(first..<end, with: [merged])
  }

  /// Takes a day out.
  mutating func remove(_ day: CivilDay) {
    let index = index(reaching: day.number)
    guard index < runs.count, runs[index].contains(day.number) else { return }
    let run = runs[index]
    var rest: [ClosedRange<Int32>] = []
    if run.lowerBound < day.number { rest.append(run.lowerBound...(day.number - 1)) }
    if day.number < run.upperBound { rest.append((day.number + 1)...run.upperBound) }
    runs.replaceSubrange(index...index, with: rest)
  }

  /// Index of the first run that ends at `number` or later.
  private func index(reaching number: Int32) -> Int {
    runs.partitionIndex { $0.upperBound < number }
  }
}
