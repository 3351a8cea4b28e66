package import WatchTransfer

/// A set of a session, ticked or not. Each field goes by its own stamp, so that edits add up to the
/// same in any order of arrival.
package struct SessionSet: Sendable, Equatable {
  package let id: SetID
  /// When it was first done; of one whose completion has not come back, its first edit.
  package var madeAt: Instant
  /// Of the newest completion, which says place and kind; nil: none has come back yet.
  package var completion: FieldStamp?
  package var position = 0
  package var isWarmUp = false
  package var reps: Stamped<Int>
  package var weight: Stamped<Weight?>
  package var isDone: Stamped<Bool>

  /// A set of which nothing is known yet.
  package init(_ id: SetID, at moment: Instant) {
    self.id = id
    madeAt = moment
    reps = Stamped(0)
    weight = Stamped(nil)
    isDone = Stamped(false)
  }

  /// Whether it is ticked.
  package var counts: Bool { completion != nil && isDone.value }

  /// Whether it counts towards targets, volume and records: warm-ups do not.
  var works: Bool { counts && !isWarmUp }

  /// Takes a completion: what it says goes by its stamp.
  mutating func complete(_ set: PerformedSet, by stamp: FieldStamp) {
    madeAt = completion == nil ? stamp.at : min(madeAt, stamp.at)
    if completion?.yields(to: stamp) ?? true {
      completion = stamp
      position = set.position
      isWarmUp = set.isWarmUp
    }
    reps.edit(set.reps, by: stamp)
    weight.edit(set.weight, by: stamp)
    isDone.edit(true, by: stamp)
  }

  /// The clock went back to `moment`: nothing is later than that.
  mutating func bringBack(to moment: Instant) {
    madeAt = min(madeAt, moment)
    completion?.bringBack(to: moment)
    reps.stamp?.bringBack(to: moment)
    weight.stamp?.bringBack(to: moment)
    isDone.stamp?.bringBack(to: moment)
  }
}

/// What is shown of the set to do next at a place, where the person changed it.
package struct SetDraft: Sendable, Equatable {
  package let position: Int
  package var reps = Stamped<Int?>(nil)
  package var weight = Stamped<Weight?>(nil)

  /// Nothing changed yet.
  package init(position: Int) {
    self.position = position
  }
}

/// An exercise that was added to a running session.
package struct AddedExercise: Sendable, Equatable {
  package var stamp: FieldStamp
  package let exercise: Exercise

  /// An exercise with when and on which device it was added.
  package init(_ exercise: Exercise, stamp: FieldStamp) {
    self.exercise = exercise
    self.stamp = stamp
  }
}
