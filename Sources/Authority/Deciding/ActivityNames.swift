/// The words people use for an activity (DESIGN section 6, rule 3).
enum ActivityNames {
  /// Words besides the activity's own name, in lower case.
  fileprivate static let aliases: [(activity: String, words: [String])] = [
    ("running", ["run", "jog", "jogging"]),
    ("walking", ["walk"]),
    ("cycling", ["ride", "bike", "biking"]),
    ("rowing", ["row"]),
    ("swimming", ["swim"]),
    ("hiking", ["hike"]),
    ("yoga", []),
    ("traditionalstrengthtraining", ["strength", "strength training", "weights"]),
    ("functionalstrengthtraining", ["strength", "strength training", "functional training"]),
    ("crosstraining", ["cross training"]),
    ("highintensityintervaltraining", ["hiit", "intervals"]),
  ]

  /// Length in bytes of the longest name of `activity` that stands in `title` as whole words, ASCII
  /// case folded; 0 when none does.
  static func longestAlias(of activity: String, in title: String) -> Int {
    let name = folded(activity)
    let text = folded(title)
    var longest = contains(text, word: name) ? name.count : 0
    for entry in aliases where Array(entry.activity.utf8) == name {
      for word in entry.words {
        let bytes = Array(word.utf8)
        if bytes.count > longest, contains(text, word: bytes) { longest = bytes.count }
      }
    }
    return longest
  }

  private static func folded(_ text: String) -> [UInt8] {
    text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
  }

  /// Whether `word` stands in `text` between bytes that are no letters or digits; bytes of other
  /// scripts count as letters.
  private static func contains(_ text: [UInt8], word: [UInt8]) -> Bool {
    guard !word.isEmpty, word.count <= text.count else { return false }
    for start in 0...(text.count - word.count) {
      let end = start + word.count
      guard start == 0 || !isWordByte(text[start - 1]),
        end == text.count || !isWordByte(text[end]),
        text[start..<end].elementsEqual(word)
      else { continue }
      return true
    }
    return false
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte >= 128 || (97...122).contains(byte) || (48...57).contains(byte)
  }
}

/// Every word of the closed list of activities, in small letters.
package let activityWords: Set<String> = Set(
  ActivityNames.aliases.flatMap { entry in
    [entry.activity] + entry.words.flatMap { $0.split(separator: " ").map(String.init) }
  })
