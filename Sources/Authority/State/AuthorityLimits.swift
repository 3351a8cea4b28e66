/// Bounds that `decide` keeps, so that state, facets and decisions stay bounded whatever the peers
/// do (DESIGN section 5). The refusal is `limit`, naming what is full.
public enum AuthorityLimits {
  /// Defined workouts that are not deleted; with `ActionLimits` at most 2.2 MB.
  public static let workoutsMax = 256
  /// Schedules kept, past ones included.
  public static let schedulesMax = 8_192
  /// Schedules on one local day; `today` lists them all.
  public static let schedulesPerDayMax = 12
  /// Weekly schedules with occurrences to come.
  public static let weekliesMax = 64
  /// Weekly schedules kept, ended ones included.
  public static let weekliesKeptMax = 256
  /// Weekly occurrences on one weekday.
  public static let weekliesPerDayMax = 8
  /// Edits of one weekly schedule, its making included; with `weekliesKeptMax` at most 4 MB.
  public static let weeklyEditsMax = 64
  /// Logs on one day.
  public static let logsPerDayMax = 64
  /// Logs kept: 50 a week for 25 years.
  public static let logsMax = 65_536
  /// Notes and tags of all logs, in bytes.
  public static let noteBytesMax = 2_097_152
  /// Weights kept: one a day for 22 years.
  public static let weightsMax = 8_192
  /// Freezes granted; all are kept, because which of them are spent follows from the log.
  public static let freezesMax = 1_024
  /// Freezes in hand (DESIGN section 6, rule 4).
  public static let freezesInHandMax = 2
  /// Pauses of the streak.
  public static let pausesMax = 512
  /// Edits that wait for what they edit.
  public static let waitingMax = 256
  /// Photos and uploads of the account, in bytes: 64 of the largest.
  public static let attachmentBytesMax: Int64 = 268_435_456
  /// Photos and uploads of the account.
  public static let attachmentsMax = 4_096
  /// Uploads that are not complete.
  public static let uploadsMax = 4
  /// Logs with a photo; one photo may be that of several logs.
  public static let photosMax = 4_096
  /// Goals with a value.
  public static let goalsMax = 32
  /// Removed goals whose time is remembered, so that an older edit does not bring one back.
  public static let removedGoalsMax = 64
  /// Matches kept; ended or long idle ones make room for a new one.
  public static let matchesMax = 64
  /// Stubs among them that are open: they keep nobody from a new match.
  public static let openMatchStubsMax = 32
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
  /// Exercises of the account's own.
  public static let exercisesMax = 256
  /// Routines that are not deleted.
  public static let routinesMax = 64
  /// What all routines may take in `routines`, in bytes by `RoutineSize`; what is offered again
  /// after a restore has as much room again.
  public static let routineBytesMax = 10_000
  /// Deleted routines that a wrist out of reach may still start.
  public static let removedRoutinesMax = 16
  /// Sessions kept, ended ones included: 5 a week for 15 years. The first that ended make room;
  /// their logs stay.
  public static let sessionsMax = 4_096
  /// Sessions and stubs that have not ended.
  public static let openSessionsMax = 32
  /// Stubs among them: what somebody else may still tell of keeps nobody from training.
  public static let openSessionStubsMax = 16
  /// Sets of one session, unticked ones included.
  public static let setsMax = 256
  /// Sets of all sessions: some 9 MB. The sessions that ended first make room.
  public static let setsKeptMax = 65_536
  /// Moves of one session's timer; the last place is kept for its finish.
  public static let movesMax = 128
  /// Points of one session's samples: 11 hours at one in 5 s.
  public static let samplePointsMax = 8_192
  /// Ended sessions whose samples are kept, so that late data amends their figures.
  public static let unsealedSessionsMax = 8
  /// Devices whose reloads of the day are counted.
  public static let reloadedDevicesMax = 256
  /// Zones the account was in; the oldest make room.
  public static let zonePeriodsMax = 256

  /// Items of `today` for the day of the newest turn and the next one: 186 bytes each at most, so
  /// that the facet stays under 32 KiB (DESIGN section 5).
  public static let itemsShownNear = 24
  /// Items of `today` for each later day.
  public static let itemsShownFar = 14
  /// What `routines` may take in bytes: a watch's state stays under 100 KiB.
  public static let routineBytesShown = 20_000
  /// Sets of the exercise that `session` shows, and of the last time it was done.
  public static let setsShown = 24
  /// Records in `lastSession`.
  public static let recordsShown = 8
  /// Newest protected days of an entry of `streak`.
  public static let protectedShown = 8
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
  /// An upload that does not go on for so long is given up.
  public static let uploadIdleMilliseconds: Int64 = 24 * 3_600_000
  /// What no log shows for so long goes (DESIGN section 8).
  public static let unattachedMilliseconds: Int64 = 7 * 86_400_000
  /// Bytes that one turn drops.
  public static let droppedBytesMax: Int64 = 8_388_608
  /// A start that arrives within this span of its time is one the person waits for (DESIGN section
  /// 4, Late facts).
  public static let liveMilliseconds: Int64 = 5_000
  /// A cue fires at most this long after what it tells of (DESIGN section 3).
  public static let cueMilliseconds: Int64 = 5_000
}
