public import WatchTransfer

/// The moments of events decided at `now` that are worth a haptic: a goal for a point, done for a
/// mark or a set. None for what happened over 5 s before: no week-old haptics (DESIGN section 3).
public func cues(of events: [Event], at now: Instant) -> [Cue] {
  events.compactMap { event in
    switch event {
    case .pointAdded(_, _, _, _, let by): cue(.goal, of: by, at: now)
    case .workoutMarked(_, let by): cue(.workoutDone, of: by, at: now)
    case .setCompleted(_, _, let by): cue(.setDone, of: by, at: now)
    default: nil
    }
  }
}

private func cue(_ kind: Cue.Kind, of occurrence: Occurrence, at now: Instant) -> Cue? {
  let age = now.milliseconds(since: occurrence.at)
  guard age <= AuthorityLimits.cueMilliseconds else { return nil }
  return Cue(kind: kind, at: occurrence.at)
}
