internal import WatchTransfer

extension SurfaceText {
  /// Routines, one line each.
  static func lines(of routines: RoutinesFacet) -> [String] {
    routines.routines.map { "routine: \($0.title), \($0.text)" }
      + (routines.omitted > 0 ? ["routines: \(routines.omitted) more have no room"] : [])
  }

  /// The running session: its timer, its progress, its sets, and its rest.
  static func lines(of session: SessionFacet, at now: Instant) -> [String] {
    let timer = timerText(milliseconds: session.activeMilliseconds(at: now))
    var lines = [
      "session: \(session.title), \(session.phase.word), \(timer)",
      "  \(session.progress)",
    ]
    lines += session.sets.map { "  [x] \($0.text) (\($0.id))" }
    if !session.lastTime.isEmpty {
      lines.append("  last time: \(session.lastTime.map(\.text).joined(separator: ", "))")
    }
    if let rest = session.rest, rest.overAt > now {
      lines.append("  rest: \(timerText(milliseconds: rest.overAt.milliseconds(since: now))) left")
    }
    return lines
  }

  /// What is measured now: `live: 142 bpm, 210 kcal`; nothing once it is over.
  static func line(of live: LiveReading?, at now: Instant) -> String {
    guard let live, !live.isExpired(at: now) else { return "live: nothing" }
    let age = live.isStale(at: now) ? ", stale" : ""
    return printable("live: \(live.text) (measured at \(live.observedAt.rfc3339)\(age))")
  }

  /// The summary of the last session.
  static func lines(of summary: LastSessionFacet) -> [String] {
    var lines = ["last session: \(summary.text)"]
    lines += summary.exercises.map { "  \($0.name): \($0.text)" }
    lines += summary.records.map { "  record: \($0)" }
    return lines
  }
}
