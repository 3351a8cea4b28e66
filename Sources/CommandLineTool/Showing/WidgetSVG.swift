internal import WatchTransfer

extension WidgetDrawing {
  /// A picture whose title is the spoken label; both appearances stand side by side, day first.
  public var svg: String {
    let size = timeline.family.size
    let faces = self.faces
    let gap = 12
    let width = max(1, faces.count) * (size.width + gap) - gap
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" role="img" width="\(width)" height="\(size.height)" \
      viewBox="0 0 \(width) \(size.height)">
      <title>\(escaped(faces.first?.spoken ?? "Nothing to show"))</title>

      """
    for (index, face) in faces.enumerated() {
      text += "<g transform=\"translate(\(index * (size.width + gap)) 0)\">\n"
      text += face.svgContent
      text += "</g>\n"
    }
    return text + "</svg>\n"
  }
}

extension WidgetFace {
  /// A background and one text element a row, in a size at which the widest row and all rows fit.
  fileprivate var svgContent: String {
    let size = family.size
    let padding = 8
    let rows = (symbol.isEmpty ? [] : [Row(text: symbol, colour: .secondary)]) + self.rows
    let columns = max(self.columns, displayWidth(of: symbol))
    // A letter of a monospaced font is 0.6 em wide; a row is 1.25 em high. In tenths of a pixel.
    let byWidth = (size.width - 2 * padding) * 100 / (columns * 6)
    let byHeight = (size.height - 2 * padding) * 1_000 / (max(1, rows.count) * 125)
    let letter = min(byWidth, byHeight, 200)
    var text = "<rect width=\"\(size.width)\" height=\"\(size.height)\" rx=\"12\" "
    text += "fill=\"\(hexColour(palette.background))\"/>\n"
    for (index, row) in rows.enumerated() {
      let baseline = padding * 10 + letter + index * letter * 125 / 100
      text += "<text x=\"\(padding)\" y=\"\(tenths(baseline))\" "
      text += "font-family=\"ui-monospace, monospace\" font-size=\"\(tenths(letter))\" "
      text += "fill=\"\(hexColour(colour(of: row)))\" xml:space=\"preserve\">"
      text += "\(escaped(row.text))</text>\n"
    }
    return text
  }

  private func tenths(_ value: Int) -> String {
    "\(value / 10).\(value % 10)"
  }
}

extension WidgetFamily {
  /// Pixels of the picture.
  var size: (width: Int, height: Int) {
    switch self {
    case .small: (158, 158)
    case .medium: (338, 158)
    case .large: (338, 354)
    case .circular, .corner: (76, 76)
    case .rectangular: (172, 76)
    case .inline: (260, 76)
    }
  }
}

/// `text` as XML 1.0 character data or attribute value; what XML cannot hold becomes U+FFFD.
func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "'": result += "&apos;"
    case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
      result += "\u{FFFD}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}
