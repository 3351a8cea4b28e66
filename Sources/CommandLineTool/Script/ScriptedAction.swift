public import WatchTransfer

/// What an emulated watch is told to do, as a person writes it.
public enum ScriptedAction: Hashable, Sendable {
  case define(title: String)
  case schedule(title: String, at: InstantArgument)
  case mark(title: String)
  case unmark(title: String)
  case log(type: String, start: InstantArgument, end: InstantArgument)
  /// With `extraHalfMinutes` there is extra time.
  case match(
    home: String, away: String, halfLengthMinutes: Int64?, extraHalfMinutes: Int64? = nil)
  /// `insist`: also where another referee has just pressed for the same team.
  case point(Team, insist: Bool = false)
  case nameTeam(Team, name: String)
  case undo(EntryID)
  case clock(ClockControl)
  case takeOver
  case squad(Team, players: [SquadPlayer])
  /// By their names.
  case sub(Team, off: String, on: String)
  case undoSub(SubstitutionID)
  case keymap([KeyBinding])
  case press(button: UInt8, Gesture)
  case theme(ThemeMode)
  case palette(PaletteName)
  /// Without a value the goal is removed.
  case goal(name: String, value: Double?)
  case zone(String)
  case workout(WorkoutWord)
  case strength(StrengthWord)
  case consistency(ScriptedConsistency)
  case onLog(LogWord)
  /// No action: shows the whole state at this place.
  case state
  /// No action: shows what the authority answers.
  case ask(ScriptedQuestion)
  /// No new action: what the device does about its outbox.
  case outbox(OutboxWord)
  /// No action: a live value of the session that runs.
  case pulse(ScriptedPulse)

  /// Its forms, for a person.
  public static let forms =
    [
      "define TITLE", "schedule TITLE at INSTANT", "mark TITLE", "unmark TITLE",
      "log TYPE START END", matchForm, nameTeamForm, pointForm, "undo ENTRY",
      "clock start|pause|reset|next-half|end", "take-over", squadForm, subForm,
      "undo-sub ENTRY", keymapForm, "press BUTTON", "hold BUTTON", "double BUTTON",
      "theme auto|day|night",
      "palette \(PaletteName.allCases.map(\.word).joined(separator: "|"))",
      "goal NAME VALUE|none", "zone ZONE", "state",
      ScriptedPulse.form,
    ] + WorkoutWord.forms + ScriptedQuestion.forms + OutboxWord.forms + StrengthWord.forms
    + ScriptedConsistency.forms
    + LogWord.forms

  static let matchForm = "match HOME AWAY [half-length MINUTES] [extra-half MINUTES]"
  static let nameTeamForm = "name-team home|away NAME"
  static let pointForm = "point home|away [insist]"
  static let squadForm = "squad home|away PLAYER [bench PLAYER]"
  static let subForm = "sub home|away OFF ON"
  static let keymapForm = "keymap none|BINDING"

  /// What the forms of line-ups mean by their words, a line each.
  public static let lineUpNotes = [
    "PLAYER: NAME or NAME#NUMBER, any number of them; who stands behind \"bench\" does",
    "not start. OFF and ON are their names. Only a phone may say who plays.",
  ]

  /// What the forms of buttons mean by their words, a line each.
  public static let buttonNotes = [
    "BINDING: BUTTON:press|hold|double=COMMAND, any number of them; COMMAND:",
    "  " + ScriptedAction.commandWords.map(\.word).joined(separator: ", ") + ",",
    "  mark:TITLE. A keymap replaces the one before. BUTTON: 0 to 255. A device paired as a",
    "  controller may only press, hold and double.",
  ]

  /// What a button can do, but for marks.
  static let commandWords: [(word: String, command: KeyCommand)] =
    [
      ("point-home", .point(.home)), ("point-away", .point(.away)), ("undo-point", .undoPoint),
    ] + ClockControl.allCases.map { ("clock-\($0.word)", .clock($0)) }

  /// Length of a half when a script names none: 45 minutes.
  public static let halfLengthMinutesDefault: Int64 = 45

  /// Whether it acts on a match that is there already.
  public var needsMatch: Bool {
    switch self {
    case .point, .nameTeam, .undo, .clock, .takeOver, .squad, .sub, .undoSub: true
    default: false
    }
  }

  /// The action it becomes when the device's wall clock shows `now`, on `match`, with fresh ids.
  /// Nil for `state`, questions, photos, pulses and the outbox, for what needs more than a match
  /// (`StrengthWord.action`, `WorkoutWord.action`), and where a match is needed and there is none.
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
    case .match(let home, let away, let minutes, let extraMinutes):
      return .newMatch(
        id: .random(), home: home, away: away,
        halfLengthMilliseconds: (minutes ?? Self.halfLengthMinutesDefault) * 60_000,
        extraHalfMilliseconds: extraMinutes.map { $0 * 60_000 })
    case .point(let team, let insist):
      return match.map { .addPoint(entry: .random(), match: $0, team: team, insist: insist) }
    case .nameTeam(let team, let name):
      return match.map { .nameTeam(match: $0, team: team, name: name) }
    case .undo(let entry): return match.map { .undoPoint(match: $0, entry: entry) }
    case .clock(let control): return match.map { .controlClock(match: $0, control: control) }
    case .takeOver: return match.map { .takeOverMatch(match: $0) }
    case .squad(let team, let players):
      return match.map { .setSquad(match: $0, team: team, players: players) }
    case .sub(let team, let off, let on):
      return match.map {
        .substitute(
          id: .random(), match: $0, team: team, off: Self.playerID(named: off),
          on: Self.playerID(named: on))
      }
    case .undoSub(let id): return match.map { .undoSubstitution(match: $0, id: id) }
    case .keymap(let bindings): return .setKeymap(bindings: bindings)
    case .press(let button, let gesture): return .press(button: button, gesture: gesture)
    case .theme(let mode): return .setTheme(mode: mode)
    case .palette(let palette): return .setPalette(palette)
    case .goal(let name, let value): return .setGoal(name: name, value: value)
    case .zone(let id): return .setZone(id: id)
    case .consistency(let wish): return wish.action(now: now)
    case .workout, .strength, .onLog, .state, .ask, .outbox, .pulse: return nil
    }
  }
}

extension Action {
  /// The match it makes, if it makes one.
  public var madeMatch: MatchID? {
    if case .newMatch(let id, _, _, _, _) = self { id } else { nil }
  }
}
