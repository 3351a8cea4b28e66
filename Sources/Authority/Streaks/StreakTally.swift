internal import WatchTransfer

/// A streak as it stands after some units, with its freezes. A freeze covers one missed unit that
/// ends after its grant, adds nothing, and is spent at the next satisfied unit, only when the
/// freezes in hand cover the whole gap. All of it follows from the log, so a freeze comes back when
/// backdated data fills its day.
struct StreakTally {
  /// Satisfied units of the run.
  private(set) var count = 0
  /// Days on which the freezes in hand were granted, in order.
  private(set) var inHand: [CivilDay] = []
  /// Missed units since the run's last satisfied one, all covered by freezes in hand.
  private(set) var gap: [StreakUnit] = []
  /// Units of the run that spent freezes cover, in order.
  private(set) var spent: [StreakUnit] = []
  /// Units of all runs that spent freezes cover, in order.
  private(set) var everSpent: [StreakUnit] = []
  private let grants: [CivilDay]
  private var nextGrant = 0

  /// Nothing done; `grants` are the days of all freezes, in order.
  init(grants: [CivilDay]) {
    self.grants = grants
  }

  /// Units that freezes cover, whether spent or still in hand.
  var protected: [StreakUnit] { spent + gap }

  /// Takes in what follows.
  mutating func take(_ stretch: StreakStretch, in calendar: StreakCalendar) {
    switch stretch.status {
    case .neutral: grant(through: stretch.last)
    case .satisfied:
      closeGap()
      count += stretch.count
      grant(through: stretch.last)
    case .missed:
      var unit = stretch.first
      // After a few the run is broken, and the rest changes nothing.
      for _ in 0..<stretch.count where count > 0 {
        miss(unit)
        unit = calendar.unit(after: unit)
      }
      grant(through: stretch.last)
    }
  }

  /// A unit passed without enough.
  mutating func miss(_ unit: StreakUnit) {
    grant(through: unit.last)
    if count == 0 { return }
    gap.append(unit)
    if !isCovered {
      count = 0
      gap = []
      spent = []
    }
  }

  /// Hands out what was granted up to a day; what is granted while two are in hand is lost.
  mutating func grant(through day: CivilDay) {
    while nextGrant < grants.count, grants[nextGrant] <= day {
      if inHand.count < AuthorityLimits.freezesInHandMax { inHand.append(grants[nextGrant]) }
      nextGrant += 1
    }
  }

  private mutating func closeGap() {
    if gap.isEmpty { return }
    // Each freeze was there before its unit ended; the oldest are spent first.
    inHand.removeFirst(gap.count)
    spent += gap
    everSpent += gap
    gap = []
  }

  private var isCovered: Bool {
    gap.count <= inHand.count && zip(inHand, gap).allSatisfy { $0 <= $1.last }
  }
}

/// Walks a calendar from before the first freeze, or the beginning of the present run, onwards.
struct StreakWalk {
  let calendar: StreakCalendar
  private(set) var tally: StreakTally
  /// The next unit.
  private(set) var next: StreakUnit

  /// No streak is followed further back than 100 years.
  private static let daysMax: Int32 = 36_525

  /// Stands so far back that everything about `day` is known once it is walked up to.
  init(calendar: StreakCalendar, for day: CivilDay) {
    self.calendar = calendar
    let state = calendar.state
    let grants = state.streaks.freezes.map(\.day)
    tally = StreakTally(grants: grants)
    let farthest = day.advanced(days: -Self.daysMax)
    let known = max(state.logs.satisfied.first ?? day, farthest)
    let earliest = calendar.unit(holding: min(known, day)).first
    let firstGrant = grants.first ?? day
    let from = calendar.unit(holding: min(firstGrant, day)).first
    let first = calendar.unbroken(before: max(from, earliest), notBefore: earliest)
    next = calendar.unit(holding: first)
    tally.grant(through: first.advanced(days: -1))
  }

  /// Takes in every unit that begins before `end`, the first day of a unit.
  mutating func advance(to end: CivilDay) {
    while next.first < end {
      let stretch = calendar.stretch(from: next, before: end)
      tally.take(stretch, in: calendar)
      next = calendar.unit(holding: stretch.last.advanced(days: 1))
    }
  }
}
