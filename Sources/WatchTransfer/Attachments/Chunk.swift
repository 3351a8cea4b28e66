/// Bytes of an attachment on their way to the server, which answers each chunk with a
/// `ChunkState`.
public struct Chunk: Hashable, Sendable {
  public var hash: AttachmentHash
  /// Of the whole attachment, within `AttachmentLimits.totalBytes`.
  public var totalBytes: Int64
  /// Where the bytes begin.
  public var offset: Int64
  /// At most `AttachmentLimits.chunkBytesMax`; none: asks how far the upload is.
  public var bytes: [UInt8]

  /// Some bytes, from `offset` on.
  public init(hash: AttachmentHash, totalBytes: Int64, offset: Int64, bytes: [UInt8] = []) {
    self.hash = hash
    self.totalBytes = totalBytes
    self.offset = offset
    self.bytes = bytes
  }
}

/// How far an upload is; what it says is durable.
public struct ChunkState: Hashable, Sendable {
  public var hash: AttachmentHash
  /// Bytes that are kept; the next chunk begins there.
  public var offset: Int64
  /// Whether all bytes are there, and hash to `hash`.
  public var isComplete: Bool
  /// Why nothing of the chunk was kept; nil: it was, or had been before.
  public var refusal: ChunkRefusal?
  /// When to try again, where that helps; 0: at once.
  public var retryAfterMilliseconds: UInt32

  /// A state.
  public init(
    hash: AttachmentHash, offset: Int64, isComplete: Bool = false, refusal: ChunkRefusal? = nil,
    retryAfterMilliseconds: UInt32 = 0
  ) {
    self.hash = hash
    self.offset = offset
    self.isComplete = isComplete
    self.refusal = refusal
    self.retryAfterMilliseconds = retryAfterMilliseconds
  }
}

/// Why a chunk was not kept.
public enum ChunkRefusal: UInt8, CaseIterable, Sendable {
  /// An attachment may not have so many bytes.
  case tooLarge = 1
  /// The account has as many bytes, or attachments, as it may.
  case quota = 2
  /// All bytes were there, and are not those of the hash: the upload begins anew.
  case mismatch = 3
  /// It does not begin where the kept bytes end.
  case wrongOffset = 4
  /// The account has as many unfinished uploads as it may.
  case uploads = 5
  /// There is no room on the disk now.
  case storageUnavailable = 6
  /// Only the last chunk of an attachment may have so few bytes.
  case tooSmall = 7

  /// The word used in JSON.
  public var word: String {
    switch self {
    case .tooLarge: "tooLarge"
    case .quota: "quota"
    case .mismatch: "mismatch"
    case .wrongOffset: "wrongOffset"
    case .uploads: "uploads"
    case .storageUnavailable: "storageUnavailable"
    case .tooSmall: "tooSmall"
    }
  }
}

/// Bounds of attachments.
public enum AttachmentLimits {
  /// Of one attachment: a photo as a phone takes it, made smaller.
  public static let totalBytes: ClosedRange<Int64> = 1...4_194_304
  /// Of one chunk: a client's frame takes it with room for the rest.
  public static let chunkBytesMax = 61_440
  /// Of every chunk but an attachment's last, so that a quota of bytes bounds what is kept beside
  /// them, too.
  public static let chunkBytesMin = 512
  /// Bytes that one question for a range may ask for.
  public static let rangeBytes: ClosedRange<Int64> = 1...65_536
}
