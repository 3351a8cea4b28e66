public import WatchTransfer

/// What a server does to one account at a moment: what a crash in it is told by.
public struct AccountWork: Hashable, Sendable {
  /// Where rules and projections run.
  public enum Phase: UInt8, CaseIterable, Sendable {
    /// An act is read, decided and applied.
    case deciding = 1
    /// Time moves on.
    case turning = 2
    /// Facets or snapshots are made.
    case projecting = 3
    /// A checkpoint is read, or journal rows are folded over it.
    case folding = 4
    /// A copy that is being made a backup, or checked, is replayed: beside the server that serves.
    case verifying = 5

    /// The word used in messages.
    public var word: String { "\(self)" }
  }

  public var phase: Phase
  public var account: AccountID
  /// Which act; zeros unless it is being decided, or what it alone has changed is projected.
  public var incarnation: IncarnationID
  public var number: ActionNumber
  public var bodyHash: UInt64

  /// Work outside an action.
  public init(_ phase: Phase, of account: AccountID) {
    self.init(phase, account, IncarnationID(high: 0, low: 0), 0, 0)
  }

  /// An act being decided.
  public init(
    deciding number: ActionNumber, of incarnation: IncarnationID, bodyHash: UInt64,
    account: AccountID
  ) {
    self.init(.deciding, account, incarnation, number, bodyHash)
  }

  /// Projecting what this act has changed, and nothing else has.
  public var projecting: AccountWork {
    AccountWork(.projecting, account, incarnation, number, bodyHash)
  }

  /// Whether a crash in it is told by an act: numbers begin with 1.
  public var namesAct: Bool { number != 0 }

  init(
    _ phase: Phase, _ account: AccountID, _ incarnation: IncarnationID, _ number: ActionNumber,
    _ bodyHash: UInt64
  ) {
    self.phase = phase
    self.account = account
    self.incarnation = incarnation
    self.number = number
    self.bodyHash = bodyHash
  }
}

/// What was under way when the last server ended without clearing it.
public struct WorkFound: Hashable, Sendable {
  public var work: AccountWork
  /// Whether the thread that did it is the one that crashed; otherwise the process was killed, or
  /// another thread crashed.
  public var hasCrashed: Bool

  /// Something found.
  public init(_ work: AccountWork, hasCrashed: Bool) {
    self.work = work
    self.hasCrashed = hasCrashed
  }
}

/// Where queues write what they are doing, each in a slot of its own. A few stores into memory:
/// cheap enough for every action.
public protocol WorkSlots: Sendable {
  /// Writes what is being done now; nil: nothing. Only the queue of the slot calls it.
  func write(_ work: AccountWork?, in slot: Int)
}

/// Slots that nobody looks at: a server without a data directory.
public struct UnwatchedSlots: WorkSlots {
  /// There is one.
  public init() {}

  /// See `WorkSlots`.
  public func write(_ work: AccountWork?, in slot: Int) {}
}
