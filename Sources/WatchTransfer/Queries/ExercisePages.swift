/// Exercises of the library: the starter set and the account's own.
public struct ExercisesQuestion: Hashable, Sendable {
  /// Words that a name holds, ASCII case folded; empty: every exercise. At most
  /// `QueryLimits.searchBytesMax` bytes.
  public var text: String
  /// nil: whatever it is done with.
  public var equipment: Equipment?
  /// Behind this one; nil: from the first on.
  public var after: ExerciseKey?
  /// Entries of the page, within `QueryLimits.exerciseEntries`.
  public var limit: Int

  /// Some exercises behind one of them.
  public init(
    text: String = "", equipment: Equipment? = nil, after: ExerciseKey? = nil,
    limit: Int = QueryLimits.exerciseEntries.upperBound
  ) {
    self.text = text
    self.equipment = equipment
    self.after = after
    self.limit = limit
  }
}

/// One exercise of the library.
public struct ExerciseEntry: Hashable, Sendable {
  public var key: ExerciseKey
  public var equipment: Equipment
  /// Whether the account added it, so that it may be edited and deleted.
  public var isOwn: Bool
  /// Ready to show: `Back squat, barbell`.
  public var text: String

  /// An entry.
  public init(key: ExerciseKey, equipment: Equipment, isOwn: Bool, text: String) {
    self.key = key
    self.equipment = equipment
    self.isOwn = isOwn
    self.text = text
  }
}

/// The best of one exercise, or of all.
public struct RecordsQuestion: Hashable, Sendable {
  /// nil: of every exercise that has some.
  public var exercise: ExerciseID?
  /// Behind this one; nil: from the first on.
  public var after: ExerciseKey?
  /// Entries of the page, within `QueryLimits.recordEntries`.
  public var limit: Int

  /// Some records behind one of them.
  public init(
    exercise: ExerciseID? = nil, after: ExerciseKey? = nil,
    limit: Int = QueryLimits.recordEntries.upperBound
  ) {
    self.exercise = exercise
    self.after = after
    self.limit = limit
  }
}

/// The best of an exercise over the history, as it stands: what a corrected log held up goes with
/// it. What is not defined is absent.
public struct ExerciseRecord: Hashable, Sendable {
  /// A heaviest load, with the set that held it.
  public struct Heaviest: Hashable, Sendable {
    /// As it was entered.
    public var weight: Weight
    public var reps: Int
    /// Day of the first session with it.
    public var day: CivilDay
    public var log: LogID

    /// A load.
    public init(weight: Weight, reps: Int, day: CivilDay, log: LogID) {
      self.weight = weight
      self.reps = reps
      self.day = day
      self.log = log
    }
  }

  /// A highest estimated one-repetition maximum.
  public struct EstimatedMaximum: Hashable, Sendable {
    public var kilograms: Double
    /// Day of the first session with it.
    public var day: CivilDay
    public var log: LogID

    /// An estimate.
    public init(kilograms: Double, day: CivilDay, log: LogID) {
      self.kilograms = kilograms
      self.day = day
      self.log = log
    }
  }

  public var key: ExerciseKey
  public var heaviest: Heaviest
  /// nil: no set of 1 to 12 repetitions.
  public var estimatedMaximum: EstimatedMaximum?
  /// Ready to show, in the person's units: `5 × 102.5 kg, 15 Jun 2026; e1RM 115.3 kg`.
  public var text: String
  /// Spoken label.
  public var spoken: String

  /// A record.
  public init(
    key: ExerciseKey, heaviest: Heaviest, estimatedMaximum: EstimatedMaximum?, text: String,
    spoken: String
  ) {
    self.key = key
    self.heaviest = heaviest
    self.estimatedMaximum = estimatedMaximum
    self.text = text
    self.spoken = spoken
  }
}
