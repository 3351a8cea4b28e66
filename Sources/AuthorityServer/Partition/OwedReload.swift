/// A reload that is owed, from the change until the widget has fetched; times by the monotonic
/// clock, in milliseconds. `pause` is the server's `reloadPauseMilliseconds`.
struct OwedReload: Equatable {
  /// When it is told next.
  var dueAt: Int64
  /// When it was told last; nil: never.
  var toldAt: Int64?
  /// How often it was told since the last change, as far as it matters.
  var told = 0
  /// Whether a goal was scored or a workout done.
  var isBigMoment: Bool

  /// Without further changes it is told again after so many pauses, the last over and over.
  private static let waits: [Int64] = [5, 15, 60, 240]
  /// What `told` may be.
  static var toldRange: ClosedRange<Int> { 0...waits.count - 1 }

  /// Owed since `now`.
  init(at now: Int64, isBigMoment: Bool) {
    dueAt = now
    self.isBigMoment = isBigMoment
  }

  /// What would be shown changed once more: told at once, or after a pause to a widget that has not
  /// fetched since it was told last.
  mutating func change(at now: Int64, isBigMoment: Bool, pause: Int64) {
    told = 0
    self.isBigMoment = self.isBigMoment || isBigMoment
    if let toldAt { dueAt = min(dueAt, max(now, toldAt + pause)) }
  }

  /// It is told.
  mutating func tell(at now: Int64, pause: Int64) {
    dueAt = now + Self.waits[told] * pause
    toldAt = now
    told = min(told + 1, Self.waits.count - 1)
  }

  /// The budget does not allow it: whether it is back is looked up after a pause.
  mutating func postpone(at now: Int64, pause: Int64) {
    dueAt = now + pause
  }
}
