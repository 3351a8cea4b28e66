/// `text` without anything a terminal would obey: control characters (C0, DEL, C1), line separators
/// and marks that change the direction of writing become U+FFFD.
///
/// Titles and names come from other devices; printed as they are, they could move the cursor, clear
/// the screen or forge a line of output.
public func printable(_ text: String) -> String {
  var shown = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: shown.append("\u{FFFD}")
    default: shown.append(scalar)
    }
  }
  return String(shown)
}
