internal import WatchTransfer

/// What stands on each page.
extension WatchScreen {
  /// A row of a page.
  struct Row {
    var text: String
    /// Whether a key may act on it.
    var isSelectable = false
  }

  /// The rows of the page that is shown.
  func rows(of scene: WatchScene) -> [Row] {
    if scene.facets.isEmpty, page != .outbox { return [Row(text: "nothing was shown yet")] }
    switch page {
    case .today: return todayRows(of: scene)
    case .session: return sessionRows(of: scene)
    case .match: return matchRows(of: scene)
    case .streak: return streakRows(of: scene)
    case .outbox: return outboxRows(of: scene)
    }
  }

  /// What waits here, below what is known of the other devices, of what did not arrive, and of the
  /// backup.
  private func outboxRows(of scene: WatchScene) -> [Row] {
    var readings = scene.readings
    readings[.live] = nil
    let rows = SurfaceText.lines(of: readings, at: scene.now).map { Row(text: $0) }
    if scene.kept.isEmpty { return rows + [Row(text: "the outbox is empty")] }
    return rows
      + scene.kept.map {
        Row(text: "\($0.id.number) \($0.kind): \($0.stage)", isSelectable: true)
      }
  }

  /// Rows of a page that can be selected.
  func selectableCount(of scene: WatchScene) -> Int {
    rows(of: scene).count(where: \.isSelectable)
  }

  private func todayRows(of scene: WatchScene) -> [Row] {
    guard let today = scene.today, let day = today.days.current(at: scene.now) else {
      return [Row(text: "today is not known")]
    }
    var rows = [Row(text: "\(day.day)")]
    if let greeting = today.greetings.current(at: scene.now) {
      rows[0].text += " · \(greeting.text)"
    }
    if day.items.isEmpty { rows.append(Row(text: "nothing is planned, nothing is done")) }
    return rows
      + day.items.map {
        Row(text: "[\($0.done ? "x" : " ")] \($0.title), \($0.text)", isSelectable: true)
      }
  }

  private func sessionRows(of scene: WatchScene) -> [Row] {
    guard let session = scene.session else {
      var rows = scene.lastSession.map { [Row(text: "last: \($0.text)")] } ?? []
      let routines = scene.routines?.routines ?? []
      rows.append(
        Row(text: routines.isEmpty ? "no session runs, and there is no routine" : "start:"))
      return rows + routines.map { Row(text: "\($0.title), \($0.text)", isSelectable: true) }
    }
    let timer = timerText(milliseconds: session.activeMilliseconds(at: scene.now))
    var rows = [
      Row(text: "\(session.title) · \(session.phase.word) · \(timer)"),
      Row(text: session.progress),
    ]
    if let live = scene.live { rows.append(Row(text: SurfaceText.line(of: live, at: scene.now))) }
    if let rest = session.rest, rest.overAt > scene.now {
      let left = timerText(milliseconds: rest.overAt.milliseconds(since: scene.now))
      rows.append(Row(text: "rest \(left)"))
    }
    rows += session.exercises.enumerated().map { index, exercise in
      let done =
        exercise.targetSets > 0
        ? "\(exercise.doneSets)/\(exercise.targetSets)" : "\(exercise.doneSets)"
      return Row(
        text: "\(index == session.position ? "*" : " ") \(exercise.name) \(done)",
        isSelectable: true)
    }
    return rows + session.sets.map { Row(text: "   \($0.text)") }
  }

  private func matchRows(of scene: WatchScene) -> [Row] {
    guard let teams = scene.teams else { return [Row(text: "there is no match")] }
    var rows: [Row] = []
    if let score = scene.score {
      rows.append(Row(text: "\(teams.home) \(score.home) – \(score.away) \(teams.away)"))
    } else {
      rows.append(Row(text: "\(teams.home) – \(teams.away)"))
    }
    if let clock = scene.clock {
      rows.append(Row(text: SurfaceText.line(of: clock, at: scene.now)))
    }
    return rows
      + (scene.score?.entries.reversed() ?? []).map { entry in
        let name = entry.team == .home ? teams.home : teams.away
        return Row(text: "\(entry.minute.map { "\($0)′" } ?? "–") \(name), by \(entry.by)")
      }
  }

  private func streakRows(of scene: WatchScene) -> [Row] {
    var facets: [FacetKind: Facet] = [:]
    facets[.streak] = scene.facets[.streak]
    facets[.goals] = scene.facets[.goals]
    var rows = SurfaceText.lines(of: facets, at: scene.now).map { Row(text: $0) }
    if let entry = scene.streak?.entries.current(at: scene.now) {
      let today =
        entry.isPaused ? "the streak is paused" : entry.todayDone ? "done today" : "open today"
      rows.insert(Row(text: today), at: min(1, rows.count))
    }
    return rows
  }
}
