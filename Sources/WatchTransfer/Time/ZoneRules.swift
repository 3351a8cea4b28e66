/// What a time zone does between two instants: its offsets and when they change.
///
/// Values, not a lookup: an event carries the rules it was decided by, so that later releases of
/// the zone database never alter history (DESIGN section 5).
public struct ZoneRules: Hashable, Sendable {
  /// One change of offset.
  public struct Transition: Hashable, Sendable {
    /// First instant of the new offset.
    public let at: Instant
    /// Seconds east of UTC from then on.
    public let offsetSeconds: Int32

    /// A change to `offsetSeconds` at `at`.
    public init(at: Instant, offsetSeconds: Int32) {
      self.at = at
      self.offsetSeconds = offsetSeconds
    }
  }

  /// IANA id, such as `Europe/Berlin`.
  public let id: String
  /// Seconds east of UTC before the first transition.
  public let initialOffsetSeconds: Int32
  /// In order of time.
  public let transitions: [Transition]

  /// Rules as given; `transitions` in order of time.
  public init(id: String, initialOffsetSeconds: Int32, transitions: [Transition]) {
    self.id = id
    self.initialOffsetSeconds = initialOffsetSeconds
    self.transitions = transitions
  }

  /// UTC, which never changes.
  public static let utc = ZoneRules(id: "UTC", initialOffsetSeconds: 0, transitions: [])

  /// Seconds east of UTC at `instant`.
  public func offsetSeconds(at instant: Instant) -> Int32 {
    var offset = initialOffsetSeconds
    for transition in transitions {
      if transition.at > instant { break }
      offset = transition.offsetSeconds
    }
    return offset
  }

  /// Local wall-clock milliseconds since 1970-01-01T00:00:00 local at `instant`.
  public func localMilliseconds(at instant: Instant) -> Int64 {
    instant.milliseconds + Int64(offsetSeconds(at: instant)) * 1_000
  }

  /// The civil day at `instant`.
  public func day(at instant: Instant) -> CivilDay {
    CivilDay(localMilliseconds: localMilliseconds(at: instant))
  }

  /// Wall-clock hour and minute at `instant`.
  public func timeOfDay(at instant: Instant) -> (hour: Int, minute: Int) {
    let local = localMilliseconds(at: instant)
    let ofDay = local - floorDivide(local, 86_400_000) * 86_400_000
    return (Int(ofDay / 3_600_000), Int(ofDay / 60_000 % 60))
  }

  /// The first instant of the civil day, or nil when the zone skipped that day whole.
  public func start(of day: CivilDay) -> Instant? {
    guard let first = firstInstant(atOrAfter: day, millisecondsOfDay: 0) else { return nil }
    return self.day(at: first) == day ? first : nil
  }

  /// The first instant whose wall clock shows the day's `millisecondsOfDay` or later: a time
  /// skipped by a change of offset is the moment of that change; a time that happens twice is the
  /// first.
  public func firstInstant(atOrAfter day: CivilDay, millisecondsOfDay: Int64) -> Instant? {
    let wanted = Int64(day.number) * 86_400_000 + millisecondsOfDay
    var offset = initialOffsetSeconds
    var segmentStart = Int64.min
    for index in 0...transitions.count {
      let segmentEnd = index < transitions.count ? transitions[index].at.milliseconds : Int64.max
      let candidate = max(wanted - Int64(offset) * 1_000, segmentStart)
      if candidate < segmentEnd { return Instant(milliseconds: candidate) }
      if index < transitions.count {
        segmentStart = segmentEnd
        offset = transitions[index].offsetSeconds
      }
    }
    return nil
  }
}

/// Where zone rules come from; the server's is the machine's zone database, a test's is a table.
public protocol ZoneRulesSource: Sendable {
  /// Names the release of the zone database, such as `2026b`.
  var version: String { get }
  /// The rules of `id` that hold from `start` to `end`, or nil when there is no such zone.
  func rules(for id: String, from start: Instant, to end: Instant) -> ZoneRules?
}
