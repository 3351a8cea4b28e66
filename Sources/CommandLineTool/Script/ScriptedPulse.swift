/// A live value as a person writes it: `pulse 142 210 1500`.
public struct ScriptedPulse: Hashable, Sendable {
  /// Beats a minute; 0: none.
  public var heartRate: Double
  /// Since the session's start.
  public var energyKilocalories: Double?
  /// Since the session's start.
  public var distanceMeters: Double?

  static let form = "pulse BPM [KCAL] [METERS]"

  /// A pulse.
  public init(
    heartRate: Double, energyKilocalories: Double? = nil, distanceMeters: Double? = nil
  ) {
    self.heartRate = heartRate
    self.energyKilocalories = energyKilocalories
    self.distanceMeters = distanceMeters
  }

  /// Reads the words behind `pulse`.
  init(_ words: ArraySlice<ScriptWord>) throws(ScriptError) {
    guard (1...3).contains(words.count) else { throw .badForm(Self.form) }
    var numbers: [Double] = []
    for word in words {
      // The client would leave out what the authority does not take.
      guard let number = Int(word.text), (0...999_999).contains(number),
        !numbers.isEmpty || number <= 400
      else {
        throw .badNumber(
          word.text,
          expected: numbers.isEmpty
            ? "beats a minute from 0 to 400" : "a whole number from 0 to 999999")
      }
      numbers.append(Double(number))
    }
    self.init(
      heartRate: numbers[0], energyKilocalories: numbers.count > 1 ? numbers[1] : nil,
      distanceMeters: numbers.count > 2 ? numbers[2] : nil)
  }
}
