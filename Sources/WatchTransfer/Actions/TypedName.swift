/// Whether `text` may name something: 1 to `bytesMax` bytes of UTF-8, something visible in it, no
/// control characters or line breaks, no byte order mark in front, nothing that turns the direction
/// of the text around it. One rule for what comes over the wire and for what an admin types.
public func isTypedName(_ text: String, bytesMax: Int = ActionLimits.nameBytesMax) -> Bool {
  guard (1...bytesMax).contains(text.utf8.count), text.unicodeScalars.first?.value != 0xFEFF else {
    return false
  }
  var hasVisible = false
  for scalar in text.unicodeScalars {
    if isControl(scalar) || isLineBreak(scalar) || turnsDirection(scalar) { return false }
    if scalar.properties.isNoncharacterCodePoint { return false }
    if !hasVisible { hasVisible = !isInvisible(scalar) }
  }
  return hasVisible
}

/// Whether `text` may be a note: at most `bytesMax` bytes, of one line or more, otherwise as a
/// name; empty is no note.
public func isTypedText(_ text: String, bytesMax: Int) -> Bool {
  guard text.utf8.count <= bytesMax, text.unicodeScalars.first?.value != 0xFEFF else {
    return false
  }
  return text.unicodeScalars.allSatisfy { scalar in
    scalar == "\n"
      || !isControl(scalar) && !isLineBreak(scalar) && !turnsDirection(scalar)
        && !scalar.properties.isNoncharacterCodePoint
  }
}

/// Whether a character is C0, delete or C1; NUL is among them.
public func isControl(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
}

/// The line breaks that are not control characters.
private func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value == 0x2028 || scalar.value == 0x2029
}

/// Embeddings, overrides and isolates: https://www.unicode.org/reports/tr9/
private func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
  (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
}

/// White space, the blank Braille pattern, and characters without any width.
private func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value == 0x2800 || scalar.properties.isWhitespace
    || scalar.properties.isDefaultIgnorableCodePoint
}
