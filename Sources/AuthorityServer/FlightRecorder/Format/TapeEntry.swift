internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// One thing that happened while a queue ran one piece of work, in order.
///
/// Some were told to the core, and a replay tells them again; the others the core did, and a replay
/// compares them.
enum TapeEntry: Equatable, Sendable {
  // Told to the core.

  /// The monotonic clock, in nanoseconds.
  case now(Int64)
  /// The wall clock, in milliseconds since 1970.
  case wall(Int64)
  case random(UInt64)
  /// Whether there is room for acts.
  case accepts(Bool)
  /// A connection found its place. `stream` numbers the peer's byte stream, through lobby and
  /// partition.
  case adopted(ConnectionID, stream: UInt64)
  /// Whether a connection could be handed over.
  case released(ConnectionID, Bool)
  case unsent(ConnectionID, Int)
  case backlogged(ConnectionID, Bool)
  /// Whether the handshake of TLS is not done yet.
  case securing(ConnectionID, Bool)
  case count(Int)
  /// Bytes that had not been offered before.
  case received(ConnectionID, [UInt8])
  case endOfInput(ConnectionID)
  case drained(ConnectionID)
  case closed(ConnectionID, TapeCloseReason)
  /// The round of the connections is over.
  case turnEnded

  // Done by the core.

  /// How many of the offered bytes it took.
  case consumed(ConnectionID, Int)
  /// A frame.
  case sent(ConnectionID, [UInt8])
  case close(ConnectionID)
  case closeAfterSending(ConnectionID)
  case setReading(ConnectionID, Bool)
  /// What a connection did not take is to be offered in the next turn.
  case offerAgain(ConnectionID)

  /// Whose it is, where it is a connection's.
  var connection: ConnectionID? {
    switch self {
    case .now, .wall, .random, .accepts, .count, .turnEnded: nil
    case .adopted(let id, _), .released(let id, _), .unsent(let id, _), .backlogged(let id, _),
      .securing(let id, _), .received(let id, _), .endOfInput(let id), .drained(let id),
      .closed(let id, _),
      .consumed(let id, _), .sent(let id, _), .close(let id), .closeAfterSending(let id),
      .setReading(let id, _), .offerAgain(let id):
      id
    }
  }
}

/// Why a connection ended, as far as the core tells reasons apart; the errors of system calls are
/// not kept.
enum TapeCloseReason: UInt8, CaseIterable, Sendable {
  case finished, endOfStream, reset, stalledOutput, stalledInput, outputOverflow, poolFull, failed
  case secureFailed, overBudget

  /// What the pool said.
  init(_ reason: CloseReason) {
    self =
      switch reason {
      case .finished: .finished
      case .endOfStream: .endOfStream
      case .reset: .reset
      case .stalledOutput: .stalledOutput
      case .stalledInput: .stalledInput
      case .outputOverflow: .outputOverflow
      case .overBudget: .overBudget
      case .poolFull: .poolFull
      case .secureFailed: .secureFailed
      case .connectFailed, .connectTimedOut, .failed: .failed
      }
  }

  /// What a replay tells.
  var reason: CloseReason {
    switch self {
    case .finished: .finished
    case .endOfStream: .endOfStream
    case .reset: .reset
    case .stalledOutput: .stalledOutput
    case .stalledInput: .stalledInput
    case .outputOverflow: .outputOverflow
    case .overBudget: .overBudget
    case .poolFull: .poolFull
    case .secureFailed: .secureFailed(.handshake)
    case .failed: .connectTimedOut
    }
  }
}

/// One piece of work of one queue.
struct TapeEvent: Equatable, Sendable {
  /// Why the queue ran.
  enum Cause: Equatable, Sendable {
    /// Work that another queue handed over, or somebody outside of all queues (nil). Of one giver
    /// it runs in the order in which it was given.
    case work(from: Int?)
    /// The queue's tick of this number.
    case tick(Int)
    /// Connections may be ready.
    case ready
  }

  /// By the order in which the machine was asked for its queues.
  var queue: Int
  var cause: Cause
  var entries: [TapeEntry]
}

/// What somebody outside of all queues had done.
enum OutsideCommand: Sendable {
  /// A socket was accepted.
  case receive(PeerAddress)
  /// What came of the code with which a guest of the lobby greeted.
  case redeemed(ConnectionID, PairingDesk.Outcome)
  case registry(RegistryChange)
  /// A test clock was set so far ahead of the monotonic clock, in milliseconds.
  case setClock(offset: Int64)
  case clockWasSet(partition: Int)
  case whenDurable(AccountID)
  /// An account whose checkpoint is damaged is stored anew.
  case mend(AccountID)
  case importBodies(PairedDevice, [[UInt8]])
  /// What the server knows of its backups has changed.
  case backups([UInt8])
  /// A revoked device's connections are cut.
  case cut(PairedDevice)
  /// An erased account's connections are cut, and all that is known of it forgotten.
  case erase(AccountID)
  /// Everything of an account is asked for.
  case export(AccountID)
  /// An account is moved to another zone.
  case setZone(AccountID, String)
}

/// What a command changed in the lists of accounts and devices.
enum RegistryChange: Sendable {
  case account(ListedAccount)
  case device(PairedDevice, TokenHash)
  case revoked(DeviceID)
  case erased(AccountID)
}

/// One record of a segment.
enum TapeRecord: Sendable {
  /// The first of each segment: the state it begins with.
  case begin([UInt8])
  case event(TapeEvent)
  case command(OutsideCommand)
  /// What the journal had of an account when it was asked; nil: nothing.
  case loaded(AccountID, AccountCheckpoint?)
  /// The account could not be read.
  case unreadable(AccountID)
  /// Batches became durable as rows from `first` on; hashes of their bytes.
  case appended(first: Int64, [UInt64])
  /// What the journal had of a range of an attachment; nil: nothing, or, unless `isRead`, nobody
  /// knows.
  case attachment(AttachmentKey, Range<Int64>, [UInt8]?, isRead: Bool)
  /// Whether an attachment has the bytes of its hash; nil: it could not be read.
  case compared(AttachmentKey, Bool?)
  /// Whether a checkpoint found room.
  case checkpointed(Bool)
  /// The recording ended here; nothing is missing.
  case ended
}
