extension ImportProblem.Reason: CustomStringConvertible {
  /// What is wrong, for a person.
  public var description: String {
    switch self {
    case .missing(let field): "the \(field) is missing"
    case .dateUnreadable(let field): "the \(field) is no date with an offset"
    case .endBeforeStart: "it ends before it starts"
    case .textTooLong(let field, let bytes, let max):
      "the \(field) has \(bytes) bytes, at most \(max) are read"
    case .markupTooLong(let max): "a tag, comment or text has more than \(max) bytes"
    case .workoutTooLong(let max): "it has more than \(max) bytes"
    case .tooDeep(let max): "its elements are nested deeper than \(max)"
    case .tooManyPauseEvents(let max): "it has more than \(max) pauses and resumes"
    case .malformed: "it is not well-formed XML"
    case .unclosed: "it has no end tag"
    case .truncated: "the file ends here"
    }
  }
}

extension ImportProblem.Field: CustomStringConvertible {
  /// As a person calls it.
  public var description: String {
    switch self {
    case .activityType: "activity type"
    case .sourceName: "source name"
    case .sourceVersion: "source version"
    case .device: "device"
    case .start: "start"
    case .end: "end"
    case .timeZoneName: "time zone"
    case .externalUUID: "external UUID"
    }
  }
}
