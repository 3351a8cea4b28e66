internal import AuthorityLink

/// The bytes of one direction of one connection on their way through the faults: a value, no clock,
/// no sockets. Seed, number of the connection and direction decide everything, however the bytes
/// come in.
struct FaultStream {
  /// What is to be done, in order.
  enum Step: Equatable {
    /// These bytes are written, by themselves.
    case write([UInt8])
    /// This direction is over; nothing follows.
    case end(FaultEnding)
  }

  private let faults: Faults
  private var corruptions: SplitMix64
  private var pieces: SplitMix64
  /// Bytes that have passed.
  private var position: UInt64 = 0
  private var ending: (kind: FaultEnding, at: UInt64)?
  /// Which byte is damaged next, counted from 1.
  private var damaged: UInt64?
  private var pieceEnd: UInt64?
  private(set) var isOver = false
  /// Bytes that have passed, and those of them that were damaged.
  private(set) var counts = StreamCounts()

  /// The direction of a connection, from its beginning.
  init(_ faults: Faults, seed: UInt64, connection: UInt64, direction: FaultDirection) {
    self.faults = faults
    // Each direction draws from a sequence of its own, and so does each kind of fault.
    var numbers = SplitMix64(seed: seed)
    var own = SplitMix64(
      seed: numbers.next() &+ 2 &* connection &+ (direction == .up ? 0 : 1))
    corruptions = SplitMix64(seed: own.next())
    pieces = SplitMix64(seed: own.next())
    for (kind, point) in faults.endings {
      var generator = SplitMix64(seed: own.next())
      let at = point.first(using: &generator)
      if ending.map({ at < $0.at }) ?? true { ending = (kind, at) }
    }
    damaged = faults.corrupt?.firstByte(using: &corruptions)
    pieceEnd = faults.split.map { UInt64(Int.random(in: $0, using: &pieces)) }
  }

  /// Whether the stream is cut into pieces.
  var splits: Bool { faults.split != nil }

  /// Passes bytes on.
  mutating func pass(_ bytes: UnsafeRawBufferPointer) -> [Step] {
    var steps: [Step] = []
    var index = 0
    while index < bytes.count, !isOver {
      let count = min(UInt64(bytes.count - index), room)
      if count > 0 {
        var piece = [UInt8](bytes[index..<(index + Int(count))])
        damage(&piece)
        position += count
        counts.bytes += count
        index += Int(count)
        steps.append(.write(piece))
        nextPiece()
      }
      if let ending, ending.at == position {
        isOver = true
        steps.append(.end(ending.kind))
      }
    }
    return steps
  }

  /// Bytes up to the end of the piece or the direction.
  private var room: UInt64 {
    min((pieceEnd ?? .max) - position, (ending?.at ?? .max) - position)
  }

  private mutating func nextPiece() {
    guard let split = faults.split, pieceEnd == position else { return }
    pieceEnd = position + UInt64(Int.random(in: split, using: &pieces))
  }

  private mutating func damage(_ piece: inout [UInt8]) {
    while let byte = damaged, byte <= position + UInt64(piece.count) {
      piece[Int(byte - position) - 1] ^= 1 << UInt8.random(in: 0...7, using: &corruptions)
      counts.corrupted += 1
      damaged = faults.corrupt?.next(after: byte, using: &corruptions)
    }
  }
}

/// What has passed in a direction.
struct StreamCounts: Equatable {
  var bytes: UInt64 = 0
  var corrupted: UInt64 = 0
}
