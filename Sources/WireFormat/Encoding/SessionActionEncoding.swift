import CProtobufC
import CWireProto
internal import Guards
import WatchTransfer

/// Actions on a session.
extension MessageEncoder {
  /// Makes `body` carry `action` when it is one on a session.
  func fillSession(_ body: UnsafeMutablePointer<Wristwire__V1__ActionBody>, _ action: Action) {
    switch action {
    case .startSession(let id, let plan):
      let start = arena.make(wristwire__v1__start_session__init)
      put(arena.id(id), &start.pointee.has_session_id, &start.pointee.session_id)
      switch plan {
      case .routine(let routine):
        start.pointee.plan_case = WRISTWIRE__V1__START_SESSION__PLAN_ROUTINE_ID
        start.pointee.routine_id = arena.id(routine)
      case .activity(let type):
        start.pointee.plan_case = WRISTWIRE__V1__START_SESSION__PLAN_ACTIVITY_TYPE
        start.pointee.activity_type = arena.text(type)
      }
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_START_SESSION
      body.pointee.start_session = start
    case .selectExercise(let session, let position):
      let select = arena.make(wristwire__v1__select_exercise__init)
      put(arena.id(session), &select.pointee.has_session_id, &select.pointee.session_id)
      put(UInt32(clamping: position), &select.pointee.has_position, &select.pointee.position)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_SELECT_EXERCISE
      body.pointee.select_exercise = select
    case .restSession(let session, let seconds):
      let rest = arena.make(wristwire__v1__rest_session__init)
      put(arena.id(session), &rest.pointee.has_session_id, &rest.pointee.session_id)
      put(
        seconds.map { UInt32(clamping: $0) }, &rest.pointee.has_seconds, &rest.pointee.seconds)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_REST_SESSION
      body.pointee.rest_session = rest
    case .controlSession(let session, let control):
      let message = arena.make(wristwire__v1__control_session__init)
      put(arena.id(session), &message.pointee.has_session_id, &message.pointee.session_id)
      put(choice: control, &message.pointee.has_control, &message.pointee.control)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_CONTROL_SESSION
      body.pointee.control_session = message
    case .addSessionExercise(let session, let exercise):
      let add = arena.make(wristwire__v1__add_session_exercise__init)
      put(arena.id(session), &add.pointee.has_session_id, &add.pointee.session_id)
      put(arena.id(exercise), &add.pointee.has_exercise_id, &add.pointee.exercise_id)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_ADD_SESSION_EXERCISE
      body.pointee.add_session_exercise = add
    case .dismissSummary(let session):
      let dismiss = arena.make(wristwire__v1__dismiss_summary__init)
      put(arena.id(session), &dismiss.pointee.has_session_id, &dismiss.pointee.session_id)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_DISMISS_SUMMARY
      body.pointee.dismiss_summary = dismiss
    case .takeOverSession(let session):
      let takeOver = arena.make(wristwire__v1__take_over_session__init)
      put(arena.id(session), &takeOver.pointee.has_session_id, &takeOver.pointee.session_id)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_TAKE_OVER_SESSION
      body.pointee.take_over_session = takeOver
    default:
      fillSet(body, action)
    }
  }

  private func fillSet(
    _ body: UnsafeMutablePointer<Wristwire__V1__ActionBody>, _ action: Action
  ) {
    switch action {
    case .completeSet(let session, let set):
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_COMPLETE_SET
      body.pointee.complete_set = completeSet(session, set)
    case .editSet(let session, let set, let reps, let weight):
      let edit = arena.make(wristwire__v1__edit_set__init)
      put(arena.id(session), &edit.pointee.has_session_id, &edit.pointee.session_id)
      put(arena.id(set), &edit.pointee.has_set_id, &edit.pointee.set_id)
      put(reps.map { UInt32(clamping: $0) }, &edit.pointee.has_reps, &edit.pointee.reps)
      edit.pointee.weight = weight.map { self.weight($0) }
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_EDIT_SET
      body.pointee.edit_set = edit
    case .uncompleteSet(let session, let set):
      let untick = arena.make(wristwire__v1__uncomplete_set__init)
      put(arena.id(session), &untick.pointee.has_session_id, &untick.pointee.session_id)
      put(arena.id(set), &untick.pointee.has_set_id, &untick.pointee.set_id)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_UNCOMPLETE_SET
      body.pointee.uncomplete_set = untick
    case .adjustSet(let session, let position, let reps, let weight):
      let adjust = arena.make(wristwire__v1__adjust_set__init)
      put(arena.id(session), &adjust.pointee.has_session_id, &adjust.pointee.session_id)
      put(UInt32(clamping: position), &adjust.pointee.has_position, &adjust.pointee.position)
      put(reps.map { UInt32(clamping: $0) }, &adjust.pointee.has_reps, &adjust.pointee.reps)
      adjust.pointee.weight = weight.map { self.weight($0) }
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_ADJUST_SET
      body.pointee.adjust_set = adjust
    case .recordSamples(let session, let block):
      let record = arena.make(wristwire__v1__record_samples__init)
      put(arena.id(session), &record.pointee.has_session_id, &record.pointee.session_id)
      put(block.number, &record.pointee.has_number, &record.pointee.number)
      record.pointee.n_heart_rate = block.heartRate.count
      record.pointee.heart_rate = arena.messages(block.heartRate) { self.point($0) }
      record.pointee.n_energy = block.energy.count
      record.pointee.energy = arena.messages(block.energy) { self.point($0) }
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_RECORD_SAMPLES
      body.pointee.record_samples = record
    default:
      invariant(false, "not an action on an exercise, a routine or a session")
    }
  }

  private func completeSet(
    _ session: SessionID, _ value: PerformedSet
  ) -> UnsafeMutablePointer<Wristwire__V1__CompleteSet> {
    let set = arena.make(wristwire__v1__complete_set__init)
    put(arena.id(session), &set.pointee.has_session_id, &set.pointee.session_id)
    put(arena.id(value.id), &set.pointee.has_set_id, &set.pointee.set_id)
    put(UInt32(clamping: value.position), &set.pointee.has_position, &set.pointee.position)
    put(UInt32(clamping: value.reps), &set.pointee.has_reps, &set.pointee.reps)
    set.pointee.weight = value.weight.map { weight($0) }
    if value.isWarmUp { put(flag: true, &set.pointee.has_warm_up, &set.pointee.warm_up) }
    return set
  }

  private func point(_ value: SamplePoint) -> UnsafeMutablePointer<Wristwire__V1__SamplePoint> {
    let point = arena.make(wristwire__v1__sample_point__init)
    put(value.at.milliseconds, &point.pointee.has_at_ms, &point.pointee.at_ms)
    put(value.value, &point.pointee.has_value, &point.pointee.value)
    return point
  }
}
