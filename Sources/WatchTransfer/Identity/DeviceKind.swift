/// What a paired device is; its rights (`may`) and its set of facets follow
/// from it.
public enum DeviceKind: UInt8, CaseIterable, Sendable {
  case phone = 1
  case watch = 2
  case widget = 3
  /// A live-activity surface.
  case activity = 4
  /// A source of health samples.
  case health = 5
  /// Buttons.
  case controller = 6

  /// The word used on the command line and in JSON.
  public var word: String {
    switch self {
    case .phone: "phone"
    case .watch: "watch"
    case .widget: "widget"
    case .activity: "activity"
    case .health: "health"
    case .controller: "controller"
    }
  }

  /// The kind that `word` names.
  public init?(word: String) {
    guard let kind = Self.allCases.first(where: { Array($0.word.utf8) == Array(word.utf8) }) else {
      return nil
    }
    self = kind
  }

  /// The facets that this kind is shown, in the order of their numbers (DESIGN section 3).
  public var facets: [FacetKind] {
    switch self {
    case .phone:
      [
        .today, .streak, .goals, .preferences, .theme, .teams, .score, .matchClock, .routines,
        .session, .lastSession, .squads, .playTime,
      ]
    case .watch:
      [
        .today, .streak, .goals, .preferences, .theme, .teams, .score, .matchClock, .routines,
        .session, .lastSession,
      ]
    case .activity:
      [.goals, .preferences, .theme, .teams, .score, .matchClock, .session, .lastSession]
    case .widget, .health, .controller:
      []
    }
  }

  /// The readings that this kind is shown.
  public var readings: [ReadingKind] {
    switch self {
    case .phone, .watch: [.presence, .delivery, .continuity, .live]
    case .activity: [.live]
    case .widget, .health, .controller: []
    }
  }

  /// Least time between two updates, whatever a device asks for; 0: as they come. The system that
  /// shows a live activity takes no more of them (DESIGN section 6).
  public var minimumIntervalMilliseconds: UInt32 {
    switch self {
    case .activity: 5_000
    case .phone, .watch, .widget, .health, .controller: 0
    }
  }

  /// Number of the set of facets: the kind and the edition of the sets (DESIGN section 3). A cursor
  /// of another set is answered with the whole state.
  public var facetSet: UInt32 { facetSetEdition << 8 | UInt32(rawValue) }

  /// The kind that a set of facets is of, whatever its edition.
  public init?(facetSet: UInt32) { self.init(rawValue: UInt8(truncatingIfNeeded: facetSet)) }
}

/// Raised with every release that shows a kind of device other facets than the one before.
private let facetSetEdition: UInt32 = 2

/// The version of the wire protocol that this build speaks.
public let protocolVersion: UInt32 = 1
