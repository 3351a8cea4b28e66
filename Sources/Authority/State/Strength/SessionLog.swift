internal import WatchTransfer

extension WorkoutSession {
  /// The log of a session that has ended: what it counts as on its day. Its id is the session's.
  var log: WorkoutLog? {
    guard let finish = clock.finish, let day = finish.day else { return nil }
    var log = WorkoutLog(
      id: id.retagged(), origin: .session, workout: nil, title: start?.title ?? "",
      start: startedAt, end: finish.stamp.at, day: day)
    log.activityType = start?.activityType ?? strengthActivity
    log.zoneID = finish.zoneID
    if clock.startedAt != nil { log.activeMilliseconds = clock.activeMilliseconds }
    let figures = figures
    log.energyKilocalories = figures.energy
    log.averageHeartRate = figures.averageHeartRate
    log.maximumHeartRate = figures.maximumHeartRate
    return log
  }

  /// Reps times load of the sets that count, in kilograms: no warm-ups, no assistance.
  var volumeKilograms: Double {
    sets.reduce(0) { sum, set in
      guard set.works, let load = set.weight.value?.kilograms, load > 0 else { return sum }
      return sum + load * Double(set.reps.value)
    }
  }
}

/// What a session by routine is an activity of.
package let strengthActivity = "traditionalStrengthTraining"

/// Estimated one-repetition maximum by Brzycki (1993), in the unit of `load`; nil where it is not
/// defined (DESIGN section 6, rule 7).
package func estimatedMaximum(load: Double, reps: Int) -> Double? {
  guard load > 0, (1...12).contains(reps) else { return nil }
  return load * 36 / Double(37 - reps)
}
