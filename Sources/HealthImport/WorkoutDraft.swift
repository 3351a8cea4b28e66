/// What was read of a workout so far, as text, and the rules that make a value of it.
///
/// Exports repeat whole blocks of children word for word, so of everything named the first stands.
struct WorkoutDraft {
  /// Line of the element's `<`.
  let line: Int
  /// Pauses and resumes so far.
  private(set) var pauses = PauseTally()

  private let limits: ImportLimits
  private var activityType: String?
  private var sourceName: String?
  private var sourceVersion: String?
  private var device: String?
  private var start: String?
  private var end: String?
  private var duration: (text: String?, unit: String?) = (nil, nil)
  private var totalEnergy: Double?
  private var totalDistance: Double?
  private var timeZoneName: String?
  private var externalUUID: String?
  private var userEntered: String?
  private var energy: Double?
  private var distances = DistanceTally()
  private var averageHeartRate: Double?
  private var maximumHeartRate: Double?

  /// A draft of nothing.
  init(line: Int, limits: ImportLimits) {
    self.line = line
    self.limits = limits
  }

  /// Takes the attributes of the `Workout` itself.
  mutating func readWorkout(_ attributes: ElementAttributes) {
    activityType = attributes["workoutActivityType"]
    sourceName = attributes["sourceName"]
    sourceVersion = attributes["sourceVersion"]
    device = attributes["device"]
    start = attributes["startDate"]
    end = attributes["endDate"]
    duration = (attributes["duration"], attributes["durationUnit"])
    totalEnergy = Quantity.kilocalories(
      attributes["totalEnergyBurned"], unit: attributes["totalEnergyBurnedUnit"])
    totalDistance = Quantity.meters(
      attributes["totalDistance"], unit: attributes["totalDistanceUnit"])
  }

  /// Takes a `MetadataEntry` of the workout.
  mutating func readMetadata(_ attributes: ElementAttributes) {
    switch attributes["key"] {
    case "HKTimeZone": timeZoneName = timeZoneName ?? attributes["value"]
    case "HKExternalUUID": externalUUID = externalUUID ?? attributes["value"]
    case "HKWasUserEntered": userEntered = userEntered ?? attributes["value"]
    default: break
    }
  }

  /// Takes a `WorkoutStatistics` of the workout, which exports use instead of totals since iOS 16.
  mutating func readStatistics(_ attributes: ElementAttributes) {
    let quantity = "HKQuantityTypeIdentifier"
    guard let type = attributes["type"], type.hasPrefix(quantity) else { return }
    let unit = attributes["unit"]
    switch type.dropFirst(quantity.count) {
    case "ActiveEnergyBurned":
      energy = energy ?? Quantity.kilocalories(attributes["sum"], unit: unit)
    case "HeartRate":
      averageHeartRate =
        averageHeartRate ?? Quantity.beatsPerMinute(attributes["average"], unit: unit)
      maximumHeartRate =
        maximumHeartRate ?? Quantity.beatsPerMinute(attributes["maximum"], unit: unit)
    case let name where name.hasPrefix("Distance"):
      if let meters = Quantity.meters(attributes["sum"], unit: unit) {
        distances.note(type: type, meters: meters)
      }
    default: break
    }
  }

  /// Takes a `WorkoutEvent` of the workout. Automatic pauses (`MotionPaused`) are hints and do not
  /// stop a workout's time.
  mutating func readEvent(_ attributes: ElementAttributes) {
    let type = attributes["type"]
    let pauses = type == "HKWorkoutEventTypePause"
    guard pauses || type == "HKWorkoutEventTypeResume", let date = attributes["date"],
      let moment = ExportDate.parse(date)
    else { return }
    self.pauses.note(at: moment, pauses: pauses)
  }

  /// The workout, now that its element is whole.
  func finished() throws(ImportProblem.Reason) -> ImportedWorkout {
    guard let activityType = try bounded(activityType, .activityType), !activityType.isEmpty else {
      throw .missing(.activityType)
    }
    let startMilliseconds = try instant(start, .start)
    let endMilliseconds = try instant(end, .end)
    guard endMilliseconds >= startMilliseconds else { throw .endBeforeStart }
    return ImportedWorkout(
      activityType: activityType,
      activityName: ActivityName.readable(activityType),
      sourceName: try bounded(sourceName, .sourceName) ?? "",
      sourceVersion: try bounded(sourceVersion, .sourceVersion),
      device: try bounded(device, .device),
      startMilliseconds: startMilliseconds,
      endMilliseconds: endMilliseconds,
      statedActiveMilliseconds: Quantity.milliseconds(
        duration.text, unit: duration.unit, span: endMilliseconds - startMilliseconds),
      pausedMilliseconds: pauses.pausedMilliseconds(from: startMilliseconds, to: endMilliseconds),
      timeZoneName: try bounded(timeZoneName, .timeZoneName),
      energyKilocalories: totalEnergy ?? energy,
      distanceMeters: totalDistance ?? distances.meters(of: activityType),
      averageHeartRate: averageHeartRate,
      maximumHeartRate: maximumHeartRate,
      externalUUID: try bounded(externalUUID, .externalUUID),
      wasUserEntered: userEntered == "1",
      line: line)
  }

  private func bounded(
    _ text: String?, _ field: ImportProblem.Field
  ) throws(ImportProblem.Reason) -> String? {
    guard let text else { return nil }
    let bytes = text.utf8.count
    guard bytes <= limits.textBytesMax else {
      throw .textTooLong(field, bytes: bytes, max: limits.textBytesMax)
    }
    return text
  }

  private func instant(
    _ text: String?, _ field: ImportProblem.Field
  ) throws(ImportProblem.Reason) -> Int64 {
    guard let text else { throw .missing(field) }
    guard let milliseconds = ExportDate.parse(text) else { throw .dateUnreadable(field) }
    return milliseconds
  }
}
