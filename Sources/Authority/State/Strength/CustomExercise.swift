package import WatchTransfer

/// An exercise that a person added to the library.
package struct CustomExercise: Sendable, Equatable {
  package let id: ExerciseID
  /// Empty in a stub that nobody has named.
  package var name = Stamped("")
  package var equipment = Stamped(Equipment.other)
  /// Named by an action offered again before its definition came back (DESIGN section 4).
  package var isStub = true

  /// An exercise that nobody has described yet.
  package init(stub id: ExerciseID) {
    self.id = id
  }

  /// What routines and sessions take of it.
  var exercise: Exercise { Exercise(id: id, name: name.value, equipment: equipment.value) }

  /// Takes each field that is given unless the one it has is later.
  mutating func edit(name newName: String?, equipment newEquipment: Equipment?, by: FieldStamp) {
    if let newName { name.edit(newName, by: by) }
    if let newEquipment { equipment.edit(newEquipment, by: by) }
  }

  /// The clock went back to `moment`: no edit is later than that.
  mutating func bringBack(to moment: Instant) {
    name.stamp?.bringBack(to: moment)
    equipment.stamp?.bringBack(to: moment)
  }
}

/// The exercises of an account beside the starter set, in order of id.
package struct ExerciseBook: Sendable, Equatable {
  /// At most `AuthorityLimits.exercisesMax`.
  package private(set) var all: [CustomExercise] = []

  /// No exercises.
  package init() {}

  /// An exercise by its id; nil leaves it out.
  package subscript(id: ExerciseID) -> CustomExercise? {
    get {
      let position = all.partitionIndex { $0.id < id }
      return position < all.count && all[position].id == id ? all[position] : nil
    }
    set {
      let position = all.partitionIndex { $0.id < id }
      let isKnown = position < all.count && all[position].id == id
      switch (isKnown, newValue) {
      case (true, let exercise?): all[position] = exercise
      case (true, nil): all.remove(at: position)
      case (false, let exercise?): all.insert(exercise, at: position)
      case (false, nil): break
      }
    }
  }

  /// The clock went back to `moment`: no edit is later than that.
  mutating func bringBack(to moment: Instant) {
    for index in all.indices { all[index].bringBack(to: moment) }
  }
}
