public import WatchTransfer

/// Typed wishes about schedules, logs, weights and streaks, each one line over `submit`.
extension WatchClient {
  /// Plans a workout for every week, at a time of the wall clock in milliseconds.
  public func scheduleWeekly(
    _ workout: WorkoutReference, on weekdays: Weekdays, timeOfDay: Int64, from firstDay: CivilDay
  ) async throws(OutboxError) -> (ScheduleID, IncarnationNumber) {
    let id: ScheduleID = fresh()
    let action = Action.scheduleWeekly(
      id: id, workout: workout, weekdays: weekdays, timeOfDay: timeOfDay, firstDay: firstDay)
    return (id, try await submit(action))
  }

  /// Edits a plan from now on.
  public func editSchedule(
    _ id: ScheduleID, _ change: ScheduleChange
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.editSchedule(id: id, change))
  }

  /// Logs a weight.
  public func logWeight(
    _ weight: Weight, at moment: LoggedWeight.Moment, zoneID: String? = nil
  ) async throws(OutboxError) -> (WeightID, IncarnationNumber) {
    let id: WeightID = fresh()
    let logged = LoggedWeight(id: id, weight: weight, moment: moment, zoneID: zoneID)
    return (id, try await submit(.logWeight(logged)))
  }

  /// Takes a weight back.
  public func deleteWeight(_ id: WeightID) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.deleteWeight(id: id))
  }

  /// Edits a log.
  public func editLog(
    _ log: LogID, _ change: LogChange
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.editLog(log: log, change))
  }

  /// Deletes a log.
  public func deleteLog(_ log: LogID) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.deleteLog(log: log))
  }

  /// Grants the streak a freeze.
  public func grantFreeze() async throws(OutboxError) -> (FreezeID, IncarnationNumber) {
    let id: FreezeID = fresh()
    return (id, try await submit(.grantFreeze(id: id)))
  }

  /// Pauses the streak from a day on.
  public func pauseStreak(
    from day: CivilDay
  ) async throws(OutboxError) -> (PauseID, IncarnationNumber) {
    let id: PauseID = fresh()
    return (id, try await submit(.pauseStreak(id: id, from: day)))
  }

  /// Ends every pause; nil: from today on days count again.
  public func resumeStreak(
    from day: CivilDay? = nil
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.resumeStreak(from: day))
  }
}
