internal import WatchTransfer

/// The shown match on a widget.
struct MatchWidget: WidgetContent {
  let family: WidgetFamily
  private let teams: TeamsFacet?
  private let score: (home: Int, away: Int)
  private let clock: MatchClockFacet?
  private let hasStarted: Bool

  /// The match that an account shows.
  init(state: AccountState, family: WidgetFamily) {
    self.family = family
    let projection = state.matches.shown.map { MatchProjection(match: $0) }
    teams = projection?.teams
    score = projection.map { ($0.match.score(of: .home), $0.match.score(of: .away)) } ?? (0, 0)
    clock = projection?.clock
    hasStarted = projection?.match.clock.firstStart != nil
  }

  /// The end of the half's regular time.
  var moments: [Instant] { clock?.halfOverAt.map { [$0] } ?? [] }

  /// The match at a moment; its running clock is a timer.
  func frame(at moment: Instant) -> WidgetFrame {
    guard let teams, let clock else { return placeholder }
    let isOver = clock.halfOverAt.map { $0 <= moment } ?? true
    let phase = phaseText(clock, isOver: isOver)
    var frame = WidgetFrame(
      lines: [],
      spoken: "\(teams.home) \(score.home), \(teams.away) \(score.away). \(phase).",
      symbol: clock.phase == .running ? "soccer.running" : "soccer")
    let result = "\(score.home)–\(score.away)"
    let width = family.lineCharactersMax
    switch family {
    case .circular, .corner:
      // A score that was cut would be another score.
      frame.lines = [result.count <= width ? result : "…"]
    case .inline:
      let room = max(3, (width - result.count - 2) / 2)
      let home = fitted(teams.home, characters: room, bytes: 48)
      let away = fitted(teams.away, characters: room, bytes: 48)
      frame.lines = ["\(home) \(result) \(away)"]
    case .small, .medium, .large, .rectangular:
      frame.lines = [line(teams.home, score.home), line(teams.away, score.away), phase]
    }
    if clock.phase == .running {
      frame.timerSince = clock.runningSince
      frame.timerElapsedMilliseconds = clock.elapsedMilliseconds
    }
    return frame
  }

  /// A team's name, cut so that its score stays.
  private func line(_ name: String, _ score: Int) -> String {
    let score = String(score)
    let room = family.lineCharactersMax - score.count - 1
    return "\(fitted(name, characters: room, bytes: 96)) \(score)"
  }

  private func phaseText(_ clock: MatchClockFacet, isOver: Bool) -> String {
    switch clock.phase {
    case .idle:
      hasStarted ? "Half \(clock.half) next" : "Not started"
    case .running: isOver ? "Stoppage, half \(clock.half)" : "Half \(clock.half)"
    case .paused: "Paused \(clockText(clock.elapsedMilliseconds))"
    case .ended: "Full time"
    }
  }

  /// `45:38`.
  private func clockText(_ milliseconds: Int64) -> String {
    let seconds = max(0, milliseconds) / 1_000
    let rest = seconds % 60
    return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
  }

  private var placeholder: WidgetFrame {
    let lines: [String] =
      switch family {
      case .circular, .corner: ["None"]
      case .small, .medium, .large, .rectangular, .inline: ["No match yet"]
      }
    return WidgetFrame(lines: lines, spoken: "No match yet.", symbol: "soccer")
  }
}
