/// The distances of one workout, one for each way of moving.
struct DistanceTally {
  /// Apple has nine types of distance; more are made up.
  private static let typesMax = 32

  private var distances: [(type: String, meters: Double)] = []

  /// Notes the distance of a type, unless there is one.
  mutating func note(type: String, meters: Double) {
    guard distances.count < Self.typesMax, !distances.contains(where: { $0.type == type }) else {
      return
    }
    distances.append((type: type, meters: meters))
  }

  /// The workout's distance. A multisport workout covers its swim, ride and run one after another,
  /// so they add up; anywhere else a second type is the same way measured again (steps counted on a
  /// bicycle), and the longest is the one the workout was about.
  func meters(of activityType: String) -> Double? {
    let meters = distances.map(\.meters)
    if activityType == "HKWorkoutActivityTypeSwimBikeRun", !meters.isEmpty {
      let sum = meters.reduce(0, +)
      return sum.isFinite ? sum : nil
    }
    return meters.max()
  }
}
