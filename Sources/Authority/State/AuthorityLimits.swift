/// Bounds that `decide` keeps, so that state, facets and decisions stay bounded whatever the peers
/// do (DESIGN section 5). The refusal is `limit`, naming what is full.
public enum AuthorityLimits {
  /// Defined workouts that are not deleted; with `ActionLimits` at most 2.2 MB.
  public static let workoutsMax = 256
  /// Schedules kept, past ones included.
  public static let schedulesMax = 8_192
  /// Schedules on one local day; `today` lists them all.
  public static let schedulesPerDayMax = 12
  /// Logs on one day.
  public static let logsPerDayMax = 64
  /// Logs kept: 50 a week for 25 years.
  public static let logsMax = 65_536
  /// Goals with a value.
  public static let goalsMax = 32
  /// Removed goals whose time is remembered, so that an older edit does not bring one back.
  public static let removedGoalsMax = 64
  /// Matches kept; ended or long idle ones make room for a new one.
  public static let matchesMax = 64
  /// Entries of one match, undone ones included.
  public static let entriesMax = 200
  /// Clock controls of one match; the last place is kept for `end`.
  public static let controlsMax = 256
  /// Takeovers of one match's clock.
  public static let takeoversMax = 64
  /// Substitutions of one match, undone ones included.
  public static let substitutionsMax = 128
  /// Ids that name something or once did: 131,072 take about 8 MB.
  public static let identifiersMax = 131_072
  /// Zones the account was in; the oldest make room.
  public static let zonePeriodsMax = 256

  /// Items of `today` for the day of the newest turn and the next one: 186 bytes each at most, so
  /// that the facet stays under 32 KiB (DESIGN section 5).
  public static let itemsShownNear = 24
  /// Items of `today` for each later day.
  public static let itemsShownFar = 14
  /// Newest entries in `score`.
  public static let entriesShown = 12
  /// Newest substitutions in `squads`: with two full squads 23 KiB at most.
  public static let substitutionsShown = 32
  /// Players in `playTime` whom no squad names, beside the squads: 16 KiB at most together.
  public static let strangersShown = 46

  /// How long a wish about now stays one (DESIGN section 4, Perishable).
  public static let perishableMilliseconds: Int64 = 120_000
  /// Two referees within this span press for one point (DESIGN section 6).
  public static let coincidenceMilliseconds: Int64 = 3_000
  /// A stub closes this long after its last fact (DESIGN section 4, Late facts).
  public static let stubIdleMilliseconds: Int64 = 12 * 3_600_000
  /// A cue fires at most this long after what it tells of (DESIGN section 3).
  public static let cueMilliseconds: Int64 = 5_000
}
