import CProtobufC
import CWireProto
import WatchTransfer

/// Actions on exercises, routines and sessions.
extension MessageDecoder {
  /// The action of `body` when it is one on an exercise, a routine or a session.
  func strengthAction(_ body: Wristwire__V1__ActionBody) throws(WireError) -> Action {
    switch body.action_case {
    case WRISTWIRE__V1__ACTION_BODY__ACTION_DEFINE_EXERCISE:
      let define = try Check.message(body.define_exercise, "define_exercise")
      return .defineExercise(
        Exercise(
          id: try Check.id(define.has_id, define.id, "id"),
          name: try Check.name(define.has_name, define.name, "name"),
          equipment: try Check.choice(
            define.has_equipment, define.equipment.rawValue, "equipment")))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_EDIT_EXERCISE:
      let edit = try Check.message(body.edit_exercise, "edit_exercise")
      return .editExercise(
        id: try Check.id(edit.has_id, edit.id, "id"),
        name: try Check.optionalName(edit.has_name, edit.name, "name"),
        equipment: try Check.optionalChoice(
          edit.has_equipment, edit.equipment.rawValue, "equipment"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_DELETE_EXERCISE:
      let delete = try Check.message(body.delete_exercise, "delete_exercise")
      return .deleteExercise(id: try Check.id(delete.has_id, delete.id, "id"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_DEFINE_ROUTINE:
      let define = try Check.message(body.define_routine, "define_routine")
      return .defineRoutine(
        id: try Check.id(define.has_id, define.id, "id"),
        title: try Check.name(define.has_title, define.title, "title"),
        entries: try routineEntries(define.entries) ?? [])
    case WRISTWIRE__V1__ACTION_BODY__ACTION_EDIT_ROUTINE:
      let edit = try Check.message(body.edit_routine, "edit_routine")
      return .editRoutine(
        id: try Check.id(edit.has_id, edit.id, "id"),
        title: try Check.optionalName(edit.has_title, edit.title, "title"),
        entries: try routineEntries(edit.entries))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_DELETE_ROUTINE:
      let delete = try Check.message(body.delete_routine, "delete_routine")
      return .deleteRoutine(id: try Check.id(delete.has_id, delete.id, "id"))
    default:
      return try sessionAction(body)
    }
  }

  /// Sets in a row that are planned alike. How many repetitions and how long a rest may be is a
  /// rule's to say, so that one refusal can list all that is wrong; how many sets there are is
  /// checked here, before memory is taken for them.
  func group(_ pointer: UnsafeMutablePointer<Wristwire__V1__TargetGroup>?) throws(WireError)
    -> SetGroup
  {
    let group = try Check.message(pointer, "groups")
    let count = Int(
      try Check.within(
        1...UInt32(ActionLimits.targetSetsMax), group.has_count, group.count, "groups.count"))
    return SetGroup(
      count: count,
      set: TargetSet(
        reps: Int(try Check.present(group.has_reps, group.reps, "groups.reps")),
        weight: try optionalWeight(group.weight, "groups.weight"),
        restSeconds: group.has_rest_seconds == 0 ? nil : Int(group.rest_seconds)))
  }

  /// A weight, if there is one.
  func optionalWeight(
    _ pointer: UnsafeMutablePointer<Wristwire__V1__Weight>?, _ field: StaticString
  ) throws(WireError) -> Weight? {
    guard let pointer else { return nil }
    return try weight(pointer.pointee, field)
  }

  private func routineEntries(
    _ pointer: UnsafeMutablePointer<Wristwire__V1__RoutineEntries>?
  ) throws(WireError) -> [RoutineEntry]? {
    guard let list = pointer?.pointee else { return nil }
    var entries: [RoutineEntry] = []
    for pointer in UnsafeBufferPointer(start: list.list, count: list.n_list) {
      let message = try Check.message(pointer, "entries")
      var entry = RoutineEntry(
        exercise: try Check.id(
          message.has_exercise_id, message.exercise_id, "entries.exercise_id"), sets: [])
      for pointer in UnsafeBufferPointer(start: message.groups, count: message.n_groups) {
        let group = try group(pointer)
        entry.sets += repeatElement(group.set, count: group.count)
      }
      entries.append(entry)
    }
    return entries
  }
}
