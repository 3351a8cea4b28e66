internal import WatchTransfer

/// How long players of a match have played: from the line-up, the substitutions and the spans in
/// which the clock ran, and nothing else. A paused clock plays nobody; a half that is reset was not
/// played, as on the clock. Who is never substituted has played what the halves ran.
struct PlayTime {
  /// A player's time as an anchor.
  struct Anchor: Equatable {
    var elapsedMilliseconds: Int64 = 0
    var runningSince: Instant?
  }

  /// While the clock ran; nil: it runs.
  private struct Span {
    let half: Int
    let start: Instant
    let end: Instant?
  }

  /// While somebody was on the field; nil: from the beginning on, and still.
  private struct Stay {
    let from: Instant?
    var to: Instant?
  }

  private var spans: [Span] = []
  private var stays: [PlayerID: [Stay]] = [:]

  /// The times of a match.
  init(_ match: Match) {
    spans = Self.spans(of: match)
    for player in match.lineUp.home.value + match.lineUp.away.value where player.starts {
      stays[player.id] = [Stay(from: nil, to: nil)]
    }
    for entry in match.lineUp.substitutions where !entry.isUndone {
      if isOnField(entry.off), let last = stays[entry.off]?.indices.last {
        stays[entry.off]?[last].to = entry.at
      }
      if !isOnField(entry.on) {
        stays[entry.on, default: []].append(Stay(from: entry.at, to: nil))
      }
    }
  }

  /// Whether the player is on the field, after all substitutions.
  func isOnField(_ player: PlayerID) -> Bool {
    stays[player]?.last.map { $0.to == nil } ?? false
  }

  /// A player's time.
  func anchor(of player: PlayerID) -> Anchor {
    var anchor = Anchor()
    for stay in stays[player] ?? [] {
      let before = stay.from.map { played(until: $0) } ?? 0
      if let to = stay.to {
        anchor.elapsedMilliseconds &+= played(until: to) &- before
      } else if let open = spans.last, open.end == nil {
        let since = max(open.start, stay.from ?? open.start)
        anchor.elapsedMilliseconds &+= played(until: since) &- before
        anchor.runningSince = since
      } else {
        anchor.elapsedMilliseconds &+= played(until: nil) &- before
      }
    }
    return anchor
  }

  /// For how long the clock ran up to `moment`, in milliseconds; nil: in all, if it does not run.
  private func played(until moment: Instant?) -> Int64 {
    var sum: Int64 = 0
    for span in spans {
      let end = [span.end, moment].compactMap(\.self).min() ?? span.start
      sum &+= max(0, end.milliseconds(since: span.start))
    }
    return sum
  }

  /// When the clock of a match ran, in order.
  private static func spans(of match: Match) -> [Span] {
    var spans: [Span] = []
    var clock = MatchClock(halves: match.halves)
    for entry in match.controls {
      let before = clock
      clock.take(entry)
      if let since = before.runningSince, clock.runningSince != since {
        spans.append(Span(half: before.half, start: since, end: entry.stamp.at))
      }
      if entry.control == .reset, before.phase != .ended {
        spans.removeAll { $0.half == before.half }
      }
    }
    if let since = clock.runningSince {
      spans.append(Span(half: clock.half, start: since, end: nil))
    }
    return spans
  }
}
