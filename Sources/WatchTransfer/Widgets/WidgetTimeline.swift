/// What a widget shows.
public enum WidgetKind: UInt8, CaseIterable, Sendable {
  case streak = 1
  case today = 2
  case match = 3
  case week = 4
  case trend = 5
  case session = 6

  /// The word used on the command line and in JSON.
  public var word: String {
    switch self {
    case .streak: "streak"
    case .today: "today"
    case .match: "match"
    case .week: "week"
    case .trend: "trend"
    case .session: "session"
    }
  }
}

/// Shape and room of a widget.
public enum WidgetFamily: UInt8, CaseIterable, Sendable {
  case small = 1
  case medium = 2
  case large = 3
  case circular = 4
  case rectangular = 5
  case corner = 6
  case inline = 7

  /// The word used on the command line and in JSON.
  public var word: String {
    switch self {
    case .small: "small"
    case .medium: "medium"
    case .large: "large"
    case .circular: "circular"
    case .rectangular: "rectangular"
    case .corner: "corner"
    case .inline: "inline"
    }
  }

  /// Lines of text that have room.
  public var linesMax: Int {
    switch self {
    case .small: 3
    case .medium: 4
    case .large: 8
    case .rectangular: 3
    case .circular, .corner: 1
    case .inline: 1
    }
  }

  /// Characters that have room on one line; longer text is cut with an ellipsis.
  public var lineCharactersMax: Int {
    switch self {
    case .small: 16
    case .medium, .large: 32
    case .rectangular: 20
    case .circular, .corner: 6
    case .inline: 28
    }
  }
}

/// One way of looking at a widget.
public struct WidgetView: Hashable, Sendable {
  public var kind: WidgetKind
  public var family: WidgetFamily
  public var appearance: Appearance

  /// A view.
  public init(kind: WidgetKind, family: WidgetFamily, appearance: Appearance) {
    self.kind = kind
    self.family = family
    self.appearance = appearance
  }
}

/// A precomputed timeline: right each day for a week, even when nothing more arrives.
public struct WidgetTimeline: Hashable, Sendable {
  /// What is shown from a moment on.
  public struct Entry: Hashable, Sendable, Timed {
    public var from: Instant
    public var lines: [String]
    /// Spoken label.
    public var spoken: String
    public var symbol: String
    public var number: Int?
    /// 0 to 1000.
    public var progressPermille: Int?
    /// 0 fresh, 1 ageing, 2 stale.
    public var stale: Int
    /// The person's theme at that moment: day or night.
    public var theme: Appearance
    /// A running timer: show `timerElapsedMilliseconds` plus the time since then.
    public var timerSince: Instant?
    public var timerElapsedMilliseconds: Int64?
    /// Heights of a curve, oldest first, 0 to 1000 of the timeline's `domainMaximum`; empty: none.
    public var points: [Int] = []

    /// An entry with text only.
    public init(
      from: Instant, lines: [String], spoken: String, symbol: String, stale: Int, theme: Appearance
    ) {
      self.from = from
      self.lines = lines
      self.spoken = spoken
      self.symbol = symbol
      self.stale = stale
      self.theme = theme
    }
  }

  public var kind: WidgetKind
  public var family: WidgetFamily
  /// After which a surface should fetch again.
  public var reloadAfter: Instant
  /// Present when asked for.
  public var day: Palette?
  /// Present when asked for.
  public var night: Palette?
  /// What a point of 1000 stands for, the same in all entries; nil: there are no points.
  public var domainMaximum: Int?
  public var entries: [Entry]

  /// A timeline.
  public init(
    kind: WidgetKind, family: WidgetFamily, reloadAfter: Instant, day: Palette?, night: Palette?,
    entries: [Entry]
  ) {
    self.kind = kind
    self.family = family
    self.reloadAfter = reloadAfter
    self.day = day
    self.night = night
    self.entries = entries
  }

  /// Index of the entry that is shown at `moment`: the last whose own has come, else the first; nil
  /// when there is none.
  public func index(at moment: Instant) -> Int? {
    entries.lastIndex { $0.from <= moment } ?? entries.indices.first
  }
}
