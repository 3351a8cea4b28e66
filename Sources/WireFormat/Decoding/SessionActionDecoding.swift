import CProtobufC
import CWireProto
import WatchTransfer

/// Actions on a session.
extension MessageDecoder {
  /// The action of `body` when it is one on a session.
  func sessionAction(_ body: Wristwire__V1__ActionBody) throws(WireError) -> Action {
    switch body.action_case {
    case WRISTWIRE__V1__ACTION_BODY__ACTION_START_SESSION:
      let start = try Check.message(body.start_session, "start_session")
      return .startSession(
        id: try Check.id(start.has_session_id, start.session_id, "session_id"),
        plan: try plan(start))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_SELECT_EXERCISE:
      let select = try Check.message(body.select_exercise, "select_exercise")
      return .selectExercise(
        session: try Check.id(select.has_session_id, select.session_id, "session_id"),
        position: try position(select.has_position, select.position))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_REST_SESSION:
      let rest = try Check.message(body.rest_session, "rest_session")
      return .restSession(
        session: try Check.id(rest.has_session_id, rest.session_id, "session_id"),
        seconds: rest.has_seconds == 0
          ? nil
          : Int(
            try Check.within(
              UInt32(
                ActionLimits.restSeconds.lowerBound)...UInt32(ActionLimits.restSeconds.upperBound),
              1, rest.seconds, "seconds")))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_CONTROL_SESSION:
      let control = try Check.message(body.control_session, "control_session")
      return .controlSession(
        session: try Check.id(control.has_session_id, control.session_id, "session_id"),
        control: try Check.choice(control.has_control, control.control.rawValue, "control"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_ADD_SESSION_EXERCISE:
      let add = try Check.message(body.add_session_exercise, "add_session_exercise")
      return .addSessionExercise(
        session: try Check.id(add.has_session_id, add.session_id, "session_id"),
        exercise: try Check.id(add.has_exercise_id, add.exercise_id, "exercise_id"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_DISMISS_SUMMARY:
      let dismiss = try Check.message(body.dismiss_summary, "dismiss_summary")
      return .dismissSummary(
        session: try Check.id(dismiss.has_session_id, dismiss.session_id, "session_id"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_TAKE_OVER_SESSION:
      let takeOver = try Check.message(body.take_over_session, "take_over_session")
      return .takeOverSession(
        session: try Check.id(takeOver.has_session_id, takeOver.session_id, "session_id"))
    default:
      return try setAction(body)
    }
  }

  private func setAction(_ body: Wristwire__V1__ActionBody) throws(WireError) -> Action {
    switch body.action_case {
    case WRISTWIRE__V1__ACTION_BODY__ACTION_COMPLETE_SET:
      let set = try Check.message(body.complete_set, "complete_set")
      return .completeSet(
        session: try Check.id(set.has_session_id, set.session_id, "session_id"),
        set: PerformedSet(
          id: try Check.id(set.has_set_id, set.set_id, "set_id"),
          position: try position(set.has_position, set.position),
          reps: try reps(set.has_reps, set.reps), weight: try optionalWeight(set.weight, "weight"),
          isWarmUp: set.has_warm_up != 0 && set.warm_up != 0))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_EDIT_SET:
      let edit = try Check.message(body.edit_set, "edit_set")
      return .editSet(
        session: try Check.id(edit.has_session_id, edit.session_id, "session_id"),
        set: try Check.id(edit.has_set_id, edit.set_id, "set_id"),
        reps: edit.has_reps == 0 ? nil : try reps(1, edit.reps),
        weight: try optionalWeight(edit.weight, "weight"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_UNCOMPLETE_SET:
      let untick = try Check.message(body.uncomplete_set, "uncomplete_set")
      return .uncompleteSet(
        session: try Check.id(untick.has_session_id, untick.session_id, "session_id"),
        set: try Check.id(untick.has_set_id, untick.set_id, "set_id"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_ADJUST_SET:
      let adjust = try Check.message(body.adjust_set, "adjust_set")
      return .adjustSet(
        session: try Check.id(adjust.has_session_id, adjust.session_id, "session_id"),
        position: try position(adjust.has_position, adjust.position),
        reps: adjust.has_reps == 0 ? nil : try reps(1, adjust.reps),
        weight: try optionalWeight(adjust.weight, "weight"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_RECORD_SAMPLES:
      let record = try Check.message(body.record_samples, "record_samples")
      return .recordSamples(
        session: try Check.id(record.has_session_id, record.session_id, "session_id"),
        block: SampleBlock(
          number: try Check.present(record.has_number, record.number, "number"),
          heartRate: try points(record.heart_rate, record.n_heart_rate, "heart_rate"),
          energy: try points(record.energy, record.n_energy, "energy")))
    default:
      throw .emptyMessage
    }
  }

  private func plan(_ start: Wristwire__V1__StartSession) throws(WireError) -> SessionPlan {
    switch start.plan_case {
    case WRISTWIRE__V1__START_SESSION__PLAN_ROUTINE_ID:
      return .routine(try Check.id(1, start.routine_id, "routine_id"))
    case WRISTWIRE__V1__START_SESSION__PLAN_ACTIVITY_TYPE:
      return .activity(try Check.name(1, start.activity_type, "activity_type"))
    default:
      throw Check.invalid("plan")
    }
  }

  private func position(
    _ has: protobuf_c_boolean, _ value: UInt32
  ) throws(WireError) -> Int {
    Int(try Check.within(0...UInt32(ActionLimits.routineEntriesMax - 1), has, value, "position"))
  }

  private func reps(_ has: protobuf_c_boolean, _ value: UInt32) throws(WireError) -> Int {
    Int(try Check.within(0...UInt32(ActionLimits.doneReps.upperBound), has, value, "reps"))
  }

  /// Moments by the device's clock, which may show anything; figures.
  private func points(
    _ list: UnsafeMutablePointer<UnsafeMutablePointer<Wristwire__V1__SamplePoint>?>?,
    _ count: Int, _ field: StaticString
  ) throws(WireError) -> [SamplePoint] {
    var points: [SamplePoint] = []
    for pointer in UnsafeBufferPointer(start: list, count: count) {
      let point = try Check.message(pointer, field)
      guard let value = try Check.optionalFigure(point.has_value, point.value, field) else {
        throw Check.invalid(field)
      }
      points.append(
        SamplePoint(at: try Check.instant(point.has_at_ms, point.at_ms, field), value: value))
    }
    return points
  }
}
