internal import WatchTransfer

/// The running session on a widget; while none runs, what is known of the last one.
struct SessionWidget: WidgetContent {
  let family: WidgetFamily
  private let content: Content

  /// What there is to show.
  private enum Content {
    case running(Running)
    case summary(LastSessionFacet, ended: String)
    /// Whether there was one before.
    case none(hasEnded: Bool)
  }

  /// A session with its words, as they stay right for a week.
  private struct Running {
    let facet: SessionFacet
    /// Name of the exercise that is shown; nil: there is none.
    let exercise: String?
    /// `set 2 of 3`, `3 of 3 done`; nil: there is nothing to count.
    let sets: String?
    /// `2/3`.
    let shortSets: String
    /// What to do next: `5 × 100 kg`.
    let next: String?
    /// When its rest is over: `18:05`.
    let restUntil: String?
    /// Sets done in all, warm-ups left out.
    let doneSets: Int
    /// When it was last heard of, and from when nobody can say any more that it runs.
    let heardAt: String
    let silentFrom: Instant
  }

  /// The session that an account shows.
  init(state: AccountState, family: WidgetFamily) {
    self.family = family
    if let session = state.sessions.shown {
      content = .running(Self.running(session, of: state))
    } else if let summary = LastSessionProjection(state: state).facet {
      content = .summary(summary, ended: state.momentText(summary.endedAt))
    } else {
      content = .none(hasEnded: state.sessions.lastEnded != nil)
    }
  }

  private static func running(_ session: WorkoutSession, of state: AccountState) -> Running {
    let facet = SessionProjection(state: state, session: session).facet
    let position = facet.position
    let shown = facet.exercises.indices.contains(position) ? facet.exercises[position] : nil
    let done = session.workingSets(at: position).count
    let target = shown?.targetSets ?? 0
    let isDone = target > 0 && done >= target
    let hasSets = shown != nil || !session.sets.isEmpty
    let count = isDone ? "\(done) of \(target) done" : "set \(done + 1)"
    let unit = WeightUnit(state.settings.units.value)
    return Running(
      facet: facet, exercise: shown?.name,
      sets: hasSets ? target == 0 || isDone ? count : "\(count) of \(target)" : nil,
      shortSets: target > 0 ? "\(done)/\(target)" : "\(done)",
      next: isDone ? nil : facet.reps.map { setText(reps: $0, weight: facet.weight, in: unit) },
      restUntil: facet.rest.map { state.clockText($0.overAt) },
      doneSets: session.sets.count { $0.works },
      heardAt: state.momentText(session.lastFact),
      silentFrom: session.lastFact.advanced(
        milliseconds: AuthorityLimits.stubIdleMilliseconds))
  }

  /// The end of a rest; and when nothing was heard for so long that the session has most likely
  /// ended where nobody could tell.
  var moments: [Instant] {
    guard case .running(let running) = content else { return [] }
    return [running.silentFrom] + (running.facet.rest.map { [$0.overAt] } ?? [])
  }

  /// The session at a moment; its running clock is a timer.
  func frame(at moment: Instant) -> WidgetFrame {
    switch content {
    case .running(let running):
      moment >= running.silentFrom ? silent(running) : frame(of: running, at: moment)
    case .summary(let summary, let ended): frame(of: summary, ended: ended)
    case .none(let hasEnded): placeholder(hasEnded: hasEnded)
    }
  }

  private func frame(of running: Running, at moment: Instant) -> WidgetFrame {
    let facet = running.facet
    let isPaused = facet.phase == .paused
    let rest = facet.rest.flatMap { moment < $0.overAt ? running.restUntil : nil }
    // A session that was started by an activity may have nothing to count.
    let doing = [running.exercise, running.sets].compactMap(\.self).joined(separator: ", ")
    let state = isPaused ? "Paused" : rest.map { "Rest until \($0)" } ?? running.next
    var spoken = [facet.title, doing, state ?? ""].filter { !$0.isEmpty }
    if isPaused, let rest { spoken.append("rest until \(rest)") }
    var frame = WidgetFrame(
      lines: [], spoken: spoken.joined(separator: ". ") + ".",
      symbol: facet.phase == .running ? "session.running" : "session")
    switch family {
    case .circular, .corner:
      frame.lines = [running.sets == nil ? isPaused ? "Paused" : "On" : running.shortSets]
    case .inline: frame.lines = [doing.isEmpty ? facet.title : doing]
    case .small, .rectangular:
      frame.lines = [running.exercise ?? facet.title, running.sets, state].compactMap(\.self)
    case .medium, .large:
      frame.lines = [facet.title, doing.isEmpty ? nil : doing, running.next].compactMap(\.self)
      if isPaused || rest != nil, let state { frame.lines.append(state) }
    }
    frame.number = running.doneSets
    if let shown = facet.exercises.indices.contains(facet.position)
      ? facet.exercises[facet.position] : nil, shown.targetSets > 0
    {
      frame.progressPermille = min(1_000, shown.doneSets * 1_000 / shown.targetSets)
    }
    if facet.phase == .running {
      frame.timerSince = facet.runningSince
      frame.timerElapsedMilliseconds = facet.activeMilliseconds
    }
    return frame
  }

  /// Nothing was heard for half a day: no timer runs on that nobody can vouch for.
  private func silent(_ running: Running) -> WidgetFrame {
    let title = running.facet.title
    var frame = WidgetFrame(
      lines: [], spoken: "\(title), last heard of \(running.heardAt).", symbol: "session")
    switch family {
    case .circular, .corner: frame.lines = ["?"]
    case .inline: frame.lines = ["Last news \(running.heardAt)"]
    case .small, .medium, .large, .rectangular:
      frame.lines = [title, "Last news", running.heardAt]
    }
    return frame
  }

  private func frame(of summary: LastSessionFacet, ended: String) -> WidgetFrame {
    let shown = summary.activeMilliseconds ?? summary.spanMilliseconds
    let minutes = shown / 60_000
    let sets = summary.setCount > 0 ? counted(summary.setCount, "set") : nil
    let figures = ["\(minutes) min", sets].compactMap(\.self).joined(separator: ", ")
    var frame = WidgetFrame(
      lines: [], spoken: "\(summary.spoken). Ended \(ended).", symbol: "session")
    switch family {
    case .circular, .corner: frame.lines = ["\(minutes) m"]
    case .inline: frame.lines = ["Last: \(figures)"]
    case .small, .rectangular: frame.lines = [summary.title, figures, ended]
    case .medium, .large:
      frame.lines = [summary.title, figures, "Ended \(ended)"]
      frame.lines += summary.exercises.map { "\($0.name) \($0.text)" }
    }
    frame.number = summary.setCount
    return frame
  }

  private func placeholder(hasEnded: Bool) -> WidgetFrame {
    let text = hasEnded ? "No session now" : "No session yet"
    let lines: [String] =
      switch family {
      case .circular, .corner: ["None"]
      case .inline: [text]
      case .small, .medium, .large, .rectangular: [text, "Start one"]
      }
    return WidgetFrame(lines: lines, spoken: "\(text).", symbol: "session")
  }
}
