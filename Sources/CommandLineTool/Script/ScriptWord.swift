/// One word of a script: letters up to a space, or anything in double quotes.
struct ScriptWord: Hashable, Sendable {
  let text: String
  /// Whether any part of it was quoted: such a word is never a keyword.
  let isQuoted: Bool

  /// Whether it is the keyword `word`.
  func isWord(_ word: String) -> Bool {
    !isQuoted && Array(text.utf8) == Array(word.utf8)
  }

  /// The words of `text`.
  static func split(_ text: String) throws(ScriptError) -> [ScriptWord] {
    var words: [ScriptWord] = []
    var current = ""
    var isQuoted = false
    var isInside = false
    var characters = text.makeIterator()
    while let character = characters.next() {
      switch character {
      case "\"":
        isInside.toggle()
        isQuoted = true
      case "\\" where isInside:
        guard let next = characters.next() else { throw .unclosedQuote }
        current.append(next)
      case " ", "\t", "\n", "\r\n":
        if isInside {
          current.append(character)
        } else if !current.isEmpty || isQuoted {
          words.append(ScriptWord(text: current, isQuoted: isQuoted))
          current = ""
          isQuoted = false
        }
      default: current.append(character)
      }
    }
    if isInside { throw .unclosedQuote }
    if !current.isEmpty || isQuoted { words.append(ScriptWord(text: current, isQuoted: isQuoted)) }
    return words
  }
}
