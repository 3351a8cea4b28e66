internal import CommandLineTool
internal import Transport
internal import WatchTransfer

/// One of a crowd.
struct Member {
  /// How far it has come.
  enum Phase {
    /// Not connected; it comes back when it is time.
    case away
    case connecting
    case welcomed
    /// Its socket has left the pool, and is read slowly or not at all.
    case detached(AcceptedSocket)
  }

  /// Index into the list of tokens.
  let token: Int
  let behaviour: LoadBehaviour
  let incarnation: IncarnationID
  var phase = Phase.away
  var connection = ConnectionID(slot: 0, generation: 0)
  /// When it connects; nanoseconds on the monotonic clock.
  var returnAt: Int64 = 0
  /// When it connected last.
  var connectedAt: Int64 = 0
  /// When it says next that it is there.
  var pingAt: Int64 = .max
  /// What it has seen.
  var cursor: Cursor?
  /// Whether it has had no update on this connection.
  var awaitsUpdate = false
  /// Whether it was welcomed before.
  var isKnown = false

  /// Which goal of its account it sets; nil: not told yet.
  var goal: Int?
  var acts = OpenActs(confirmed: 0)
  /// Answers that are missing of the requests sent last, and when those were sent.
  var unanswered = 0
  var sentAt: Int64 = 0

  /// How much of its requests one that never reads has sent; bytes.
  var muteSent = 0

  /// Away, and due at once.
  init(token: Int, behaviour: LoadBehaviour, incarnation: IncarnationID) {
    self.token = token
    self.behaviour = behaviour
    self.incarnation = incarnation
  }

  /// Whether it is in the pool.
  var isAttached: Bool {
    switch phase {
    case .connecting, .welcomed: true
    case .away, .detached: false
    }
  }
}
