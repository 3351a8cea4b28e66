public import WatchTransfer

/// A widget's timeline as of the account's newest turn: right each day up to the horizon when
/// nothing more arrives, and at most `snapshotBytesMax` on the wire (DESIGN section 7).
public func timeline(_ state: AccountState, _ view: WidgetView) -> WidgetTimeline {
  let content: any WidgetContent =
    switch view.kind {
    case .streak: StreakWidget(state: state, family: view.family)
    case .today: TodayWidget(state: state, family: view.family)
    case .match: MatchWidget(state: state, family: view.family)
    case .week: WeekWidget(state: state, family: view.family)
    case .trend: TrendWidget(state: state, family: view.family)
    case .session: SessionWidget(state: state, family: view.family)
    }
  return TimelineBuilder(state: state, view: view, content: content).timeline
}

/// A snapshot's content takes at most this many bytes (DESIGN section 7).
public let snapshotBytesMax = 4_096

/// What one kind of widget says.
protocol WidgetContent {
  /// When it changes besides midnights and theme flips.
  var moments: [Instant] { get }

  /// What 1000 of a frame's points stands for; nil: there are none.
  var domainMaximum: Int? { get }

  /// What it says from `moment` on, when nothing more arrives.
  func frame(at moment: Instant) -> WidgetFrame
}

extension WidgetContent {
  /// Most widgets draw nothing.
  var domainMaximum: Int? { nil }
}

/// What a widget says from some moment on, before it is cut to the room there is.
struct WidgetFrame: Equatable {
  /// The most important first.
  var lines: [String]
  var spoken: String
  var symbol: String
  var number: Int?
  /// 0 to 1000.
  var progressPermille: Int?
  /// When a running timer showed `timerElapsedMilliseconds`.
  var timerSince: Instant?
  var timerElapsedMilliseconds: Int64?
  /// Heights of a curve, 0 to 1000.
  var points: [Int] = []

  /// Text only.
  init(lines: [String], spoken: String, symbol: String) {
    self.lines = lines
    self.spoken = spoken
    self.symbol = symbol
  }
}
