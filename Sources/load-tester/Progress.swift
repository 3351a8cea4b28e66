internal import CommandLineTool
internal import Transport

/// Says on a terminal how far long work has come: a line a second.
struct Progress {
  private let what: String
  private let total: Int
  private var nextAt: MonotonicInstant

  /// Nothing is said within the first second.
  init(_ what: String, of total: Int) {
    self.what = what
    self.total = total
    nextAt = .now().advanced(by: .seconds(1))
  }

  /// `count` of all is done.
  mutating func reached(_ count: Int) {
    let now = MonotonicInstant.now()
    guard progressIsShown, now >= nextAt else { return }
    nextAt = now.advanced(by: .seconds(1))
    printError("\(what): \(count) of \(total)")
  }
}
