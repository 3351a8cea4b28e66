/// All there is to one connection: a plain value without references, so that handling it touches no
/// reference count and an idle one costs its size only.
struct ConnectionSlot {
  /// What a connection is and waits for; the life of a connection is the story of these.
  struct Flags: OptionSet {
    /// One bit each.
    let rawValue: UInt32

    /// The slot holds a connection.
    static let live = Flags(rawValue: 1 << 0)
    /// A connect has begun; its outcome shows as writability.
    static let connecting = Flags(rawValue: 1 << 1)
    /// The connect succeeded at once; the owner is told in the next turn.
    static let connectedUntold = Flags(rawValue: 1 << 2)
    /// The owner wants input.
    static let reading = Flags(rawValue: 1 << 3)
    /// The kept input is to be offered in the next turn.
    static let offering = Flags(rawValue: 1 << 4)
    /// The peer has finished its side.
    static let inputEnded = Flags(rawValue: 1 << 5)
    /// The owner knows that.
    static let inputEndTold = Flags(rawValue: 1 << 6)
    /// Nothing can be delivered to the peer any more; its last input may still be read.
    static let hungUp = Flags(rawValue: 1 << 7)
    /// Output was added since the last write: it stands on the list of those owed.
    static let owed = Flags(rawValue: 1 << 8)
    /// The socket is full: the rest is written when it becomes writable.
    static let backlogged = Flags(rawValue: 1 << 9)
    /// The owner is done: what is owed is sent, input is discarded.
    static let closing = Flags(rawValue: 1 << 10)
    /// Our side is finished (SHUT_WR); the peer has a moment to read it.
    static let outputEnded = Flags(rawValue: 1 << 11)
    /// Over; the owner is told in this or the next turn.
    static let ended = Flags(rawValue: 1 << 12)
    /// Stands on the ready list.
    static let ready = Flags(rawValue: 1 << 13)
    /// Stands on the list that `sweep` checks.
    static let watched = Flags(rawValue: 1 << 14)
    /// TLS stands between it and its socket.
    static let secured = Flags(rawValue: 1 << 15)
    /// The handshake of TLS is not done: nothing else is read or written.
    static let securing = Flags(rawValue: 1 << 16)
    /// TLS must write before it can read on, and the socket is full.
    static let readWaitsForRoom = Flags(rawValue: 1 << 17)
    /// Some of what it was sent is lost: the peer must not take the end for an orderly one.
    static let outputDropped = Flags(rawValue: 1 << 18)
  }

  /// Who is at the far end.
  var peer: PeerAddress
  /// See the flags.
  var flags: Flags = []
  /// The open descriptor.
  var descriptor: Int32
  /// How often the slot was used before.
  var generation: UInt32
  /// Input that was offered and not consumed, or is to be offered first.
  var input = ByteQueue()
  /// Output the socket has not taken yet.
  var output = ByteQueue()
  /// The events the readiness set reports for it now, beside hang-ups, which it always does. Here,
  /// where the queue leaves a gap.
  var armed: Interest = []
  /// Nanoseconds on the monotonic clock: the last byte the socket took while the output was
  /// waiting; or when the connect began; or when our side was finished.
  var outputMoved: Int64 = 0
  /// Since when the head of the kept input waits.
  var inputKept: Int64 = 0
  /// When input last arrived.
  var received: Int64

  /// A connection nothing has happened to yet.
  init(descriptor: Int32, peer: PeerAddress, generation: UInt32, now: Int64) {
    self.descriptor = descriptor
    self.peer = peer
    self.generation = generation
    received = now
  }

  /// Whether a read may happen: never more is kept than the limit.
  func canRead(keptBytesMax: Int) -> Bool {
    flags.isDisjoint(with: [.connecting, .securing, .inputEnded, .ended, .closing])
      && flags.contains(.reading) && input.count < keptBytesMax
  }

  /// What readiness should report in this state.
  func interest(keptBytesMax: Int) -> Interest {
    if flags.contains(.connecting) { return .output }
    if flags.contains(.securing) {
      return flags.contains(.readWaitsForRoom) ? .output : .input
    }
    var interest: Interest = []
    let discards = flags.contains(.closing) && !flags.contains(.inputEnded)
    if discards { interest.insert(.input) }
    if canRead(keptBytesMax: keptBytesMax) {
      // What the peer sends on cannot be taken before there is room: to be told of it would be to
      // ask again and again, for as long as the peer does not read.
      interest.insert(flags.contains(.readWaitsForRoom) ? .output : .input)
    }
    if flags.contains(.backlogged) { interest.insert(.output) }
    return interest
  }

  /// Bytes of memory that its input and output takes.
  var bufferedBytes: Int { input.memoryBytes + output.memoryBytes }

  /// Whether time may end it.
  var hasDeadline: Bool {
    !flags.isDisjoint(with: [
      .connecting, .securing, .backlogged, .outputEnded, .readWaitsForRoom,
    ]) || !input.isEmpty
  }
}
