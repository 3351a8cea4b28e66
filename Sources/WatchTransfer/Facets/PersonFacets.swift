/// What a person does on a day.
public struct TodayFacet: Hashable, Sendable {
  /// One civil day.
  public struct Day: Hashable, Sendable, Timed {
    public var from: Instant
    public var day: CivilDay
    public var items: [Item]

    /// A day that begins at `from`.
    public init(from: Instant, day: CivilDay, items: [Item]) {
      self.from = from
      self.day = day
      self.items = items
    }
  }

  /// Where an item comes from.
  public enum ItemKind: UInt8, CaseIterable, Sendable {
    case scheduled = 1
    case logged = 2
  }

  /// Something planned or done.
  public struct Item: Hashable, Sendable {
    /// Of the schedule or the log.
    public var id: Identifier<Item>
    public var title: String
    public var kind: ItemKind
    /// When it is scheduled, or when it ended.
    public var at: Instant
    public var done: Bool
    /// Ready text: "done at 18:05".
    public var text: String

    /// An item.
    public init(
      id: Identifier<Item>, title: String, kind: ItemKind, at: Instant, done: Bool, text: String
    ) {
      self.id = id
      self.title = title
      self.kind = kind
      self.at = at
      self.done = done
      self.text = text
    }
  }

  /// Ready text for a part of the day.
  public struct Greeting: Hashable, Sendable, Timed {
    public var from: Instant
    public var text: String

    /// `text` from a moment on.
    public init(from: Instant, text: String) {
      self.from = from
      self.text = text
    }
  }

  public var days: [Day]
  public var greetings: [Greeting]

  /// Days and greetings up to the horizon.
  public init(days: [Day], greetings: [Greeting]) {
    self.days = days
    self.greetings = greetings
  }
}

/// The run of satisfied days.
public struct StreakFacet: Hashable, Sendable {
  /// The streak from a moment on.
  public struct Entry: Hashable, Sendable, Timed {
    public var from: Instant
    /// Length of the run: days, or weeks where the policy counts weeks.
    public var days: Int
    public var todayDone: Bool
    /// From when today counts as at risk; nil when nothing is.
    public var atRiskAt: Instant?
    /// When the streak ends unless something is done; nil when there is none.
    public var lostAt: Instant?
    /// Freezes in hand.
    public var freezes = 0
    /// Days of the run, or first days of its weeks, that a freeze covers: the newest, in order.
    public var protected: [CivilDay] = []
    /// Whether today neither counts nor breaks because the streak is paused.
    public var isPaused = false
    public var text: String

    /// An entry without freezes.
    public init(
      from: Instant, days: Int, todayDone: Bool, atRiskAt: Instant?, lostAt: Instant?, text: String
    ) {
      self.from = from
      self.days = days
      self.todayDone = todayDone
      self.atRiskAt = atRiskAt
      self.lostAt = lostAt
      self.text = text
    }
  }

  public var policy: StreakPolicy
  public var entries: [Entry]

  /// Entries up to the horizon.
  public init(policy: StreakPolicy, entries: [Entry]) {
    self.policy = policy
    self.entries = entries
  }
}

/// Named goals with their progress.
public struct GoalsFacet: Hashable, Sendable {
  /// How far a goal is, from a moment on.
  public struct Progress: Hashable, Sendable, Timed {
    public var from: Instant
    public var value: Double
    public var text: String

    /// A value from a moment on.
    public init(from: Instant, value: Double, text: String) {
      self.from = from
      self.value = value
      self.text = text
    }
  }

  /// One goal; without progress when its name is not one the authority can measure.
  public struct Goal: Hashable, Sendable {
    public var name: String
    public var target: Double
    public var progress: [Progress]

    /// A goal.
    public init(name: String, target: Double, progress: [Progress]) {
      self.name = name
      self.target = target
      self.progress = progress
    }
  }

  /// What the person weighed last.
  public struct LatestWeight: Hashable, Sendable {
    public var id: WeightID
    /// As it was entered.
    public var weight: Weight
    public var day: CivilDay
    /// nil: known by its day alone.
    public var at: Instant?
    /// Ready text, in the units the person reads: "80.5 kg on 30 Nov".
    public var text: String

    /// A weight of a day.
    public init(id: WeightID, weight: Weight, day: CivilDay, at: Instant?, text: String) {
      self.id = id
      self.weight = weight
      self.day = day
      self.at = at
      self.text = text
    }
  }

  public var goals: [Goal]
  /// nil: the weight log is empty.
  public var weight: LatestWeight?

  /// Goals in order of their names' bytes.
  public init(goals: [Goal], weight: LatestWeight? = nil) {
    self.goals = goals
    self.weight = weight
  }
}

/// What follows the person.
public struct PreferencesFacet: Hashable, Sendable {
  public var units: Units
  /// 1 = Monday … 7 = Sunday.
  public var firstWeekday: Int
  public var onboardingStep: Int
  public var streakPolicy: StreakPolicy
  public var zoneID: String

  /// All preferences.
  public init(
    units: Units, firstWeekday: Int, onboardingStep: Int, streakPolicy: StreakPolicy, zoneID: String
  ) {
    self.units = units
    self.firstWeekday = firstWeekday
    self.onboardingStep = onboardingStep
    self.streakPolicy = streakPolicy
    self.zoneID = zoneID
  }
}

/// Day and night.
public struct ThemeFacet: Hashable, Sendable {
  /// A change of appearance.
  public struct Flip: Hashable, Sendable, Timed {
    public var from: Instant
    /// `day` or `night`.
    public var to: Appearance

    /// `to` from a moment on.
    public init(from: Instant, to: Appearance) {
      self.from = from
      self.to = to
    }
  }

  public var mode: ThemeMode
  public var palette = PaletteName.classic
  /// The first one holds from the newest turn.
  public var flips: [Flip]
  public var day: Palette
  public var night: Palette

  /// A theme up to the horizon.
  public init(mode: ThemeMode, flips: [Flip], day: Palette, night: Palette) {
    self.mode = mode
    self.flips = flips
    self.day = day
    self.night = night
  }
}

/// A look.
public enum Appearance: UInt8, CaseIterable, Sendable {
  case day = 1
  case night = 2
  /// Only asked for, never current.
  case both = 3

  /// The word used on the command line and in JSON.
  public var word: String {
    switch self {
    case .day: "day"
    case .night: "night"
    case .both: "both"
    }
  }
}

/// Colours of one appearance, 0xRRGGBB; text against background has a contrast of at least 4.5:1
/// (WCAG 2.1, success criterion 1.4.3).
public struct Palette: Hashable, Sendable {
  public var background: UInt32
  public var text: UInt32
  public var secondary: UInt32
  public var accent: UInt32

  /// Four colours.
  public init(background: UInt32, text: UInt32, secondary: UInt32, accent: UInt32) {
    self.background = background
    self.text = text
    self.secondary = secondary
    self.accent = accent
  }
}
