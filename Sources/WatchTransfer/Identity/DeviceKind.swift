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
    case .phone, .watch:
      [.today, .streak, .goals, .preferences, .theme, .teams, .score, .matchClock]
    case .activity:
      [.goals, .preferences, .theme, .teams, .score, .matchClock]
    case .widget, .health, .controller:
      []
    }
  }

  /// The readings that this kind is shown.
  public var readings: [ReadingKind] {
    switch self {
    case .phone, .watch: [.presence, .delivery, .continuity]
    case .widget, .activity, .health, .controller: []
    }
  }

  /// Number of the set of facets: the kind and the protocol version (DESIGN section 3).
  public var facetSet: UInt32 { protocolVersion << 8 | UInt32(rawValue) }
}

/// The version of the wire protocol that this build speaks.
public let protocolVersion: UInt32 = 1
