/// Bounds on what an action may carry, in one place. `WireFormat` checks them before any rule sees
/// the action; the client libraries can check them before they queue one.
public enum ActionLimits {
  /// Titles, team names, goal names, activity types, source names: bytes of UTF-8.
  public static let nameBytesMax = 128
  /// Exercises in one workout; with `nameBytesMax` a definition stays under 8 KiB.
  public static let exercisesMax = 64
  /// IANA ids are shorter; longest known 32 bytes.
  public static let zoneBytesMax = 64
  /// Metadata text of a health source, such as an external uuid.
  public static let externalTextBytesMax = 128
  /// 1 minute to 3 hours.
  public static let halfLengthMilliseconds: ClosedRange<Int64> = 60_000...10_800_000
  /// Players in the squad of a team.
  public static let playersMax = 23
  /// On a shirt.
  public static let shirtNumbers = 0...999
  /// Bindings of a keymap.
  public static let bindingsMax = 32
  /// A logged workout lasts at most 7 days.
  public static let workoutMillisecondsMax: Int64 = 7 * 86_400_000
  /// Exercises in one routine, and in one session.
  public static let routineEntriesMax = 32
  /// Planned sets of one exercise.
  public static let targetSetsMax = 12
  /// Groups of unlike sets over all exercises of a routine: eight fields each, so that a body stays
  /// under 512 fields.
  public static let setGroupsMax = 48
  /// Planned repetitions of a set.
  public static let targetReps = 1...1_000
  /// Repetitions that were done; a set may fail.
  public static let doneReps = 0...1_000
  /// 1 second to 1 hour.
  public static let restSeconds = 1...3_600
  /// Points of one sample block, of both kinds together: three fields each, so that a body stays
  /// under 512 fields.
  public static let samplePointsMax = 128
  /// Beats a minute; 0 is no value.
  public static let heartRate = 0.0...400.0
  /// Kilocalories, metres, beats a minute and goal values stay under this.
  public static let figureMax = 1e9
  /// Instants an action may name: 1970 to 2199; a device's own clock may show anything.
  public static let instants = Instant(milliseconds: 0)...Instant(milliseconds: 7_258_118_399_999)
  /// Civil days an action may name: those of `instants`.
  public static let days = CivilDay(number: 0)...CivilDay(number: 84_005)
  /// Milliseconds on a wall clock.
  public static let timesOfDay: ClosedRange<Int64> = 0...86_399_999
  /// Notes of a log: bytes of UTF-8.
  public static let notesBytesMax = 2_048
  /// Tags of a log, each of at most `tagBytesMax` bytes.
  public static let tagsMax = 16
  /// A tag: bytes of UTF-8.
  public static let tagBytesMax = 64
  /// Steps of the onboarding.
  public static let onboardingSteps = 0...100
  /// An action number fits a double's integers, so that every language can hold it.
  public static let numberEnd: UInt64 = 1 << 53
}
