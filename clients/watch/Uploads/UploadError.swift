public import WatchTransfer

/// Why a photo was not uploaded.
public enum UploadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It has no bytes, or more than `AttachmentLimits` allows.
  case size(bytes: Int, max: Int64)
  /// As many uploads wait as may; the bound.
  case tooMany(max: Int)
  /// The authority does not take it.
  case refused(ChunkRefusal)
  /// The authority does not want this device; nothing is sent until the client is started again.
  case ended(Goodbye)
  /// The outbox could not be made durable: nothing is sent until the client is made anew.
  case broken
  /// The task that asked was cancelled, or the upload given up.
  case cancelled
  /// The client was stopped.
  case stopped
  /// The authority's answers brought it no further.
  case unexpected

  /// One line.
  public var description: String {
    switch self {
    case .size(let bytes, let max): "a photo has 1 to \(max) bytes, this one has \(bytes)"
    case .tooMany(let max): "\(max) uploads wait for their end, as many as may"
    case .refused(let refusal): "the authority does not take the photo: \(refusal.word)"
    case .ended(let goodbye): "the authority does not want this device (\(goodbye.reason.word))"
    case .broken: "the outbox could not be made durable, so nothing is sent; start again"
    case .cancelled: "the upload was given up; what was sent is kept for a day"
    case .stopped: "the client was stopped; what was sent is kept for a day"
    case .unexpected: "the authority's answers brought the upload no further"
    }
  }
}
