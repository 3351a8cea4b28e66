/// `text` cut to so many characters and bytes of UTF-8, between characters, with an ellipsis when
/// something was cut; both bounds >= 3.
func fitted(_ text: String, characters charactersMax: Int, bytes bytesMax: Int) -> String {
  // A character takes at least one byte, and counting characters is slow.
  let isShort = text.utf8.count <= charactersMax
  if text.utf8.count <= bytesMax, isShort || text.count <= charactersMax { return text }
  let ellipsis = "…"
  var kept = ""
  var characters = 1
  var bytes = ellipsis.utf8.count
  for character in text {
    characters += 1
    bytes += character.utf8.count
    if characters > charactersMax || bytes > bytesMax { break }
    kept.append(character)
  }
  while kept.last == " " { kept.removeLast() }
  return kept + ellipsis
}
