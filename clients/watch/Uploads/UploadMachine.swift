package import Transport
package import WatchTransfer

/// One attachment on its way: asks how far it is, sends the next chunk, and waits for the state of
/// each. After another connection it asks again and goes on from there.
package struct UploadMachine {
  /// What follows from a state.
  package enum Step: Equatable {
    case send(Chunk)
    /// Not now: it begins again when `pausedUntil` has come.
    case wait
    /// All bytes are there.
    case done
    case refused(ChunkRefusal)
    /// The server's answers lead nowhere.
    case failed
  }

  package let hash: AttachmentHash
  private let bytes: [UInt8]
  /// Bytes of the attachment that a frame of this connection takes.
  private var chunkBytesMax = AttachmentLimits.chunkBytesMax
  /// Where the last chunk began; nil: only asked so far.
  private var sentFrom: Int64?
  /// Answers that brought the upload no further.
  private var standstills = 0
  /// Whether all bytes were there once, and were not those of the hash.
  private var hasMismatched = false
  /// When to begin again, if the server said "not now"; nil: it did not.
  package private(set) var pausedUntil: MonotonicInstant?

  /// An upload is given up after so many answers that bring it no further, in all: a server may go
  /// back and forth for ever.
  package static let standstillsMax = 4

  /// An upload that has not begun.
  package init(hash: AttachmentHash, bytes: [UInt8]) {
    self.hash = hash
    self.bytes = bytes
  }

  /// Asks how far the upload is: the first thing on each connection, whose frames take
  /// `chunkBytesMax` bytes of it, and after a wait.
  package mutating func begin(chunkBytesMax: Int) -> Chunk {
    self.chunkBytesMax = min(max(chunkBytesMax, 1), AttachmentLimits.chunkBytesMax)
    sentFrom = nil
    pausedUntil = nil
    return Chunk(hash: hash, totalBytes: Int64(bytes.count), offset: 0)
  }

  /// The server has said how far it is.
  package mutating func received(_ state: ChunkState, at now: MonotonicInstant) -> Step {
    pausedUntil = nil
    if state.isComplete { return .done }
    switch state.refusal {
    case nil, .wrongOffset:
      return next(from: state.offset)
    case .storageUnavailable:
      pausedUntil = OutboxLimits.end(ofHold: state.retryAfterMilliseconds, from: now)
      return .wait
    case .mismatch where !hasMismatched:
      // The wrong bytes may be another device's: an upload is shared by all that have its hash.
      hasMismatched = true
      sentFrom = nil
      return next(from: 0)
    case let refusal?:
      return .refused(refusal)
    }
  }

  private mutating func next(from offset: Int64) -> Step {
    guard 0..<Int64(bytes.count) ~= offset else { return .failed }
    if let sentFrom, offset <= sentFrom {
      standstills += 1
      if standstills >= Self.standstillsMax { return .failed }
    }
    sentFrom = offset
    let start = Int(offset)
    let end = min(bytes.count, start + chunkBytesMax)
    return .send(
      Chunk(
        hash: hash, totalBytes: Int64(bytes.count), offset: offset,
        bytes: Array(bytes[start..<end])))
  }
}
