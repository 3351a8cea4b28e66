internal import WatchTransfer

/// One attachment on its way: asks how far it is, sends the next chunk, and waits for the state of
/// each. After another connection it asks again and goes on from there.
struct UploadMachine {
  /// What follows from a state.
  enum Step: Equatable {
    case send(Chunk)
    /// All bytes are there.
    case done
    case refused(ChunkRefusal)
    /// The server's answers lead nowhere.
    case failed
  }

  let hash: AttachmentHash
  private let bytes: [UInt8]
  private let chunkBytesMax: Int
  /// Where the last chunk began; nil: only asked so far.
  private var sentFrom: Int64?
  /// Answers in a row that brought the upload no further.
  private var standstills = 0

  /// An upload is given up after so many answers that bring it no further.
  static let standstillsMax = 4

  init(hash: AttachmentHash, bytes: [UInt8], chunkBytesMax: Int) {
    self.hash = hash
    self.bytes = bytes
    self.chunkBytesMax = min(max(chunkBytesMax, 1), AttachmentLimits.chunkBytesMax)
  }

  /// Asks how far the upload is; the first thing on each connection.
  mutating func begin() -> Chunk {
    sentFrom = nil
    return Chunk(hash: hash, totalBytes: Int64(bytes.count), offset: 0)
  }

  /// The server has said how far it is.
  mutating func received(_ state: ChunkState) -> Step {
    if state.isComplete { return .done }
    switch state.refusal {
    case nil, .wrongOffset: break
    case let refusal?: return .refused(refusal)
    }
    guard 0..<Int64(bytes.count) ~= state.offset else { return .failed }
    if let sentFrom, state.offset <= sentFrom {
      standstills += 1
      if standstills >= Self.standstillsMax { return .failed }
    } else {
      standstills = 0
    }
    sentFrom = state.offset
    let start = Int(state.offset)
    let end = min(bytes.count, start + chunkBytesMax)
    return .send(
      Chunk(
        hash: hash, totalBytes: Int64(bytes.count), offset: state.offset,
        bytes: Array(bytes[start..<end])))
  }
}
