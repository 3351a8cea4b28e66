public import WatchTransfer

/// The numbered actions of one incarnation, and where its connection stands.
///
/// Invariant: `oldest <= confirmedDurably + 1 <= confirmed + 1 <= next`, and `entries` are the
/// numbers `oldest..<next`.
public struct OutboxLane: Hashable, Sendable {
  /// The life of the outbox that numbers these actions.
  public let incarnation: IncarnationID
  /// Number of the first of `entries`.
  public private(set) var oldest: ActionNumber
  /// In order of their numbers, without a hole.
  public private(set) var entries: [OutboxEntry] = []
  /// Every number up to it is final.
  public private(set) var confirmed: ActionNumber
  /// Every number up to it is final on disk too: what the server may be told.
  public private(set) var confirmedDurably: ActionNumber
  /// Numbers from here on were given in this run and never sent: nobody can have decided these
  /// bytes.
  var firstUnsent: ActionNumber
  /// On this connection: what the server decides next; nil: it has not said.
  private(set) var expected: ActionNumber?
  /// On this connection: what goes next.
  var sendNext: ActionNumber
  /// On this connection: sent, and not answered.
  var inFlight: Set<ActionNumber> = []
  /// On this connection: final actions up to here are being offered again.
  private var offeredThrough: ActionNumber = 0
  /// On this connection: the gap that was filled last.
  var filledGap: ActionNumber?

  /// An incarnation that keeps nothing below `oldest`.
  public init(incarnation: IncarnationID, oldest: ActionNumber = 1) {
    self.incarnation = incarnation
    self.oldest = max(1, oldest)
    confirmed = self.oldest - 1
    confirmedDurably = confirmed
    firstUnsent = self.oldest
    sendNext = self.oldest
  }

  /// The number the next action gets.
  public var next: ActionNumber { oldest + ActionNumber(entries.count) }

  /// What the greeting says of it; numbers up to one whose bytes are lost can never be offered
  /// again.
  public var state: IncarnationState {
    let final = entries.prefix(Int(clamping: confirmedDurably + 1 - oldest))
    let lost = final.lastIndex { $0.body == nil }
    return IncarnationState(
      incarnation: incarnation, confirmed: confirmedDurably,
      oldest: oldest + ActionNumber(lost.map { $0 + 1 } ?? 0), next: next)
  }

  /// Whether an action waits for its receipt.
  public var hasWaiting: Bool {
    confirmed + 1 < next && entries[index(confirmed + 1)...].contains(where: \.isWaiting)
  }

  /// Whether a restored server still gets back what it lost.
  var isOffering: Bool {
    sendNext <= offeredThrough || inFlight.contains { $0 <= offeredThrough }
  }

  /// Whether an action was sent on this connection and has no answer.
  func isInFlight(_ number: ActionNumber) -> Bool { inFlight.contains(number) }

  /// Whether something is on its way, or still to go, on this connection.
  var isBusy: Bool { !inFlight.isEmpty || sendNext < next }

  /// The action `number`; nil when it is not kept.
  public subscript(number: ActionNumber) -> OutboxEntry? {
    number >= oldest && number < next ? entries[index(number)] : nil
  }

  /// What `number` is called everywhere.
  public func id(_ number: ActionNumber) -> IncarnationNumber {
    IncarnationNumber(incarnation: incarnation, number: number)
  }

  /// The envelope of `number`, if it is to be sent: it waits, or the server must have it again.
  func act(_ number: ActionNumber) -> Act? {
    guard let entry = self[number], let body = entry.body else { return nil }
    let isAskedFor = expected.map { number >= $0 } ?? false
    var first: Receipt?
    switch entry.state {
    case .waiting: break
    case .receipted(let outcome):
      first = Receipt(incarnation: incarnation, number: number, outcome: outcome)
      fallthrough
    case .quarantined, .dismissed:
      guard isAskedFor else { return nil }
    case .moved:
      return nil
    }
    return Act(
      incarnation: incarnation, number: number, confirmed: confirmedDurably, firstReceipt: first,
      body: body)
  }

  /// Gives the next number to an action.
  mutating func append(_ entry: OutboxEntry) -> ActionNumber {
    entries.append(entry)
    advanceConfirmed()
    return next - 1
  }

  /// Changes the state of an action that is kept.
  mutating func set(_ state: OutboxEntry.State, of number: ActionNumber) {
    guard self[number] != nil else { return }
    entries[index(number)].state = state
    advanceConfirmed()
  }

  /// Takes the waiting actions from `number` on out, in order.
  mutating func takeWaiting(from number: ActionNumber) -> [OutboxEntry] {
    var taken: [OutboxEntry] = []
    for index in entries.indices.dropFirst(Int(clamping: max(number, oldest) - oldest))
    where entries[index].isWaiting {
      taken.append(entries[index])
      entries[index] = OutboxEntry(body: nil, state: .moved)
    }
    while entries.last?.state == .moved { entries.removeLast() }
    inFlight = inFlight.filter { $0 < number }
    sendNext = min(sendNext, next)
    firstUnsent = min(firstUnsent, next)
    advanceConfirmed()
    return taken
  }

  /// Forgets actions that are final on disk, from the oldest on, until `count` entries are left;
  /// not past one that waits.
  mutating func trim(keeping count: Int, above backedUp: ActionNumber) {
    let surplus = max(0, entries.count - count)
    let saved = Int(clamping: max(backedUp + 1, oldest) - oldest)
    // What is not final on disk would be missing in the next greeting, whose numbers then make no
    // sense.
    let final = Int(clamping: max(confirmedDurably + 1, oldest) - oldest)
    forget(min(final, max(surplus, saved)))
  }

  /// Its records are all read: what they hold is on disk, and may have been sent by an earlier run.
  mutating func opened() {
    synced()
    firstUnsent = next
  }

  /// What is final is on disk.
  mutating func synced() { confirmedDurably = confirmed }

  /// A new connection: nothing is on its way, and the server decides `expected` next.
  mutating func connected(expected: ActionNumber?) {
    inFlight = []
    filledGap = nil
    sendNext = max(oldest, min(expected ?? .max, confirmed + 1))
    expect(expected)
  }

  /// The server decides `expected` next: what is final from there on, it has lost.
  mutating func expect(_ expected: ActionNumber?) {
    self.expected = expected
    offeredThrough = expected.map { $0 <= confirmed ? confirmed : 0 } ?? 0
  }

  private mutating func forget(_ count: Int) {
    entries.removeFirst(count)
    oldest += ActionNumber(count)
    sendNext = max(sendNext, oldest)
  }

  private mutating func advanceConfirmed() {
    while confirmed + 1 < next, !entries[index(confirmed + 1)].isWaiting { confirmed += 1 }
    // After actions were taken out.
    confirmed = min(confirmed, next - 1)
    confirmedDurably = min(confirmedDurably, confirmed)
  }

  private func index(_ number: ActionNumber) -> Int { Int(number - oldest) }
}
