import CProtobufC
import CWireProto
internal import Guards
import WatchTransfer

/// Actions on exercises, routines and sessions.
extension MessageEncoder {
  /// Makes `body` carry `action` when it is one on an exercise, a routine or a session.
  func fillStrength(_ body: UnsafeMutablePointer<Wristwire__V1__ActionBody>, _ action: Action) {
    switch action {
    case .defineExercise(let exercise):
      let define = arena.make(wristwire__v1__define_exercise__init)
      put(arena.id(exercise.id), &define.pointee.has_id, &define.pointee.id)
      put(arena.text(exercise.name), &define.pointee.has_name, &define.pointee.name)
      put(choice: exercise.equipment, &define.pointee.has_equipment, &define.pointee.equipment)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_DEFINE_EXERCISE
      body.pointee.define_exercise = define
    case .editExercise(let id, let name, let equipment):
      let edit = arena.make(wristwire__v1__edit_exercise__init)
      put(arena.id(id), &edit.pointee.has_id, &edit.pointee.id)
      put(name.map(arena.text), &edit.pointee.has_name, &edit.pointee.name)
      put(choice: equipment, &edit.pointee.has_equipment, &edit.pointee.equipment)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_EDIT_EXERCISE
      body.pointee.edit_exercise = edit
    case .deleteExercise(let id):
      let delete = arena.make(wristwire__v1__delete_exercise__init)
      put(arena.id(id), &delete.pointee.has_id, &delete.pointee.id)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_DELETE_EXERCISE
      body.pointee.delete_exercise = delete
    case .defineRoutine(let id, let title, let entries):
      let define = arena.make(wristwire__v1__define_routine__init)
      put(arena.id(id), &define.pointee.has_id, &define.pointee.id)
      put(arena.text(title), &define.pointee.has_title, &define.pointee.title)
      define.pointee.entries = routineEntries(entries)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_DEFINE_ROUTINE
      body.pointee.define_routine = define
    case .editRoutine(let id, let title, let entries):
      let edit = arena.make(wristwire__v1__edit_routine__init)
      put(arena.id(id), &edit.pointee.has_id, &edit.pointee.id)
      put(title.map(arena.text), &edit.pointee.has_title, &edit.pointee.title)
      edit.pointee.entries = entries.map { routineEntries($0) }
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_EDIT_ROUTINE
      body.pointee.edit_routine = edit
    case .deleteRoutine(let id):
      let delete = arena.make(wristwire__v1__delete_routine__init)
      put(arena.id(id), &delete.pointee.has_id, &delete.pointee.id)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_DELETE_ROUTINE
      body.pointee.delete_routine = delete
    default:
      fillSession(body, action)
    }
  }

  /// A group of planned sets.
  func group(_ group: SetGroup) -> UnsafeMutablePointer<Wristwire__V1__TargetGroup> {
    let message = arena.make(wristwire__v1__target_group__init)
    put(UInt32(clamping: group.count), &message.pointee.has_count, &message.pointee.count)
    put(UInt32(clamping: group.set.reps), &message.pointee.has_reps, &message.pointee.reps)
    message.pointee.weight = group.set.weight.map { weight($0) }
    put(
      group.set.restSeconds.map { UInt32(clamping: $0) }, &message.pointee.has_rest_seconds,
      &message.pointee.rest_seconds)
    return message
  }

  private func routineEntries(
    _ entries: [RoutineEntry]
  ) -> UnsafeMutablePointer<Wristwire__V1__RoutineEntries> {
    let list = arena.make(wristwire__v1__routine_entries__init)
    list.pointee.n_list = entries.count
    list.pointee.list = arena.messages(entries) { value in
      let entry = arena.make(wristwire__v1__routine_entry__init)
      put(arena.id(value.exercise), &entry.pointee.has_exercise_id, &entry.pointee.exercise_id)
      let groups = SetGroup.groups(of: value.sets)
      entry.pointee.n_groups = groups.count
      entry.pointee.groups = arena.messages(groups) { self.group($0) }
      return entry
    }
    return list
  }
}
