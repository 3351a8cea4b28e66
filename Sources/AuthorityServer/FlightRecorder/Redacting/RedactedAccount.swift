internal import Authority
internal import Storage
internal import WatchTransfer

extension Redactor {
  /// What is true of an account, without what its person wrote.
  func record(_ record: AccountRecord) -> AccountRecord {
    AccountRecord(
      state: state(record.state), ledger: ledger(record.ledger), epochs: record.epochs,
      delivery: delivery(record.delivery))
  }

  /// A checkpoint as the journal gave it. Facet rows of another build than `build` are not looked
  /// at, and left out.
  ///
  /// - Throws: `RedactionError` for one that makes no sense, and see `table`.
  func checkpoint(
    _ checkpoint: AccountCheckpoint, build: String
  ) throws(RedactionError) -> AccountCheckpoint {
    let original: AccountRecord
    let found: FacetTable?
    do throws(StoredFormError) {
      original = try AccountRecord(state: checkpoint.state, ledger: checkpoint.ledger)
      found = try FacetTable.decoded(checkpoint.facets, build: build)
    } catch {
      throw .unreadable("\(error)")
    }
    let redacted = record(original)
    let table = try found.map { (found) throws(RedactionError) in
      try self.table(
        found, of: original.state, redacted: redacted.state, account: checkpoint.account)
    }
    return AccountCheckpoint(
      account: checkpoint.account, throughRow: checkpoint.throughRow,
      state: redacted.encodedState, ledger: redacted.encodedLedger,
      facets: table?.encoded(build: build) ?? FacetTable().encoded(build: "another"))
  }

  private func ledger(_ ledger: Ledger) -> Ledger {
    Ledger(
      incarnations: ledger.incarnations.mapValues { known in
        IncarnationLedger(
          last: known.last, confirmed: known.confirmed,
          entries: known.entries.map {
            IncarnationLedger.Entry(bodyHash: bodyHash($0.bodyHash), outcome: outcome($0.outcome))
          },
          lost: known.lost, device: known.device, since: known.since, lastUsed: known.lastUsed)
      })
  }

  private func delivery(_ delivery: DeliveryReading) -> DeliveryReading {
    var delivery = delivery
    for index in delivery.newest.indices {
      delivery.newest[index].deviceName = placeholders.text(delivery.newest[index].deviceName)
    }
    return delivery
  }

  private func state(_ state: AccountState) -> AccountState {
    var state = state
    state.zone.rules = ZoneRules(
      id: zone(state.zone.rules.id), initialOffsetSeconds: state.zone.rules.initialOffsetSeconds,
      transitions: state.zone.rules.transitions)
    state.zone.periods = state.zone.periods.map {
      ZonePeriod(from: $0.from, zoneID: zone($0.zoneID))
    }
    var goals = GoalBook()
    for goal in state.goals.records {
      goals.edit(self.goal(goal.name), value: goal.value, by: goal.stamp)
    }
    state.goals = goals
    for index in state.workouts.indices {
      state.workouts[index].title = title(state.workouts[index].title)
      state.workouts[index].exercises = state.workouts[index].exercises.map {
        placeholders.text($0)
      }
    }
    var schedules = ScheduleBook()
    for var schedule in state.schedules.all {
      schedule.title = title(schedule.title)
      schedule.servedBy = schedule.servedBy.map { log($0) }
      schedules.insert(schedule)
    }
    state.schedules = schedules
    var logs = LogBook()
    for day in state.logs.days { for known in day.logs { logs.insert(log(known)) } }
    state.logs = logs
    state.things = Dictionary(
      state.things.map { (log($0.key.retagged()).retagged(), $0.value) },
      uniquingKeysWith: { first, _ in first })
    redactConsistency(of: &state)
    for known in state.matches.all { state.matches[known.id] = match(known) }
    redactStrength(of: &state)
    state.keymap.value = state.keymap.value.map { binding in
      guard case .markWorkout(let title) = binding.command else { return binding }
      var binding = binding
      binding.command = .markWorkout(title: self.title(title))
      return binding
    }
    return state
  }

  /// See `Placeholders.TextKind.title`.
  func title(_ title: String) -> String { placeholders.text(title, as: .title) }

  private func log(_ known: WorkoutLog) -> WorkoutLog {
    var log = WorkoutLog(
      id: log(known.id), origin: known.origin, workout: known.workout, title: title(known.title),
      start: known.start, end: known.end, day: known.day)
    log.activityType = title(known.activityType)
    log.zoneID = known.zoneID.map { zone($0) }
    log.activeMilliseconds = known.activeMilliseconds
    log.energyKilocalories = known.energyKilocalories
    log.distanceMeters = known.distanceMeters
    log.averageHeartRate = known.averageHeartRate
    log.maximumHeartRate = known.maximumHeartRate
    log.sourceName = known.sourceName.map { placeholders.text($0) }
    log.externalUUID = known.externalUUID.map { placeholders.text($0) }
    log.serves = known.serves
    log.notes = placeholders.text(known.notes)
    log.tags = known.tags.map { placeholders.text($0) }
    log.edits = known.edits
    return log
  }

  private func match(_ known: Match) -> Match {
    var match = known
    match.home.value = placeholders.text(match.home.value)
    match.away.value = placeholders.text(match.away.value)
    match.entries = match.entries.map {
      PointEntry(
        id: $0.id, team: $0.team, at: $0.at, device: $0.device,
        deviceName: placeholders.text($0.deviceName), isUndone: $0.isUndone)
    }
    match.lineUp.home.value = match.lineUp.home.value.map { player($0) }
    match.lineUp.away.value = match.lineUp.away.value.map { player($0) }
    match.lineUp.substitutions = match.lineUp.substitutions.map {
      SubstitutionEntry(
        id: $0.id, team: $0.team, off: $0.off, on: $0.on, at: $0.at, device: $0.device,
        deviceName: placeholders.text($0.deviceName), isUndone: $0.isUndone)
    }
    return match
  }

  private func player(_ known: SquadPlayer) -> SquadPlayer {
    var player = known
    player.name = placeholders.text(player.name)
    return player
  }
}
