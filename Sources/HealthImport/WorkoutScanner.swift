/// Finds the workouts in the bytes of an export and drops everything else unread.
///
/// Exports are often no XML: versions of iOS wrote a broken DTD, or attribute names with blanks,
/// and an XML parser has to stop at the first such place. The scanner relies on one thing only: in
/// well-formed XML a `<` stands nowhere but at the start of markup, in comments and in CDATA. So it
/// jumps from `<` to `<`, skips comments, CDATA and the DTD, and tells where workouts begin and
/// end. Whether a workout is well-formed is for expat to say. No DTD ever reaches expat, so there
/// are no entities to expand and no external ones to open. Processing instructions are not skipped:
/// a broken prolog would hide the whole file, and none of an export's holds a workout.
///
/// Chunks may be cut anywhere. Invariant: between chunks all that is needed is in the fields below,
/// and no byte is looked at twice but those that decide a `MarkupHead`.
struct WorkoutScanner {
  /// What was found; ranges are positions in the chunk.
  enum Signal: Equatable {
    /// `<Workout` was read, with its `<` on this line; the bytes of the element that follow come as
    /// `bytes`. A workout still open at this point has no end tag.
    case began(line: Int)
    /// The next bytes of the open workout.
    case bytes(Range<Int>)
    /// The last bytes of the open workout.
    case ended(Range<Int>)
    /// The root ended; a workout still open at this point has no end tag.
    case rootEnded
  }

  private enum State {
    case text
    case head
    case hidden(MarkupTerminator)
    case doctype
    case tag(MarkupHead.Kind, quote: UInt8?, last: UInt8)
  }

  /// Whether the root element was met.
  private(set) var hasRoot = false
  /// Whether the root element was closed.
  private(set) var hasRootEnded = false
  /// Line of the next byte, counted from 1; exact when a chunk is used up.
  var line: Int { lines.line }
  /// Whether the open workout went too far from one `<` to the next.
  private(set) var isMarkupTooLong = false

  private let markupBytesMax: Int
  private var state = State.text
  private var head = MarkupHead()
  private var isInWorkout = false
  /// The DTD, while in it.
  private var doctype: DoctypeFilter?
  private var lines = LineCounter()
  /// Bytes since the last `<`, up to the start of this chunk.
  private var sinceMarkup = 0
  /// Position after the last `<`, or 0 if that was in an earlier chunk.
  private var markupFrom = 0
  private var position = 0
  private var passedFrom = 0

  /// A scanner before the first byte.
  init(markupBytesMax: Int) {
    self.markupBytesMax = markupBytesMax
  }

  /// The next thing in the chunk, or nil when it is used up; then comes the next chunk.
  mutating func next(in chunk: UnsafeRawBufferPointer) -> Signal? {
    while position < chunk.count {
      if let signal = step(in: chunk) { return signal }
    }
    if isInWorkout, passedFrom < chunk.count {
      checkMarkup(upTo: chunk.count)
      defer { passedFrom = chunk.count }
      return .bytes(passedFrom..<chunk.count)
    }
    lines.count(in: chunk, upTo: chunk.count)
    lines.beginChunk()
    sinceMarkup += chunk.count - markupFrom
    (position, passedFrom, markupFrom) = (0, 0, 0)
    return nil
  }

  private mutating func step(in chunk: UnsafeRawBufferPointer) -> Signal? {
    switch state {
    case .text: scanText(in: chunk)
    case .head: return scanHead(in: chunk)
    case .hidden(let terminator): scanTo(terminator, in: chunk)
    case .doctype: scanDoctype(chunk[position])
    case .tag(let kind, let quote, let last):
      return scanTag(kind, quote: quote, last: last, in: chunk)
    }
    return nil
  }

  private mutating func scanText(in chunk: UnsafeRawBufferPointer) {
    guard let found = chunk.position(of: UInt8(ascii: "<"), from: position) else {
      position = chunk.count
      return
    }
    position = found + 1
    noteMarkup()
    if position < chunk.count, MarkupHead.isOther(chunk[position]) { return }
    beginHead()
  }

  private mutating func beginHead() {
    head.reset()
    state = .head
  }

  private mutating func scanHead(in chunk: UnsafeRawBufferPointer) -> Signal? {
    guard let kind = head.take(chunk[position]) else {
      position += 1
      return nil
    }
    // The DTD ends with its own end or, should that be missing, with the root element.
    if doctype != nil, kind != .rootStart {
      state = .doctype
      return nil
    }
    doctype = nil
    switch kind {
    case .comment, .characterData:
      position += 1
      state = .hidden(MarkupTerminator(mark: UInt8(ascii: kind == .comment ? "-" : "]")))
    case .doctype:
      position += 1
      // Within a workout expat refuses it, and an end may never come.
      doctype = isInWorkout ? nil : DoctypeFilter()
      state = isInWorkout ? .text : .doctype
    case .workoutStart:
      return beginWorkout(in: chunk)
    case .workoutEnd, .rootStart:
      hasRoot = hasRoot || kind == .rootStart
      state = .tag(kind, quote: nil, last: 0)
    case .rootEnd:
      endRoot()
      return .rootEnded
    case .other:
      state = .text
    }
    return nil
  }

  private mutating func beginWorkout(in chunk: UnsafeRawBufferPointer) -> Signal {
    lines.count(in: chunk, upTo: position)
    isInWorkout = true
    isMarkupTooLong = false
    passedFrom = position
    state = .tag(.workoutStart, quote: nil, last: 0)
    return .began(line: line)
  }

  private mutating func endRoot() {
    hasRootEnded = true
    isInWorkout = false
    state = .text
  }

  /// Reads a tag that matters to its `>`, past those in quotes. A `<` cannot stand in a tag, so
  /// there the tag is broken and the next markup begins.
  private mutating func scanTag(
    _ kind: MarkupHead.Kind, quote: UInt8?, last: UInt8, in chunk: UnsafeRawBufferPointer
  ) -> Signal? {
    var quote = quote
    var last = last
    while position < chunk.count {
      let byte = chunk[position]
      position += 1
      if byte == UInt8(ascii: "<") {
        noteMarkup()
        beginHead()
        return nil
      }
      if quote != nil {
        if byte == quote { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        state = .text
        return closeTag(kind, isEmpty: last == UInt8(ascii: "/"))
      }
      last = byte
    }
    state = .tag(kind, quote: quote, last: last)
    return nil
  }

  private mutating func closeTag(_ kind: MarkupHead.Kind, isEmpty: Bool) -> Signal? {
    if kind == .rootStart, isEmpty {
      endRoot()
      return .rootEnded
    }
    guard isInWorkout, kind == .workoutEnd || (kind == .workoutStart && isEmpty) else { return nil }
    checkMarkup(upTo: position)
    isInWorkout = false
    return .ended(passedFrom..<position)
  }

  private mutating func scanTo(_ terminator: MarkupTerminator, in chunk: UnsafeRawBufferPointer) {
    var terminator = terminator
    if !terminator.isUnderWay {
      position = chunk.position(of: terminator.mark, from: position) ?? chunk.count
      guard position < chunk.count else { return }
    }
    state = terminator.take(chunk[position]) ? .text : .hidden(terminator)
    position += 1
  }

  private mutating func scanDoctype(_ byte: UInt8) {
    position += 1
    if byte == UInt8(ascii: "<") {
      noteMarkup()
      beginHead()
    } else if doctype?.take(byte) ?? true {
      doctype = nil
      state = .text
    }
  }

  /// A `<` was read, the byte before `position`.
  private mutating func noteMarkup() {
    checkMarkup(upTo: position - 1)
    markupFrom = position
    sinceMarkup = 0
  }

  private mutating func checkMarkup(upTo end: Int) {
    if isInWorkout, sinceMarkup + end - markupFrom > markupBytesMax { isMarkupTooLong = true }
  }
}
