/// Days of the week.
public struct Weekdays: Hashable, Sendable {
  /// Bit 0 is Monday, bit 6 is Sunday.
  public let bits: UInt8

  /// The days whose bits are set; nil unless there is one to seven of them.
  public init?(bits: UInt8) {
    guard (1...127).contains(bits) else { return nil }
    self.bits = bits
  }

  /// 1 = Monday … 7 = Sunday; nil when there is none, or a number is no weekday.
  public init?(_ weekdays: some Sequence<Int>) {
    var bits: UInt8 = 0
    for weekday in weekdays {
      guard (1...7).contains(weekday) else { return nil }
      bits |= 1 << UInt8(weekday - 1)
    }
    self.init(bits: bits)
  }

  /// Every day.
  public static let all = Weekdays(unchecked: 127)

  private init(unchecked bits: UInt8) {
    self.bits = bits
  }

  /// Whether a weekday, 1 = Monday … 7 = Sunday, is among them.
  public func contains(_ weekday: Int) -> Bool { bits >> UInt8(clamping: weekday - 1) & 1 == 1 }
}

/// What changes in a schedule; nil stays as it is.
public struct ScheduleChange: Hashable, Sendable {
  public var workout: WorkoutReference?
  /// Of a schedule for one moment.
  public var at: Instant?
  /// Of a weekly one.
  public var weekdays: Weekdays?
  /// Of a weekly one: milliseconds on the wall clock, 0 to 86,399,999.
  public var timeOfDay: Int64?

  /// No change yet.
  public init() {}
}

/// What a person weighed. Either an instant or a day alone.
public struct LoggedWeight: Hashable, Sendable {
  /// When it was.
  public enum Moment: Hashable, Sendable {
    case instant(Instant)
    /// The same day in every zone.
    case day(CivilDay)
  }

  public var id: WeightID
  /// As it was entered.
  public var weight: Weight
  public var moment: Moment
  /// IANA id of the zone it was taken in; nil: the device's when it was logged.
  public var zoneID: String?

  /// A weight at a moment.
  public init(id: WeightID, weight: Weight, moment: Moment, zoneID: String? = nil) {
    self.id = id
    self.weight = weight
    self.moment = moment
    self.zoneID = zoneID
  }
}

/// What changes in a log; nil stays as it is.
public struct LogChange: Hashable, Sendable {
  /// A start or an end.
  public enum Moment: Hashable, Sendable {
    case instant(Instant)
    /// Milliseconds on the wall clock of the log's zone: a start on the day it had; an end at its
    /// first such moment not before the start, which may be the next day.
    case timeOfDay(Int64)
  }

  /// A figure that is set, or taken away: missing is absent, not 0.
  public enum Figure<Value: Hashable & Sendable>: Hashable, Sendable {
    case set(Value)
    case cleared

    /// nil when it is taken away.
    public var value: Value? {
      if case .set(let value) = self { value } else { nil }
    }
  }

  public var title: String?
  public var activityType: String?
  /// Empty: none.
  public var notes: String?
  public var tags: [String]?
  public var start: Moment?
  public var end: Moment?
  public var activeMilliseconds: Figure<Int64>?
  public var energyKilocalories: Figure<Double>?
  public var distanceMeters: Figure<Double>?
  public var averageHeartRate: Figure<Double>?
  public var maximumHeartRate: Figure<Double>?

  /// No change yet.
  public init() {}
}

/// How a streak is counted.
public enum StreakPolicy: Hashable, Sendable {
  /// Every day.
  case daily
  /// Calendar weeks with something done on so many different days, 1 to 7.
  case weekly(days: Int)
  /// Days with something planned; others neither count nor break.
  case scheduled

  /// The word used on the command line and in JSON.
  public var word: String {
    switch self {
    case .daily: "daily"
    case .weekly: "weekly"
    case .scheduled: "scheduled"
    }
  }

  /// Days asked for in a week; nil for the other policies.
  public var daysAWeek: Int? {
    if case .weekly(let days) = self { days } else { nil }
  }

  /// Whether it is one that can be asked for.
  public var isValid: Bool { daysAWeek.map((1...7).contains) ?? true }
}
