/// When the requests of an open loop are due: `perSecond` of them, evenly, whatever the answers do.
///
/// A request's latency counts from here and not from when it was sent: a tester that waits for a
/// slow answer and measures the next request from its late start flatters the server.
public struct PacedSchedule: Sendable {
  /// One request.
  public struct Request: Hashable, Sendable {
    /// When it is due, in nanoseconds of the schedule's clock.
    public let due: Int64
    /// Which connection sends it.
    public let connection: Int
    /// Whether it is an act; else it is a fetch.
    public let isAct: Bool

    /// A request.
    public init(due: Int64, connection: Int, isAct: Bool) {
      self.due = due
      self.connection = connection
      self.isAct = isAct
    }
  }

  private let start: Int64
  private let perSecond: Int64
  private let connections: Int
  private var count: Int64 = 0

  /// The first is due at `start`. Every connection has its turn, fetches and acts by turns.
  public init(start: Int64, perSecond: Int, connections: Int) {
    self.start = start
    self.perSecond = Int64(perSecond)
    self.connections = connections
  }

  /// When the next one is due.
  public var nextDue: Int64 {
    let (seconds, rest) = count.quotientAndRemainder(dividingBy: perSecond)
    return start + seconds * 1_000_000_000 + rest * 1_000_000_000 / perSecond
  }

  /// The next request, if it is due by `now`.
  public mutating func next(by now: Int64) -> Request? {
    let due = nextDue
    guard due <= now else { return nil }
    let (round, turn) = count.quotientAndRemainder(dividingBy: Int64(connections))
    count += 1
    // Each connection alternates, and so do neighbours.
    return Request(due: due, connection: Int(turn), isAct: (round + turn) % 2 == 0)
  }
}
