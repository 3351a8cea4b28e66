/// The readable names of Apple's activity types.
///
/// Apple's names are English words run together, so splitting them gives the right name for every
/// known type and a fair one for types that do not exist yet; a table would only age.
enum ActivityName {
  /// "Traditional Strength Training" for `HKWorkoutActivityTypeTraditionalStrengthTraining`;
  /// "Other" for a type without a name, such as a bare number.
  static func readable(_ activityType: String) -> String {
    let prefix = "HKWorkoutActivityType"
    let isApple = activityType.hasPrefix(prefix)
    let name = activityType.dropFirst(isApple ? prefix.count : 0)
    guard let first = name.first, first.isLetter else { return "Other" }
    return words(Array(name))
  }

  /// A word starts at a capital after a small letter, and at the last of a run ("BMXRiding").
  private static func words(_ letters: [Character]) -> String {
    var result = ""
    for (index, letter) in letters.enumerated() {
      if letter.isUppercase, index > 0, letters[index - 1] != " " {
        let endsRun = index + 1 < letters.count && letters[index + 1].isLowercase
        if !letters[index - 1].isUppercase || endsRun { result.append(" ") }
      }
      result.append(letter)
    }
    return result
  }
}
