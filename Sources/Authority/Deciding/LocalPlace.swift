internal import WatchTransfer

/// A zone's rules around a moment, to tell days apart there.
struct LocalPlace {
  let rules: ZoneRules

  /// The civil day at `instant`.
  func day(at instant: Instant) -> CivilDay { rules.day(at: instant) }
}

extension Decider {
  /// How far around a moment rules are asked for: schedules of its day lie within.
  private var aroundMilliseconds: Int64 { 3 * 86_400_000 }

  /// The zone an act of this device counts in: its own, else one with its offset, else the
  /// account's at that time (DESIGN section 6, rule 2).
  func place(ofActAt instant: Instant) -> LocalPlace {
    guard let stamp = context.zone else { return place(ofAccountAt: instant) }
    if let place = place(inZone: stamp.id, at: instant) { return place }
    let offset = min(max(stamp.offsetSeconds, -64_800), 64_800)
    return LocalPlace(
      rules: ZoneRules(id: stamp.id, initialOffsetSeconds: offset, transitions: []))
  }

  /// The zone a logged workout counts in: its own, else the account's at its end.
  func place(of workout: LoggedWorkout) -> LocalPlace {
    if let id = workout.zoneID, let place = place(inZone: id, at: workout.end) { return place }
    return place(ofAccountAt: workout.end)
  }

  /// The zone a log counts in.
  func place(of log: WorkoutLog) -> LocalPlace {
    if let id = log.zoneID, let place = place(inZone: id, at: log.end) { return place }
    return place(ofAccountAt: log.end)
  }

  /// The zone a log counts in, with its rules around another moment.
  func place(of log: WorkoutLog, at instant: Instant) -> LocalPlace {
    if let id = log.zoneID, let place = place(inZone: id, at: instant) { return place }
    return place(ofAccountAt: instant)
  }

  /// The zone a weight counts in: its own, else that of the act.
  func place(of weight: LoggedWeight, at instant: Instant) -> LocalPlace {
    if let id = weight.zoneID, let place = place(inZone: id, at: instant) { return place }
    return place(ofActAt: instant)
  }

  /// The account's zone at a moment; before the first that is known, that one.
  func place(ofAccountAt instant: Instant) -> LocalPlace {
    place(inZone: state.zone.zoneID(at: instant), at: instant)
      ?? LocalPlace(rules: state.zone.rules)
  }

  private func place(inZone id: String, at instant: Instant) -> LocalPlace? {
    let known = state.zone.rules
    if let turn = state.newestTurn, sameBytes(id, known.id),
      abs(instant.milliseconds(since: turn)) <= 7 * 86_400_000
    {
      return LocalPlace(rules: known)
    }
    let rules = context.zones.rules(
      for: id, from: instant.advanced(milliseconds: -aroundMilliseconds),
      to: instant.advanced(milliseconds: aroundMilliseconds))
    return rules.map { LocalPlace(rules: $0) }
  }
}
