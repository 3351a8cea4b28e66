import Guards
import TestSupport
import Transport
import WatchTransfer

/// The photos of a scripted authority, kept as far as they were sent.
final class FakePhotos: Sendable {
  private let kept = Lock<[AttachmentHash: [UInt8]]>([:])

  /// What somebody sent before.
  func put(_ bytes: [UInt8], as hash: AttachmentHash) { kept.withLock { $0[hash] = bytes } }

  /// Keeps a chunk, and compares the whole with its hash.
  func answer(_ chunk: Chunk) -> [FakeServer.Answer] {
    let state = kept.withLock { kept in
      var bytes = kept[chunk.hash] ?? []
      if chunk.offset == bytes.count { bytes += chunk.bytes }
      let isWhole = bytes.count == chunk.totalBytes
      let isWrong = isWhole && ContentDigest.sha256(of: bytes) != chunk.hash.bytes
      kept[chunk.hash] = isWrong ? [] : bytes
      return ChunkState(
        hash: chunk.hash, offset: isWrong ? 0 : Int64(bytes.count),
        isComplete: isWhole && !isWrong, refusal: isWrong ? .mismatch : nil)
    }
    return [.say(.chunkState(state))]
  }

  /// At most 1,000 bytes of a photo.
  static func range(of bytes: [UInt8], _ question: AttachmentQuestion) -> Page.Answer {
    let rest = bytes.dropFirst(Int(question.offset))
    return .attachment(
      AttachmentRange(
        hash: question.hash, totalBytes: Int64(bytes.count), offset: question.offset,
        bytes: Array(rest.prefix(1_000))))
  }
}
