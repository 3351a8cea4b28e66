/// Finds the end of a DTD: its `>`, or the `]` and `>` of its internal subset.
///
/// Quotes and comments are not honoured, because real ones are flawed. Ending too early does no
/// harm: what is left of a DTD holds no workout.
struct DoctypeFilter {
  private enum State {
    case beforeSubset
    case subset
    case afterBracket
  }

  private var state = State.beforeSubset

  /// Takes the next byte after `<!DOCTYPE`; whether it is the last one of the DTD.
  mutating func take(_ byte: UInt8) -> Bool {
    switch (state, byte) {
    case (.beforeSubset, UInt8(ascii: ">")), (.afterBracket, UInt8(ascii: ">")): return true
    case (.beforeSubset, UInt8(ascii: "[")): state = .subset
    case (.subset, UInt8(ascii: "]")): state = .afterBracket
    case (.afterBracket, UInt8(ascii: "]")): break
    case (.afterBracket, _) where !MarkupHead.isBlank(byte): state = .subset
    default: break
    }
    return false
  }
}
