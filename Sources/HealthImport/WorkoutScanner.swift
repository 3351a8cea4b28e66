import Glibc

/// Finds the workouts in the bytes of an export and drops everything else unread.
///
/// Exports are often no XML: versions of iOS wrote a broken DTD, or attribute names with blanks, and
/// an XML parser has to stop at the first such place. The scanner relies on one thing only: in
/// well-formed XML a `<` stands nowhere but at the start of markup, in comments and in CDATA. So it
/// jumps from `<` to `<`, skips comments, CDATA and the DTD, and tells where workouts begin and end.
/// Whether a workout is well-formed is for expat to say. No DTD ever reaches expat, so there are no
/// entities to expand and no external ones to open.
///
/// Chunks may be cut anywhere. Invariant: between chunks everything needed is in the fields below,
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
    case comment
    case characterData
    case doctype
    /// In the internal subset of the DTD.
    case subset
    /// In the subset, after a `]`: a `>` ends the DTD.
    case subsetEnd
    case tag(MarkupHead.Kind, quote: UInt8?, last: UInt8)
  }

  /// Whether the root element was met.
  private(set) var hasRoot = false
  /// Whether the root element was closed.
  private(set) var hasRootEnded = false
  /// Line of the next byte, counted from 1; exact when a chunk is used up.
  private(set) var line = 1
  /// Whether the open workout went too far from one `<` to the next.
  private(set) var isMarkupTooLong = false

  private let markupBytesMax: Int
  private var state = State.text
  private var head = MarkupHead()
  private var isInWorkout = false
  private var isInDoctype = false
  /// How many bytes of `-->` or `]]>` were just read.
  private var terminatorBytes = 0
  /// Bytes since the last `<`, up to the start of this chunk.
  private var sinceMarkup = 0
  /// Position after the last `<`, or 0 if that was in an earlier chunk.
  private var markupFrom = 0
  private var position = 0
  private var passedFrom = 0
  private var countedTo = 0

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
    countLines(in: chunk, upTo: chunk.count)
    sinceMarkup += chunk.count - markupFrom
    (position, passedFrom, countedTo, markupFrom) = (0, 0, 0, 0)
    return nil
  }

  private mutating func step(in chunk: UnsafeRawBufferPointer) -> Signal? {
    switch state {
    case .text: scanText(in: chunk)
    case .head: return scanHead(in: chunk)
    case .comment: scanTo(UInt8(ascii: "-"), in: chunk)
    case .characterData: scanTo(UInt8(ascii: "]"), in: chunk)
    case .doctype, .subset, .subsetEnd: scanDoctype(chunk[position])
    case .tag(let kind, let quote, let last):
      return scanTag(kind, quote: quote, last: last, in: chunk)
    }
    return nil
  }

  private mutating func scanText(in chunk: UnsafeRawBufferPointer) {
    guard let found = Self.find(UInt8(ascii: "<"), in: chunk, from: position) else {
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
    if isInDoctype, kind != .rootStart {
      state = .subset
      return nil
    }
    isInDoctype = false
    switch kind {
    case .comment, .characterData:
      position += 1
      terminatorBytes = 0
      state = kind == .comment ? .comment : .characterData
    case .doctype:
      position += 1
      isInDoctype = !isInWorkout
      state = isInDoctype ? .doctype : .text
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
    countLines(in: chunk, upTo: position)
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

  /// Reads a tag that matters to its `>`, past those in quotes. A `<` cannot stand in a tag, so there
  /// the tag is broken and the next markup begins.
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

  /// Looks for `-->` or `]]>`: the mark twice or more, then `>`.
  private mutating func scanTo(_ mark: UInt8, in chunk: UnsafeRawBufferPointer) {
    if terminatorBytes == 0 {
      position = Self.find(mark, in: chunk, from: position) ?? chunk.count
      guard position < chunk.count else { return }
    }
    let byte = chunk[position]
    position += 1
    if byte == mark {
      terminatorBytes = min(terminatorBytes + 1, 2)
    } else if byte == UInt8(ascii: ">"), terminatorBytes == 2 {
      state = .text
    } else {
      terminatorBytes = 0
    }
  }

  /// Reads to the `>` of the DTD, or to the `]` and `>` of its internal subset. Quotes and comments
  /// are not honoured, because real ones are flawed; ending too early does no harm, since what is
  /// left of a DTD holds no workout.
  private mutating func scanDoctype(_ byte: UInt8) {
    position += 1
    switch (byte, state) {
    case (UInt8(ascii: "<"), _):
      noteMarkup()
      beginHead()
    case (UInt8(ascii: ">"), .doctype), (UInt8(ascii: ">"), .subsetEnd):
      isInDoctype = false
      state = .text
    case (UInt8(ascii: "["), .doctype):
      state = .subset
    case (UInt8(ascii: "]"), .subset):
      state = .subsetEnd
    case (_, .subsetEnd) where byte != UInt8(ascii: "]") && !MarkupHead.isBlank(byte):
      state = .subset
    default:
      break
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

  private mutating func countLines(in chunk: UnsafeRawBufferPointer, upTo end: Int) {
    let part = UnsafeRawBufferPointer(rebasing: chunk[..<end])
    while let found = Self.find(0x0A, in: part, from: countedTo) {
      line += 1
      countedTo = found + 1
    }
    countedTo = end
  }

  private static func find(_ byte: UInt8, in chunk: UnsafeRawBufferPointer, from: Int) -> Int? {
    guard let base = chunk.baseAddress, from < chunk.count,
      let found = memchr(base + from, Int32(byte), chunk.count - from)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}
