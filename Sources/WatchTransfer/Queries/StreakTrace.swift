/// What the days of a span were for a streak, and what was done on them.
public struct StreakTraceQuestion: Hashable, Sendable {
  public var span: DaySpan
  /// As if this were the person's policy; nil: the one they chose.
  public var policy: StreakPolicy?

  /// A question about some days.
  public init(_ span: DaySpan, policy: StreakPolicy? = nil) {
    self.span = span
    self.policy = policy
  }
}

/// Civil days in a row.
public enum DaySpan: Hashable, Sendable {
  /// So many from a day on, within `QueryLimits.traceDays` and `ActionLimits.days`.
  case from(CivilDay, days: Int)
  /// Today and those before it, so many in all, within `QueryLimits.traceDays`.
  case last(days: Int)
  /// The calendar month of a day within `ActionLimits.days`.
  case month(of: CivilDay)
}

/// What a day was for a streak.
public enum StreakDayStatus: Hashable, Sendable {
  /// The log is the first of the day that counts.
  case satisfied(by: LogID)
  /// A freeze covers it, or its week.
  case protected
  case paused
  case missed
  /// It never happened in the account's zone.
  case skipped
  /// It neither counts nor breaks: nothing was planned, or its week does without it.
  case idle
  /// It is not over, or its week is not.
  case open

  /// The word used on the wire and in JSON.
  public var word: String {
    switch self {
    case .satisfied: "satisfied"
    case .protected: "frozen"
    case .paused: "paused"
    case .missed: "missed"
    case .skipped: "skipped"
    case .idle: "notCounted"
    case .open: "open"
    }
  }
}

/// One day of a trace.
public struct StreakTraceDay: Hashable, Sendable {
  public var day: CivilDay
  public var status: StreakDayStatus
  /// Ready to show: `15 Jun 2026: done, Row`.
  public var text: String

  /// What `day` was.
  public init(day: CivilDay, status: StreakDayStatus, text: String) {
    self.day = day
    self.status = status
    self.text = text
  }
}

/// What was done on some days, as of today.
public struct SpanTotals: Hashable, Sendable {
  /// Logs that count.
  public var workouts: Int
  /// Different days with one.
  public var activeDays: Int
  /// Of all of them; shown durations.
  public var milliseconds: Int64
  /// Days of the span that happened so far, today included: what an average divides by.
  public var days: Int
  /// Milliseconds a day; nil before the span begins.
  public var averageMilliseconds: Double?
  /// Workouts a day; nil before the span begins.
  public var averageWorkouts: Double?
  /// Ready to show: `3 workouts on 2 of 7 days, 95 min, 13.6 min a day`.
  public var text: String

  /// Sums over some days.
  public init(
    workouts: Int, activeDays: Int, milliseconds: Int64, days: Int, averageMilliseconds: Double?,
    averageWorkouts: Double?, text: String
  ) {
    self.workouts = workouts
    self.activeDays = activeDays
    self.milliseconds = milliseconds
    self.days = days
    self.averageMilliseconds = averageMilliseconds
    self.averageWorkouts = averageWorkouts
    self.text = text
  }
}

/// What the days of a span were for a streak.
public struct StreakTrace: Hashable, Sendable {
  /// What it was asked for, or the person's own.
  public var policy: StreakPolicy
  /// Every day of the span, in order.
  public var days: [StreakTraceDay]
  public var totals: SpanTotals

  /// A trace.
  public init(policy: StreakPolicy, days: [StreakTraceDay], totals: SpanTotals) {
    self.policy = policy
    self.days = days
    self.totals = totals
  }
}
