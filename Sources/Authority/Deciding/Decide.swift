public import WatchTransfer

/// What follows from an action in a state: pure, total, and the same on any machine. Rights are
/// checked first; the caller has no others to check.
public func decide(_ state: AccountState, _ action: Action, _ context: ActionContext) -> Decision {
  do throws(Rejection) {
    guard context.device.kind.may(.offer), context.device.kind.may(action.demand) else {
      throw .refused(.forbidden)
    }
    let events = try Decider(state: state, context: context).events(of: action)
    return Decision(events: events, outcome: .applied)
  } catch {
    if context.isReoffered, !error.holdsWhenReoffered {
      return Decision(events: [], outcome: .applied)
    }
    switch error {
    case .refused(let reason): return Decision(events: [], outcome: .refused(reason))
    case .expired: return Decision(events: [], outcome: .expired)
    }
  }
}

/// The rules, one method an action; each throws the rejection or returns the events.
struct Decider {
  let state: AccountState
  let context: ActionContext

  /// What events keep of when and where.
  var by: Occurrence { context.occurrence }

  /// The events that an action has.
  func events(of action: Action) throws(Rejection) -> [Event] {
    switch action {
    case .defineWorkout(let id, let title, let exercises):
      try defineWorkout(id, title: title, exercises: exercises)
    case .editWorkout(let id, let title, let exercises):
      try editWorkout(id, title: title, exercises: exercises)
    case .deleteWorkout(let id): try deleteWorkout(id)
    case .scheduleWorkout(let id, let workout, let at):
      try scheduleWorkout(id, workout, at: at)
    case .unscheduleWorkout(let id): try unscheduleWorkout(id)
    case .markWorkout(let log, let workout): try markWorkout(log, workout)
    case .unmarkWorkout(let workout): try unmarkWorkout(workout)
    case .logWorkout(let workout): try logWorkout(workout)
    case .setTheme(let mode): try setTheme(mode)
    case .setPalette(let palette): try setPalette(palette)
    case .setGoal(let name, let value): try setGoal(name, value: value)
    case .setPreferences(let change): try setPreferences(change)
    case .setZone(let id): try setZone(id)
    case .newMatch(let id, let home, let away, let halfLength, let extraHalf):
      try newMatch(
        id, home: home, away: away, halves: HalfLengths(regular: halfLength, extra: extraHalf))
    case .nameTeam(let match, let team, let name): try nameTeam(match, team, name)
    case .addPoint(let entry, let match, let team, let insist):
      try addPoint(entry, match, team, insist: insist)
    case .undoPoint(let match, let entry): try undoPoint(match, entry)
    case .controlClock(let match, let control): try controlClock(match, control)
    case .takeOverMatch(let match): try takeOver(match)
    case .setSquad(let match, let team, let players): try setSquad(match, team, players)
    case .substitute(let id, let match, let team, let off, let on):
      try substitute(id, match, team, off: off, on: on)
    case .undoSubstitution(let match, let id): try undoSubstitution(match, id)
    case .setKeymap(let bindings): try setKeymap(bindings)
    case .press(let button, let gesture): try press(button, gesture)
    case .scheduleWeekly, .editSchedule, .logWeight, .deleteWeight, .editLog, .deleteLog,
      .grantFreeze, .pauseStreak, .resumeStreak:
      try consistencyEvents(of: action)
    case .attachPhoto(let log, let hash): try attachPhoto(log, hash)
    case .removePhoto(let log): try removePhoto(log)
    default: try strengthEvents(of: action)
    }
  }

  private func consistencyEvents(of action: Action) throws(Rejection) -> [Event] {
    switch action {
    case .scheduleWeekly(let id, let workout, let weekdays, let timeOfDay, let firstDay):
      try scheduleWeekly(id, workout, on: weekdays, timeOfDay: timeOfDay, from: firstDay)
    case .editSchedule(let id, let change): try editSchedule(id, change)
    case .logWeight(let weight): try logWeight(weight)
    case .deleteWeight(let id): try deleteWeight(id)
    case .editLog(let log, let change): try editLog(log, change)
    case .deleteLog(let log): try deleteLog(log)
    case .grantFreeze(let id): try grantFreeze(id)
    case .pauseStreak(let id, let day): try pauseStreak(id, from: day)
    case .resumeStreak(let day): try resumeStreak(from: day)
    default: throw .refused(.unsupported)
    }
  }

  /// Refuses unless `id` names nothing: `gone` when it named a thing of this kind, else `taken`.
  func requireFree<Tag>(_ id: Identifier<Tag>, for kind: ThingKind) throws(Rejection) {
    if ExerciseLibrary.isReserved(id) { throw .refused(.taken) }
    switch state.thing(id) {
    case nil:
      try requireRoom(state.things.count, AuthorityLimits.identifiersMax, of: "ids")
    case .gone(let former) where former == kind: throw .refused(.gone)
    default: throw .refused(.taken)
    }
  }

  /// Refuses when `count` things are as many as there may be. What is offered again after a restore
  /// has room for as many once more: what others did first must not displace it, but no claim of a
  /// client lifts the bound on memory and facets.
  func requireRoom(_ count: Int, _ max: Int, of what: String) throws(Rejection) {
    let bound = context.isReoffered ? 2 * max : max
    if count >= bound { throw .refused(.limit(of: what)) }
  }

  /// Refuses a name that is empty or too long.
  func requireName(_ name: String, field: String) throws(Rejection) {
    guard !name.isEmpty, name.utf8.count <= ActionLimits.nameBytesMax else {
      throw .refused(.invalid(field: field))
    }
  }

  /// Whether an edit now replaces a field stamped `stamp`.
  func wins(over stamp: FieldStamp?) -> Bool { stamp?.yields(to: by.stamp) ?? true }

  /// Refuses an edit none of whose fields wins over what later edits set.
  func requireWinner(_ hasWinner: Bool) throws(Rejection) {
    if !hasWinner { throw .refused(.superseded) }
  }
}
