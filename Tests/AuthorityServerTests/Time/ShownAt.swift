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
  }
}

extension TestDevice {
  /// What its widgets show at a moment, by the snapshots that it fetches now.
  func widgets() throws -> [WidgetTimeline] {
    try WidgetKind.allCases.map { kind in
      try send(.fetch(Fetch(view: WidgetView(kind: kind, family: .large, appearance: .both))))
      let content = try wait { if case .snapshot(let shot) = $0 { shot.content } else { nil } }
      return try MessageDecoder(limits: .fromServer).decodeTimeline(content)
    }
  }
}

extension WidgetTimeline {
  /// What it says at a moment.
  func says(at moment: Instant) -> [String] {
    let entry = entries.current(at: moment)
    return (entry?.lines ?? []) + [entry?.spoken ?? "", entry?.theme.word ?? ""]
  }
}
