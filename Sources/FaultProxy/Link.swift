internal import AuthorityLink
internal import Transport

/// A client's connection and the one to the server that was made for it.
final class Link {
  /// The client's end.
  let client: ConnectionID
  /// The server's end.
  let server: ConnectionID
  /// From client to server.
  let up: Passage
  /// From server to client.
  let down: Passage
  /// Whether the server has taken the connection.
  var isConnected = false
  /// Nothing passes any more, and nobody is told.
  var isStalled = false
  /// What is left to be written is written, and then both ends are closed.
  var isEnding = false

  /// Two ends, nothing passed yet.
  init(client: ConnectionID, server: ConnectionID, up: Passage, down: Passage) {
    self.client = client
    self.server = server
    self.up = up
    self.down = down
  }

  /// A direction.
  func passage(_ direction: FaultDirection) -> Passage { direction == .up ? up : down }

  /// The other end.
  func other(_ id: ConnectionID) -> ConnectionID { id == client ? server : client }

  /// Where the bytes of a direction come from.
  func source(_ direction: FaultDirection) -> ConnectionID { direction == .up ? client : server }

  /// Where they go to.
  func target(_ direction: FaultDirection) -> ConnectionID { direction == .up ? server : client }
}

/// One direction of a link: what waits for its time, and how far the stream has come.
final class Passage {
  /// Bytes that came together, and when they may go on.
  struct Block {
    let due: MonotonicInstant
    let bytes: [UInt8]
  }

  /// The faults.
  var stream: FaultStream
  /// In the order they came; those before `first` are gone.
  private var blocks: [Block] = []
  private var first = 0
  /// How many bytes wait.
  private(set) var waitingBytes = 0
  private var generator: SplitMix64
  private let delay: ClosedRange<Duration>?
  private var lastDue = MonotonicInstant(nanoseconds: .min)
  /// The end of the stream has come, from the source or by a fault, and is passed on behind what
  /// waits.
  var isEnding = false
  /// Nothing goes to the target any more: its end was passed on, or a fault took its place.
  var isOver = false

  /// A direction whose bytes pass through `stream`.
  init(_ stream: FaultStream, delay: ClosedRange<Duration>?, seed: UInt64) {
    self.stream = stream
    self.delay = delay
    generator = SplitMix64(seed: seed)
  }

  /// The block that goes next.
  var next: Block? { first < blocks.count ? blocks[first] : nil }

  /// Whether each block has a time of its own.
  var delays: Bool { delay != nil }

  /// Whether what comes has to wait: for its time, or behind what waits.
  var holds: Bool { delay != nil || next != nil }

  /// Adds bytes at the end, to go on after their delay, never before those that came first.
  func hold(_ bytes: UnsafeRawBufferPointer, from now: MonotonicInstant) {
    var due = now
    if let delay {
      let span = Self.nanoseconds(delay.lowerBound)...Self.nanoseconds(delay.upperBound)
      due = now.advanced(by: .nanoseconds(Int64.random(in: span, using: &generator)))
    }
    lastDue = max(lastDue, due)
    blocks.append(Block(due: lastDue, bytes: [UInt8](bytes)))
    waitingBytes += bytes.count
  }

  /// Takes the block that goes next.
  func takeNext() -> Block? {
    guard let block = next else { return nil }
    first += 1
    waitingBytes -= block.bytes.count
    if first == blocks.count {
      blocks.removeAll(keepingCapacity: true)
      first = 0
    } else if first >= 64, 2 * first >= blocks.count {
      blocks.removeFirst(first)
      first = 0
    }
    return block
  }

  /// Forgets what waits.
  func drop() {
    blocks = []
    first = 0
    waitingBytes = 0
  }

  private static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
