/// The first bytes after a `<`, gathered until they tell what it begins.
///
/// They are gathered, rather than looked up in the chunk, because a chunk may end between any two.
struct MarkupHead {
  /// What a `<` begins, as far as the scanner cares.
  enum Kind {
    case comment
    case characterData
    case doctype
    case workoutStart
    case workoutEnd
    case rootStart
    case rootEnd
    case other
  }

  private struct Pattern {
    let bytes: [UInt8]
    let kind: Kind
    /// Names end at a blank, `/` or `>`: `<WorkoutEvent` is no workout.
    let isName: Bool
  }

  private static let patterns = [
    Pattern(bytes: Array("!--".utf8), kind: .comment, isName: false),
    Pattern(bytes: Array("![CDATA[".utf8), kind: .characterData, isName: false),
    Pattern(bytes: Array("!DOCTYPE".utf8), kind: .doctype, isName: false),
    Pattern(bytes: Array("Workout".utf8), kind: .workoutStart, isName: true),
    Pattern(bytes: Array("/Workout".utf8), kind: .workoutEnd, isName: true),
    Pattern(bytes: Array("HealthData".utf8), kind: .rootStart, isName: true),
    Pattern(bytes: Array("/HealthData".utf8), kind: .rootEnd, isName: true),
  ]

  private var bytes: [UInt8] = []

  /// Forgets what was gathered: a new `<` was met.
  mutating func reset() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Takes the next byte; the kind once it is certain. For names and `other` the deciding byte is
  /// not part of the head and is to be looked at again.
  mutating func take(_ byte: UInt8) -> Kind? {
    bytes.append(byte)
    for pattern in Self.patterns {
      if pattern.bytes.starts(with: bytes) {
        let isWhole = bytes.count == pattern.bytes.count
        return isWhole && !pattern.isName ? pattern.kind : nil
      }
      if pattern.isName, bytes.count == pattern.bytes.count + 1, bytes.starts(with: pattern.bytes),
        Self.endsName(byte)
      {
        return pattern.kind
      }
    }
    return .other
  }

  /// Whether a `<` followed by this byte is `other` without further look: most of a file is.
  static func isOther(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "/"), UInt8(ascii: "W"), UInt8(ascii: "H"): false
    default: true
    }
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    isBlank(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
  }

  /// A blank of XML: space, tab, line feed, carriage return.
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
