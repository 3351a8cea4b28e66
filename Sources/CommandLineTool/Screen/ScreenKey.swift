/// A key of the screen.
public enum ScreenKey: Hashable, Sendable {
  case up, down, left, right, enter, tab
  case character(UInt8)
  /// Ctrl-C or Ctrl-D: a terminal in raw mode makes no signal of them.
  case end
}

/// Makes keys of the bytes that a terminal sends; an escape sequence may come in pieces.
public struct KeyReader: Sendable {
  private enum State: Sendable {
    case plain, escape, sequence
  }

  private var state = State.plain

  /// Nothing pressed yet.
  public init() {}

  /// The keys that `bytes` complete.
  public mutating func read(_ bytes: some Sequence<UInt8>) -> [ScreenKey] {
    bytes.compactMap { read($0) }
  }

  private mutating func read(_ byte: UInt8) -> ScreenKey? {
    switch (state, byte) {
    case (_, 0x1B):
      state = .escape
      return nil
    case (.escape, UInt8(ascii: "[")), (.escape, UInt8(ascii: "O")):
      state = .sequence
      return nil
    case (.sequence, 0x40...0x7E):
      state = .plain
      return Self.arrow(byte)
    case (.sequence, _): return nil
    case (.escape, _), (.plain, _):
      state = .plain
      return Self.plain(byte)
    }
  }

  private static func arrow(_ byte: UInt8) -> ScreenKey? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    default: nil
    }
  }

  private static func plain(_ byte: UInt8) -> ScreenKey? {
    switch byte {
    case 3, 4: .end
    case 9: .tab
    case 10, 13: .enter
    case 0x20...0x7E: .character(byte)
    default: nil
    }
  }
}
