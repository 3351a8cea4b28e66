public import WatchTransfer

/// What an emulated watch is told to do, as a person writes it.
public enum ScriptedAction: Hashable, Sendable {
  case define(title: String)
  case schedule(title: String, at: InstantArgument)
  case mark(title: String)
  case unmark(title: String)
  case log(type: String, start: InstantArgument, end: InstantArgument)
  case match(home: String, away: String, halfLengthMinutes: Int64?)
  case point(Team)
  case undo(EntryID)
  case clock(ClockControl)
  case theme(ThemeMode)
  case palette(PaletteName)
  /// Without a value the goal is removed.
  case goal(name: String, value: Double?)
  case zone(String)
  case consistency(ScriptedConsistency)
  /// No action: shows the whole state at this place.
  case state
  /// No action: shows so many of the newest logs.
  case history(Int)

  /// Its forms, for a person.
  public static let forms =
    [
      "define TITLE", "schedule TITLE at INSTANT", "mark TITLE", "unmark TITLE",
      "log TYPE START END", "match HOME AWAY [half-length MINUTES]", "point home|away",
      "undo ENTRY", "clock start|pause|reset|next-half|end", "theme auto|day|night",
      "palette \(PaletteName.allCases.map(\.word).joined(separator: "|"))",
      "goal NAME VALUE|none", "zone ZONE", "state", "history [COUNT]",
    ] + ScriptedConsistency.forms

  /// Length of a half when a script names none: 45 minutes.
  public static let halfLengthMinutesDefault: Int64 = 45

  /// Whether it acts on a match that is there already.
  public var needsMatch: Bool {
    switch self {
    case .point, .undo, .clock: true
    default: false
    }
  }

  /// The action it becomes when the device's wall clock shows `now`, on `match`, with fresh ids.
  /// Nil for `state` and `history`, and where a match is needed and there is none.
  public func action(now: Instant, match: MatchID?) -> Action? {
    switch self {
    case .define(let title):
      return .defineWorkout(id: .random(), title: title, exercises: [])
    case .schedule(let title, let at):
      return .scheduleWorkout(
        id: .random(), workout: .title(title), at: at.resolved(now: now))
    case .mark(let title):
      return .markWorkout(log: .random(), workout: .title(title))
    case .unmark(let title): return .unmarkWorkout(workout: .title(title))
    case .log(let type, let start, let end):
      return .logWorkout(
        LoggedWorkout(
          log: .random(), activityType: type, start: start.resolved(now: now),
          end: end.resolved(now: now)))
    case .match(let home, let away, let minutes):
      return .newMatch(
        id: .random(), home: home, away: away,
        halfLengthMilliseconds: (minutes ?? Self.halfLengthMinutesDefault) * 60_000)
    case .point(let team):
      guard let match else { return nil }
      return .addPoint(
        entry: .random(), match: match, team: team, insist: false)
    case .undo(let entry): return match.map { .undoPoint(match: $0, entry: entry) }
    case .clock(let control): return match.map { .controlClock(match: $0, control: control) }
    case .theme(let mode): return .setTheme(mode: mode)
    case .palette(let palette): return .setPalette(palette)
    case .goal(let name, let value): return .setGoal(name: name, value: value)
    case .zone(let id): return .setZone(id: id)
    case .consistency(let wish): return wish.action(now: now)
    case .state, .history: return nil
    }
  }
}

extension Action {
  /// The match it makes, if it makes one.
  public var madeMatch: MatchID? {
    if case .newMatch(let id, _, _, _) = self { id } else { nil }
  }
}
