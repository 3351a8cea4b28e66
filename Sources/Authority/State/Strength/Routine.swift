public import WatchTransfer

/// An exercise at its place, with its planned sets; its name and equipment as they were when it was
/// put there.
public struct PlannedExercise: Sendable, Equatable {
  public var exercise: Exercise
  public var sets: [TargetSet]

  /// An exercise with its sets.
  public init(_ exercise: Exercise, sets: [TargetSet] = []) {
    self.exercise = exercise
    self.sets = sets
  }
}

/// A routine: exercises in order.
package struct Routine: Sendable, Equatable {
  package let id: RoutineID
  /// Empty in a stub that nobody has titled.
  package var title = Stamped("")
  package var entries = Stamped<[PlannedExercise]>([])
  /// Named by an action offered again before its definition came back (DESIGN section 4).
  package var isStub = true

  /// A routine that nobody has described yet.
  package init(stub id: RoutineID) {
    self.id = id
  }

  /// Takes each field that is given unless the one it has is later.
  mutating func edit(
    title newTitle: String?, entries newEntries: [PlannedExercise]?, by: FieldStamp
  ) {
    if let newTitle { title.edit(newTitle, by: by) }
    if let newEntries { entries.edit(newEntries, by: by) }
  }

  /// The clock went back to `moment`: no edit is later than that.
  mutating func bringBack(to moment: Instant) {
    title.stamp?.bringBack(to: moment)
    entries.stamp?.bringBack(to: moment)
  }
}

/// All routines, in order of id, and the last ones that were deleted.
package struct RoutineBook: Sendable, Equatable {
  /// At most `AuthorityLimits.routinesMax`.
  package private(set) var all: [Routine] = []
  /// Deleted ones, newest last: a wrist that was out of reach may still start one.
  package var removed: [Routine] = []

  /// No routines.
  package init() {}

  /// A routine by its id; nil leaves it out.
  package subscript(id: RoutineID) -> Routine? {
    get {
      let position = all.partitionIndex { $0.id < id }
      return position < all.count && all[position].id == id ? all[position] : nil
    }
    set {
      let position = all.partitionIndex { $0.id < id }
      let isKnown = position < all.count && all[position].id == id
      switch (isKnown, newValue) {
      case (true, let routine?): all[position] = routine
      case (true, nil): all.remove(at: position)
      case (false, let routine?): all.insert(routine, at: position)
      case (false, nil): break
      }
    }
  }

  /// Deletes a routine, which is kept aside for a while.
  mutating func remove(_ id: RoutineID) {
    guard let routine = self[id] else { return }
    self[id] = nil
    removed.append(routine)
    if removed.count > AuthorityLimits.removedRoutinesMax { removed.removeFirst() }
  }

  /// A routine, even if it was deleted not long ago.
  func evenRemoved(_ id: RoutineID) -> Routine? {
    self[id] ?? removed.last { $0.id == id }
  }

  /// An exercise was deleted: its places keep the name it had.
  mutating func keep(_ exercise: Exercise) {
    for index in all.indices {
      for place in all[index].entries.value.indices
      where all[index].entries.value[place].exercise.id == exercise.id {
        all[index].entries.value[place].exercise = exercise
      }
    }
  }

  /// The clock went back to `moment`: no edit is later than that.
  mutating func bringBack(to moment: Instant) {
    for index in all.indices { all[index].bringBack(to: moment) }
  }
}
