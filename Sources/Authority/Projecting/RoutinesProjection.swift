internal import WatchTransfer

/// The person's routines as surfaces see them.
struct RoutinesProjection {
  let state: AccountState

  /// The facet: as many as have room, in order of their titles' bytes.
  var facet: RoutinesFacet {
    let ordered = state.routines.all.sorted {
      sameBytes($0.title.value, $1.title.value)
        ? $0.id < $1.id : bytesPrecede($0.title.value, $1.title.value)
    }
    var facet = RoutinesFacet(routines: [])
    var bytes = 0
    for routine in ordered {
      let entries = routine.entries.value.map { entry in
        PlannedExercise(state.exercise(entry.exercise.id) ?? entry.exercise, sets: entry.sets)
      }
      bytes += RoutineSize.bytes(title: routine.title.value, entries: entries)
      if bytes > AuthorityLimits.routineBytesShown {
        facet.omitted = ordered.count - facet.routines.count
        break
      }
      facet.routines.append(shown(routine, entries))
    }
    return facet
  }

  private func shown(_ routine: Routine, _ entries: [PlannedExercise]) -> RoutinesFacet.Routine {
    let sets = entries.reduce(0) { $0 + $1.sets.count }
    return RoutinesFacet.Routine(
      id: routine.id, title: routine.title.value.isEmpty ? "Routine" : routine.title.value,
      entries: entries.map { entry in
        RoutinesFacet.Entry(
          exercise: entry.exercise.id, name: shownName(entry.exercise.name),
          equipment: entry.exercise.equipment, groups: SetGroup.groups(of: entry.sets))
      },
      text: "\(counted(entries.count, "exercise")) · \(counted(sets, "set"))")
  }
}

/// A name, or a word for one that has not arrived.
func shownName(_ name: String) -> String { name.isEmpty ? "Exercise" : name }

/// `1 set`, `2 sets`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
