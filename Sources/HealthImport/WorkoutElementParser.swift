import CExpat

/// Turns the bytes of one `<Workout>` element after another into items.
///
/// Owns the one expat parser of an import and is the only one to release it. The parser is reset
/// for each workout, so whatever one workout does to it ends with that workout.
final class WorkoutElementParser {
  private let limits: ImportLimits
  private let parser: XML_Parser
  private var draft: WorkoutDraft?
  private var problem: ImportProblem.Reason?
  private var depth = 0
  private var fedBytes = 0

  /// A parser with no workout open.
  ///
  /// - Throws: `outOfMemory`.
  init(limits: ImportLimits) throws(HealthImportError) {
    guard let parser = XML_ParserCreate("UTF-8") else { throw .outOfMemory }
    self.limits = limits
    self.parser = parser
  }

  deinit {
    XML_ParserFree(parser)
  }

  /// Whether a workout was begun and not ended.
  var isOpen: Bool { draft != nil }

  /// Begins a workout whose `<Workout` was just read.
  func begin(line: Int) {
    draft = WorkoutDraft(line: line, limits: limits)
    problem = nil
    depth = 0
    fedBytes = 0
    // A reset forgets handlers and user data. The encoding is given, because a workout cannot
    // declare one.
    XML_ParserReset(parser, "UTF-8")
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(parser, Self.onStart, Self.onEnd)
    let head: StaticString = "<Workout"
    head.withUTF8Buffer { feed(UnsafeRawBufferPointer($0)) }
  }

  /// Takes the next bytes of the workout; ignores them once something is wrong with it.
  func feed(_ bytes: UnsafeRawBufferPointer) {
    // Exactly up to the limit, so that where the chunks are cut makes no difference.
    let allowed = max(0, limits.workoutBytesMax - fedBytes)
    fedBytes += bytes.count
    var rest = bytes.prefix(allowed)
    while problem == nil, !rest.isEmpty {
      parse(UnsafeRawBufferPointer(rebasing: rest.prefix(ImportLimits.pieceBytes)), isLast: false)
      rest = rest.dropFirst(ImportLimits.pieceBytes)
    }
    if bytes.count > allowed { note(.workoutTooLong(max: limits.workoutBytesMax)) }
  }

  /// Says what is wrong with the open workout as a whole, whatever was found inside it: how much of
  /// its inside was seen by then depends on how the chunks are cut.
  func reject(_ reason: ImportProblem.Reason) {
    problem = reason
  }

  /// Ends the open workout; nil if none is open.
  func end() -> ImportItem? {
    if problem == nil { parse(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true) }
    guard let draft else { return nil }
    self.draft = nil
    if let problem { return .skipped(ImportProblem(line: draft.line, reason: problem)) }
    do throws(ImportProblem.Reason) {
      return .workout(try draft.finished())
    } catch {
      return .skipped(ImportProblem(line: draft.line, reason: error))
    }
  }

  private func parse(_ piece: UnsafeRawBufferPointer, isLast: Bool) {
    let start = piece.baseAddress?.assumingMemoryBound(to: CChar.self)
    let status = XML_Parse(parser, start, Int32(piece.count), isLast ? 1 : 0)
    if status != XML_STATUS_OK { note(.malformed) }
  }

  private func started(_ name: UnsafePointer<XML_Char>, _ attributes: ElementAttributes) {
    depth += 1
    if depth > limits.depthMax { return stop(.tooDeep(max: limits.depthMax)) }
    // Only the workout and its own children count: figures and events of a WorkoutActivity are
    // parts of the workout's, and would be counted twice.
    if depth == 1 {
      draft?.readWorkout(attributes)
    } else if depth == 2 {
      if ElementAttributes.isSame(name, "MetadataEntry") {
        draft?.readMetadata(attributes)
      } else if ElementAttributes.isSame(name, "WorkoutStatistics") {
        draft?.readStatistics(attributes)
      } else if ElementAttributes.isSame(name, "WorkoutEvent") {
        draft?.readEvent(attributes)
        if let draft, draft.pauses.count > limits.pauseEventsMax {
          stop(.tooManyPauseEvents(max: limits.pauseEventsMax))
        }
      }
    }
  }

  private func stop(_ reason: ImportProblem.Reason) {
    note(reason)
    XML_StopParser(parser, 0)
  }

  /// Notes what is wrong inside the open workout; the first problem stands.
  private func note(_ reason: ImportProblem.Reason) {
    if problem == nil { problem = reason }
  }

  private static let onStart: XML_StartElementHandler = { context, name, attributes in
    guard let context, let name, let attributes else { return }
    // The parser calls back only from within `parse`, while `self` is alive.
    let element = Unmanaged<WorkoutElementParser>.fromOpaque(context).takeUnretainedValue()
    if element.problem == nil { element.started(name, ElementAttributes(attributes)) }
  }

  private static let onEnd: XML_EndElementHandler = { context, _ in
    guard let context else { return }
    Unmanaged<WorkoutElementParser>.fromOpaque(context).takeUnretainedValue().depth -= 1
  }
}
