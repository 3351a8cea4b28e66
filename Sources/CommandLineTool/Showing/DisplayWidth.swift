/// Columns that `text` takes on a terminal.
func displayWidth(of text: String) -> Int {
  text.reduce(0) { $0 + displayWidth(of: $1) }
}

/// Columns of one character: none for marks, two for East Asian wide letters and emoji (Unicode
/// Standard Annex 11; the ranges are those of common terminals), else one.
private func displayWidth(of character: Character) -> Int {
  var width = 0
  for scalar in character.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: continue
    default: width = max(width, isWide(scalar) ? 2 : 1)
    }
  }
  return width
}

private func isWide(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
    0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
    true
  default: scalar.properties.isEmojiPresentation
  }
}

/// What of `text` fits into so many columns, with "…" where something is cut off; safe to print.
///
/// Terminals disagree about the width of characters made of several (families, flags, emoji with a
/// selector): of such a one only the first part is shown.
func fitted(_ text: String, columns: Int) -> String {
  let text = singleParts(of: printable(text))
  if displayWidth(of: text) <= columns { return text }
  var shown = ""
  var left = columns - 1
  guard left >= 0 else { return "" }
  for character in text {
    left -= displayWidth(of: character)
    if left < 0 { break }
    shown.append(character)
  }
  return shown + "…"
}

private func singleParts(of text: String) -> String {
  var shown = String.UnicodeScalarView()
  for character in text {
    let parts = character.unicodeScalars
    guard let first = parts.first else { continue }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark, .format:
      // A mark without a letter stands on whatever is before it, or takes a column of its own.
      continue
    default:
      // Regional indicators are one column or two, by the terminal.
      shown.append((0x1F1E6...0x1F1FF).contains(first.value) ? "·" : first)
    }
    for part in parts.dropFirst() {
      switch part.properties.generalCategory {
      case .nonspacingMark where !(0xFE00...0xFE0F).contains(part.value): shown.append(part)
      default: continue
      }
    }
  }
  return String(shown)
}
