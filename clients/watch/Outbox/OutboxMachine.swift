public import Transport
public import WatchTransfer

/// The client's half of exactly once (DESIGN section 4), as a value: numbers actions, sends them in
/// order, keeps them until their receipts come and after. No I/O, no clock, no randomness.
///
/// Incarnations are sent one after the other, oldest first, so that the order of actions survives
/// the change from one to the next.
public struct OutboxMachine: Hashable, Sendable {
  /// Something the person or the program should hear, once.
  public enum Notice: Hashable, Sendable {
    case receipt(Receipt)
    case quarantined(IncarnationNumber, QuarantineReason)
    /// The outbox had gone back in time; `count` actions have new numbers.
    case moved(from: IncarnationID, to: IncarnationID, count: Int)
  }

  /// What one event came to.
  public struct Reaction: Hashable, Sendable {
    /// To be appended to the file, in order.
    public var records: [OutboxRecord] = []
    /// The file is to be written anew from `records`, because numbers have changed.
    public var mustRewrite = false
    public var notices: [Notice] = []
  }

  /// Oldest first; the last one numbers new actions.
  public internal(set) var lanes: [OutboxLane] = []
  /// The account that the actions belong to; nil: no server has said.
  public internal(set) var account: AccountID?
  /// The zone, as UTF-8, that the device was in when it last told or first looked; nil: never
  /// known.
  public internal(set) var zone: [UInt8]?
  var isWelcome = false
  var pausedUntil: MonotonicInstant?
  private var inFlightMax = 1
  private var reofferMax = OutboxLimits.reofferMax
  private var backedUp: [IncarnationID: ActionNumber] = [:]

  /// An outbox without anything, to restore records into.
  public init() {}

  /// The records are all restored. Whatever they hold may have been sent by an earlier run; without
  /// an incarnation, `fresh` is the first.
  public mutating func opened(fresh: IncarnationID) -> [OutboxRecord] {
    for index in lanes.indices { lanes[index].opened() }
    guard lanes.isEmpty else { return [] }
    return [start(fresh)]
  }

  /// Begins an incarnation, which numbers from 1.
  public mutating func start(_ fresh: IncarnationID) -> OutboxRecord {
    lanes.append(OutboxLane(incarnation: fresh))
    return .lane(fresh, oldest: 1)
  }

  /// Whether the numbers are used up and another incarnation must begin.
  public var isExhausted: Bool {
    guard let last = lanes.last else { return true }
    return last.next + 1 >= ActionLimits.numberEnd
  }

  /// What the next action will be called.
  public var upcoming: IncarnationNumber? {
    lanes.last.map { IncarnationNumber(incarnation: $0.incarnation, number: $0.next) }
  }

  /// Takes an action whose record is durable.
  public mutating func submitted(body: [UInt8]) {
    guard let last = lanes.indices.last else { return }
    _ = lanes[last].append(OutboxEntry(body: body))
  }

  /// What is final so far is on disk.
  public mutating func synced() {
    for index in lanes.indices { lanes[index].synced() }
  }

  /// Receipts that are not on disk yet.
  public var unsynced: UInt64 {
    lanes.reduce(0) { $0 + ($1.confirmed - $1.confirmedDurably) }
  }

  /// Whether nothing waits for a receipt; quarantined actions do not wait.
  public var isSettled: Bool { !lanes.contains(where: \.hasWaiting) }

  /// Actions without a receipt.
  public var waitingCount: UInt64 {
    lanes.reduce(0) { $0 + UInt64($1.entries.count(where: \.isWaiting)) }
  }

  /// Whether an action is kept and has no receipt.
  public func isWaiting(_ id: IncarnationNumber) -> Bool { self[id]?.isWaiting ?? false }

  /// An action that is kept.
  public subscript(id: IncarnationNumber) -> OutboxEntry? {
    lanes.first { $0.incarnation == id.incarnation }?[id.number]
  }

  /// What the greeting names: the current incarnation, those with something waiting, then the
  /// newest.
  public var greeting: [IncarnationState] {
    guard let current = lanes.last else { return [] }
    let others = lanes.dropLast()
    let waiting = others.filter(\.hasWaiting)
    let quiet = others.reversed().filter { !$0.hasWaiting }
    let chosen = (waiting + quiet).prefix(OutboxLimits.incarnationsMax - 1)
    return ([current] + chosen).map(\.state)
  }

  /// The server's answer. `fresh` is a new incarnation, used if this outbox turns out to have gone
  /// back in time.
  public mutating func received(_ welcome: Welcome, fresh: () -> IncarnationID) -> Reaction {
    isWelcome = true
    pausedUntil = nil
    inFlightMax = max(1, Int(clamping: welcome.inFlightMax))
    reofferMax = min(OutboxLimits.reofferMax, Int(clamping: welcome.reofferMax))
    backedUp = Dictionary(
      welcome.backedUp.map { ($0.incarnation, $0.number) }, uniquingKeysWith: max)
    let expected = Dictionary(
      welcome.expected.map { ($0.incarnation, $0.number) }, uniquingKeysWith: max)
    var reaction = Reaction()
    for index in lanes.indices.reversed() {
      lanes[index].connected(expected: expected[lanes[index].incarnation])
      checkExpectation(of: index, fresh: fresh, &reaction)
    }
    trim()
    return reaction
  }

  /// The connection is gone; what was on its way is not known.
  public mutating func disconnected() {
    isWelcome = false
    pausedUntil = nil
    for index in lanes.indices { lanes[index].connected(expected: nil) }
  }

  /// When `acts` may have something again after a hold; nil: it does not depend on time.
  public var deadline: MonotonicInstant? { isWelcome ? pausedUntil : nil }

  /// What is to be sent now, in order.
  public mutating func acts(at now: MonotonicInstant) -> [Act] {
    guard isWelcome else { return [] }
    if let pausedUntil {
      guard now >= pausedUntil else { return [] }
      self.pausedUntil = nil
    }
    var room = inFlightMax - lanes.reduce(0) { $0 + $1.inFlight.count }
    var acts: [Act] = []
    for index in lanes.indices {
      while room > 0, lanes[index].sendNext < lanes[index].next,
        lanes[index].sendNext <= lanes[index].confirmedDurably + OutboxLimits.window
      {
        let number = lanes[index].sendNext
        lanes[index].sendNext += 1
        guard let act = lanes[index].act(number) else { continue }
        lanes[index].inFlight.insert(number)
        lanes[index].firstUnsent = max(lanes[index].firstUnsent, number + 1)
        acts.append(act)
        room -= 1
      }
      // The next incarnation's actions are younger: they wait for these.
      if lanes[index].isBusy { break }
    }
    return acts
  }

  /// Forgets receipted actions that no restore can ask for: those in a verified copy, and more than
  /// the server wants to be offered; newest incarnations first.
  public mutating func trim() {
    var room = reofferMax
    for index in lanes.indices.reversed() {
      let lane = lanes[index]
      if !lane.isOffering {
        let waiting = Int(clamping: lane.next - 1 - lane.confirmed)
        lanes[index].trim(
          keeping: room + waiting, above: backedUp[lane.incarnation] ?? 0)
      }
      room = max(0, room - lanes[index].entries.count)
    }
    let current = lanes.last?.incarnation
    lanes.removeAll { $0.entries.isEmpty && $0.incarnation != current && !$0.isBusy }
  }
}
