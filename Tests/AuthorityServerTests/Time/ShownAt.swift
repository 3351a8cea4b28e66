import TestSupport
import WatchTransfer
import WireFormat

/// What a surface shows at a moment from the facets it has: it only picks entries.
struct ShownAt: Equatable {
  var day: CivilDay?
  var items: [String] = []
  var greeting: String?
  var streakDays: Int?
  var todayDone: Bool?
  var lostAt: Instant?
  var theme: Appearance?
  var goals: [String] = []
  /// What does not change by itself: timers run from their anchors, and end at moments that are
  /// there from the start.
  var score: ScoreFacet?
  var clock: MatchClockFacet?
  var session: SessionFacet?
  var lastSession: LastSessionFacet?

  init(_ state: SurfaceState, at moment: Instant) throws {
    if case .today(let today) = try state.facet(.today) {
      let entry = today.days.current(at: moment)
      day = entry?.day
      items = entry?.items.map { "\($0.title) \($0.text)" } ?? []
      greeting = today.greetings.current(at: moment)?.text
    }
    if case .streak(let streak) = try state.facet(.streak) {
      let entry = streak.entries.current(at: moment)
      streakDays = entry?.days
      todayDone = entry?.todayDone
      lostAt = entry?.lostAt
    }
    if case .theme(let theme) = try state.facet(.theme) {
      self.theme = theme.flips.current(at: moment)?.to
    }
    if case .goals(let goals) = try state.facet(.goals) {
      self.goals = goals.goals.map { goal in
        "\(goal.name) \(goal.progress.current(at: moment)?.text ?? "–")"
      }
    }
    if case .score(let facet) = try state.facet(.score) { score = facet }
    if case .matchClock(let facet) = try state.facet(.matchClock) { clock = facet }
    if case .session(let facet) = try state.facet(.session) { session = facet }
    if case .lastSession(let facet) = try state.facet(.lastSession) { lastSession = facet }
  }
}

extension TestDevice {
  /// What its widgets show at a moment, by the snapshots that it fetches now: each kind in each
  /// family.
  func widgets() throws -> [WidgetTimeline] {
    let views = WidgetKind.allCases.flatMap { kind in
      WidgetFamily.allCases.map { WidgetView(kind: kind, family: $0, appearance: .both) }
    }
    return try views.map { view in
      try send(.fetch(Fetch(view: view)))
      let content = try wait { if case .snapshot(let shot) = $0 { shot.content } else { nil } }
      return try MessageDecoder(limits: .fromServer).decodeTimeline(content)
    }
  }
}

/// What a widget says at a moment.
struct WidgetSays: Equatable {
  var lines: [String] = []
  var spoken = ""
  /// Symbol, theme and timer.
  var rest: [String] = []

  init(_ timeline: WidgetTimeline, at moment: Instant) {
    guard let entry = timeline.entries.current(at: moment) else { return }
    lines = entry.lines
    spoken = entry.spoken
    rest = [
      entry.symbol, entry.theme.word, "\(entry.timerSince?.milliseconds ?? -1)",
      "\(entry.timerElapsedMilliseconds ?? -1)",
    ]
  }

  /// Whether it is the same with less detail, as the later days of a timeline are that has to fit
  /// into its 4 KiB: fewer lines, texts that are cut.
  func isBeginning(of other: WidgetSays) -> Bool {
    func isCut(_ text: String, from whole: String) -> Bool {
      text == whole || text.hasSuffix("…") && whole.hasPrefix(text.dropLast())
    }
    return rest == other.rest && isCut(spoken, from: other.spoken) && !lines.isEmpty
      && lines.count <= other.lines.count
      && zip(lines, other.lines).allSatisfy { isCut($0, from: $1) }
  }
}
