/// One thing found in an export, in the order of the file.
public enum ImportItem: Sendable, Equatable {
  /// A whole, readable workout.
  case workout(ImportedWorkout)
  /// A place of which nothing could be imported; reading went on after it.
  case skipped(ImportProblem)
}

/// A place in an export that yielded no workout, and why.
public struct ImportProblem: Sendable, Equatable {
  /// Line of the element's `<`, counted from 1; for a file that ends early outside of a workout,
  /// its last line.
  public var line: Int
  /// What was wrong there.
  public var reason: Reason

  /// A problem at a line.
  public init(line: Int, reason: Reason) {
    self.line = line
    self.reason = reason
  }

  /// What can be wrong with a workout. Holds names of fields and counts, never the file's text.
  public enum Reason: Error, Sendable, Equatable {
    /// A required attribute is not there.
    case missing(Field)
    /// A date in neither of the forms exports use, or without an offset.
    case dateUnreadable(Field)
    /// The end lies before the start.
    case endBeforeStart
    /// A text is longer than `ImportLimits.textBytesMax`.
    case textTooLong(Field, bytes: Int, max: Int)
    /// A tag, comment or run of text is longer than `ImportLimits.markupBytesMax`.
    case markupTooLong(max: Int)
    /// The element is longer than `ImportLimits.workoutBytesMax`.
    case workoutTooLong(max: Int)
    /// Elements stand within each other deeper than `ImportLimits.depthMax`.
    case tooDeep(max: Int)
    /// More pauses and resumes than `ImportLimits.pauseEventsMax`.
    case tooManyPauseEvents(max: Int)
    /// The element is not well-formed XML in UTF-8, or uses an entity of the file's own.
    case malformed
    /// The next workout, or the end of the root, came before this one's end tag.
    case unclosed
    /// The file ends before this workout does, or before the root does.
    case truncated
  }

  /// The attributes and metadata that problems are about.
  public enum Field: Sendable, Equatable {
    case activityType
    case sourceName
    case sourceVersion
    case device
    case start
    case end
    case timeZoneName
    case externalUUID
  }
}
