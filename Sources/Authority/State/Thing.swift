public import WatchTransfer

/// Tag of an id whose kind is not yet known.
public enum ThingTag {}

/// The 128 bits of any id an action makes.
public typealias ThingID = Identifier<ThingTag>

/// What an id names, with the way to it. One id names one thing of an account (DESIGN section 4).
package enum Thing: Sendable, Equatable {
  case workout
  /// Schedules are kept in order of time.
  case schedule(at: Instant)
  /// Logs are kept by day.
  case log(day: CivilDay)
  case match
  case entry(match: MatchID)
  case exercise
  case routine
  /// With the day of its log, when it has ended: the log's id is the session's.
  case session(day: CivilDay?)
  case set(session: SessionID)
  case substitution(match: MatchID)
  /// In any number of squads; its id is free again when no match names it.
  case player
  /// A schedule of so many days a week.
  case weekly
  /// Weights are kept in order of day.
  case weight(day: CivilDay)
  case freeze
  case pause
  /// It was; its id stays used.
  case gone(ThingKind)

  /// What kind of thing.
  package var kind: ThingKind {
    switch self {
    case .workout: .workout
    case .schedule, .weekly: .schedule
    case .log: .log
    case .match: .match
    case .entry: .entry
    case .exercise: .exercise
    case .routine: .routine
    case .session: .session
    case .set: .set
    case .substitution: .substitution
    case .player: .player
    case .weight: .weight
    case .freeze: .freeze
    case .pause: .pause
    case .gone(let kind): kind
    }
  }
}

/// The kinds of things that ids of actions name; raw values are stored.
package enum ThingKind: UInt8, CaseIterable, Sendable {
  case workout = 1
  case schedule = 2
  case log = 3
  case match = 4
  case entry = 5
  case exercise = 6
  case routine = 7
  case session = 8
  case set = 9
  case substitution = 10
  case player = 14
  case weight = 11
  case freeze = 12
  case pause = 13
}
