internal import Dispatch
internal import Guards
public import WatchTransfer

/// The switches of a `FaultyJournal`, for tests: any thread may turn them while another one is
/// inside the journal.
public final class JournalFaults: Sendable {
  /// Whether a call that is made to fail has done its work.
  public enum Moment: Sendable {
    /// Nothing was written.
    case before
    /// It was written, and is durable; only the caller does not know.
    case after
  }

  /// How often each call was made, failed ones included.
  public struct Counts: Sendable, Equatable {
    /// Calls of `append`.
    public var appends = 0
    /// Batches in them.
    public var batches = 0
    /// Calls of `storeCheckpoints`.
    public var checkpointStores = 0
    /// Checkpoints in them.
    public var checkpoints = 0
    /// Calls of `loadAccount`.
    public var loads = 0
    /// Calls of `checkpointLog`.
    public var logCheckpoints = 0
    /// Calls of `dropRows`.
    public var drops = 0
    /// Steps of copies.
    public var copySteps = 0
    /// Calls of `close`.
    public var closes = 0

    /// No calls yet.
    public init() {}
  }

  private struct State {
    var counts = Counts()
    var isHolding = false
    var waiting = 0
    var appendFaults: [Int: Moment] = [:]
    var storeFaults: [Int: StorageError] = [:]
    var copyFaults: [Int: StorageError] = [:]
    var onCopyStep: (@Sendable (Int) -> Void)?
    var onHeld: (@Sendable () -> Void)?
    var lost: AccountID?
    var spoiled: AccountID?
  }

  private let state = Lock(State())
  private let gate = DispatchSemaphore(value: 0)

  /// No faults.
  public init() {}

  /// How often each call was made so far.
  public var counts: Counts { state.withLock { $0.counts } }

  /// From now on each append waits before it does anything, until it is let go.
  ///
  /// - Parameter onHeld: called on the journal's thread when an append has begun to wait.
  public func holdAppends(onHeld: (@Sendable () -> Void)? = nil) {
    state.withLock {
      $0.isHolding = true
      $0.onHeld = onHeld
    }
  }

  /// Lets one append go, the one that waits or the next to come; the ones after it wait again.
  public func letOneAppendGo() {
    gate.signal()
  }

  /// Ends the holding; an append that waits goes on.
  public func letAppendsGo() {
    let waiting = state.withLock { state in
      state.isHolding = false
      return state.waiting
    }
    for _ in 0..<waiting { gate.signal() }
  }

  /// Makes the append of this number, counted from 1 over the journal's life, fail with
  /// `outcomeUnknown`, and every write after it.
  public func failAppend(_ number: Int, _ moment: Moment) {
    state.withLock { $0.appendFaults[number] = moment }
  }

  /// Makes the storing of checkpoints of this number, counted from 1, fail without writing; later
  /// writes fail too if the error is `outcomeUnknown`.
  public func failCheckpointStore(_ number: Int, with error: StorageError) {
    state.withLock { $0.storeFaults[number] = error }
  }

  /// Makes the step of a copy of this number, counted from 1 over all copies, fail.
  public func failCopyStep(_ number: Int, with error: StorageError) {
    state.withLock { $0.copyFaults[number] = error }
  }

  /// From now on the account's checkpoint is not found; nil: all are.
  public func loseCheckpoint(of account: AccountID?) {
    state.withLock { $0.lost = account }
  }

  /// The account's next checkpoint is stored without its state, once.
  public func spoilNextCheckpoint(of account: AccountID) {
    state.withLock { $0.spoiled = account }
  }

  /// Whether the account's checkpoint is not found.
  func loses(_ account: AccountID) -> Bool { state.withLock { $0.lost == account } }

  /// What is stored instead.
  func spoil(_ checkpoints: [AccountCheckpoint]) -> [AccountCheckpoint] {
    state.withLock { state in
      guard let index = checkpoints.firstIndex(where: { $0.account == state.spoiled }) else {
        return checkpoints
      }
      state.spoiled = nil
      var checkpoints = checkpoints
      checkpoints[index].state = []
      return checkpoints
    }
  }

  /// Calls `body` on the journal's thread before each step of a copy, with its number.
  public func beforeCopySteps(_ body: (@Sendable (Int) -> Void)?) {
    state.withLock { $0.onCopyStep = body }
  }

  /// Counts a step of a copy, and says how it is to fail.
  func enterCopyStep() -> StorageError? {
    let (number, body, fault) = state.withLock { state in
      state.counts.copySteps += 1
      let number = state.counts.copySteps
      return (number, state.onCopyStep, state.copyFaults[number])
    }
    body?(number)
    return fault
  }

  /// Counts an append, waits if appends are held, and says how it is to fail.
  func enterAppend(batches: Int) -> Moment? {
    let (number, isHeld, onHeld) = state.withLock { state in
      state.counts.appends += 1
      state.counts.batches += batches
      if state.isHolding { state.waiting += 1 }
      return (state.counts.appends, state.isHolding, state.onHeld)
    }
    if isHeld {
      onHeld?()
      gate.wait()
    }
    return state.withLock { state in
      if isHeld { state.waiting -= 1 }
      return state.appendFaults[number]
    }
  }

  /// Counts a storing of checkpoints, and says how it is to fail.
  func enterStore(checkpoints: Int) -> StorageError? {
    state.withLock { state in
      state.counts.checkpointStores += 1
      state.counts.checkpoints += checkpoints
      return state.storeFaults[state.counts.checkpointStores]
    }
  }

  /// Counts a call.
  func count(_ call: (inout Counts) -> Void) {
    state.withLock { call(&$0.counts) }
  }
}
