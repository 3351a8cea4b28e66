/// One workout as an Apple Health export states it: nothing matched, merged or guessed.
///
/// What the export leaves out is nil; a stated 0 is 0. Points in time are milliseconds since
/// 1970-01-01T00:00Z.
public struct ImportedWorkout: Sendable, Equatable {
  /// The raw name, such as `HKWorkoutActivityTypeRunning`, kept even if nobody knows it.
  public var activityType: String
  /// The name for people, such as "Traditional Strength Training".
  public var activityName: String
  /// The app or device that wrote the workout; empty if the export names none.
  public var sourceName: String
  /// Version of the source.
  public var sourceVersion: String?
  /// Apple's description of the recording device, with name, hardware and software.
  public var device: String?
  /// Start. The offset it was written with is that of the export and says nothing of the workout.
  public var startMilliseconds: Int64
  /// End; never before the start, often equal to it in workouts typed in by hand.
  public var endMilliseconds: Int64
  /// The duration the export states, which leaves out pauses and need not follow from the span.
  public var statedActiveMilliseconds: Int64?
  /// Pauses within the span; one never resumed ends with the workout.
  public var pausedMilliseconds: Int64
  /// Zone the workout was done in, from the metadata `HKTimeZone`.
  public var timeZoneName: String?
  /// Active energy.
  public var energyKilocalories: Double?
  /// Distance.
  public var distanceMeters: Double?
  /// Average heart rate, beats per minute; above 0.
  public var averageHeartRate: Double?
  /// Highest heart rate, beats per minute; above 0.
  public var maximumHeartRate: Double?
  /// The id its writer gave it, from the metadata `HKExternalUUID`.
  public var externalUUID: String?
  /// Whether a person typed it in, from the metadata `HKWasUserEntered`.
  public var wasUserEntered: Bool
  /// Line of the element's `<` in the export, counted from 1.
  public var line: Int

  /// From start to end, pauses included.
  public var spanMilliseconds: Int64 { endMilliseconds - startMilliseconds }

  /// The active time to show: the stated one, else the span without its pauses; never negative.
  public var activeMilliseconds: Int64 {
    statedActiveMilliseconds ?? max(0, spanMilliseconds - pausedMilliseconds)
  }
}
