internal import WatchTransfer

extension WidgetDrawing {
  /// For a terminal with true colours (24 bits): a box in the palette's colours, its symbol in the
  /// upper edge; the inline family has no box and is one line. Both appearances stand one below
  /// the other, day first.
  public var ansi: String {
    if faces.isEmpty { return "nothing to show\n" }
    return faces.map { $0.family == .inline ? $0.ansiLine : $0.ansiBox }.joined(separator: "\n")
  }

  /// The same without colours, for files and pipes.
  public var plain: String {
    var text = ""
    var isEscape = false
    for scalar in ansi.unicodeScalars {
      if scalar.value == 0x1B { isEscape = true }
      if !isEscape { text.unicodeScalars.append(scalar) }
      if scalar == "m" { isEscape = false }
    }
    return text
  }
}

extension WidgetFace {
  private static let reset = "\u{1B}[0m"

  fileprivate var ansiLine: String {
    let parts = (symbol.isEmpty ? [] : [painted(symbol, palette.secondary)]) + rows.map(painted)
    return parts.joined(separator: painted(" ", palette.text)) + Self.reset + "\n"
  }

  fileprivate var ansiBox: String {
    let columns = max(self.columns, displayWidth(of: symbol) + 2)
    let title = symbol.isEmpty ? "" : " \(symbol) "
    let edge = String(repeating: "─", count: columns + 2 - displayWidth(of: title))
    var lines = [painted("╭\(title)\(edge)╮", palette.accent)]
    let padding = max(0, family.linesMax - rows.count)
    for row in rows + Array(repeating: Row(text: "", colour: .text), count: padding) {
      let space = String(repeating: " ", count: columns - displayWidth(of: row.text))
      let side = painted("│", palette.accent)
      lines.append("\(side) \(painted(row))\(space) \(side)")
    }
    lines.append(painted("╰\(String(repeating: "─", count: columns + 2))╯", palette.accent))
    return lines.map { $0 + Self.reset + "\n" }.joined()
  }

  private func painted(_ row: Row) -> String {
    painted(row.text, colour(of: row))
  }

  private func painted(_ text: String, _ colour: UInt32) -> String {
    "\u{1B}[48;2;\(Self.parts(palette.background))m\u{1B}[38;2;\(Self.parts(colour))m\(text)"
  }

  private static func parts(_ colour: UInt32) -> String {
    "\(colour >> 16 & 255);\(colour >> 8 & 255);\(colour & 255)"
  }
}
