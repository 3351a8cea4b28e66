/// Finds the `-->` of a comment or the `]]>` of CDATA: a mark twice or more, then `>`.
struct MarkupTerminator {
  /// The byte that comes twice.
  let mark: UInt8
  /// Whether the last byte was the mark. If not, everything up to the next mark can be passed over.
  var isUnderWay: Bool { marks > 0 }

  private var marks = 0

  /// A terminator of which nothing was read.
  init(mark: UInt8) {
    self.mark = mark
  }

  /// Takes the next byte; whether it is the last one of the terminator.
  mutating func take(_ byte: UInt8) -> Bool {
    if byte == UInt8(ascii: ">"), marks == 2 { return true }
    marks = byte == mark ? min(marks + 1, 2) : 0
    return false
  }
}
