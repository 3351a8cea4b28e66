/// What can be asked of the authority, as far as rights tell it apart.
public enum Demand: CaseIterable, Hashable, Sendable {
  /// Greeting, keeping alive, leaving: Hello, Ping, Pong, Goodbye.
  case converse
  /// Everything after a cursor again.
  case resume
  /// A widget's snapshot.
  case fetch
  /// Pages of the history, and what an action would do.
  case query
  /// Bytes of an attachment.
  case upload
  /// An act whatever its body is, or a claim to have made some: what reaches the ledger.
  case offer
  /// An action that changes truth in a person's name.
  case change
  /// A logged workout that names the source it comes from.
  case logFromSource
  /// Who plays: squads and substitutions, which only the phone is shown (DESIGN section 6).
  case lineUp
  /// A press of a button, whatever the keymap makes of it.
  case press
  /// A live value of a session that the device records.
  case pulse
}

extension DeviceKind {
  /// Whether this kind of device may ask for it: the one authorisation function, which every path
  /// goes through, from whatever connection or command it comes (DESIGN section 10). A demand of a
  /// connection that is not allowed ends it (`Goodbye(forbidden)`), one of an action's body is a
  /// refusal (`forbidden`).
  public func may(_ demand: Demand) -> Bool {
    switch demand {
    case .converse, .resume:
      true
    case .fetch:
      switch self {
      case .phone, .watch, .widget, .activity: true
      case .health, .controller: false
      }
    case .query, .upload:
      switch self {
      case .phone, .watch: true
      case .widget, .activity, .health, .controller: false
      }
    case .offer:
      switch self {
      case .phone, .watch, .health, .controller: true
      case .widget, .activity: false
      }
    case .change:
      switch self {
      case .phone, .watch: true
      case .widget, .activity, .health, .controller: false
      }
    case .logFromSource:
      switch self {
      case .phone, .watch, .health: true
      case .widget, .activity, .controller: false
      }
    case .lineUp:
      switch self {
      case .phone: true
      case .watch, .widget, .activity, .health, .controller: false
      }
    case .press:
      switch self {
      case .phone, .watch, .controller: true
      case .widget, .activity, .health: false
      }
    case .pulse:
      switch self {
      case .phone, .watch: true
      case .widget, .activity, .health, .controller: false
      }
    }
  }
}

extension ClientMessage {
  /// The right that it needs.
  public var demand: Demand {
    switch self {
    case .hello, .ping, .pong, .goodbye: .converse
    case .resume: .resume
    case .fetch: .fetch
    case .query: .query
    case .chunk: .upload
    case .act: .offer
    case .pulse: .pulse
    }
  }
}

extension Action {
  /// The right that it needs, beside that to offer actions at all.
  public var demand: Demand {
    switch self {
    case .logWorkout(let workout): workout.sourceName == nil ? .change : .logFromSource
    case .defineWorkout, .editWorkout, .deleteWorkout, .scheduleWorkout, .unscheduleWorkout,
      .markWorkout, .unmarkWorkout, .setTheme, .setPalette, .setGoal, .setPreferences, .setZone,
      .newMatch, .nameTeam, .addPoint, .undoPoint, .controlClock, .defineExercise, .editExercise,
      .deleteExercise, .defineRoutine, .editRoutine, .deleteRoutine, .startSession, .completeSet,
      .editSet, .uncompleteSet, .adjustSet, .selectExercise, .restSession, .controlSession,
      .addSessionExercise, .dismissSummary, .recordSamples, .takeOverSession, .takeOverMatch,
      .setKeymap, .scheduleWeekly, .editSchedule, .logWeight, .deleteWeight, .editLog,
      .deleteLog, .grantFreeze, .pauseStreak, .resumeStreak, .attachPhoto, .removePhoto:
      .change
    case .setSquad, .substitute, .undoSubstitution: .lineUp
    case .press: .press
    }
  }
}
