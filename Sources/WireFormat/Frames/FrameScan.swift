public import WatchTransfer

/// Why a byte stream is not a sequence of frames; the connection ends.
public enum FrameError: Error, Sendable, Hashable {
  /// A length of 0.
  case empty
  /// The announced length, and the most that is allowed now. Other protocols end here: the first
  /// four bytes of HTTP, TLS or SSH, read as a length, are far above any limit.
  case tooLarge(bytes: Int, max: Int)

  /// The reason to give when closing.
  public var goodbye: Goodbye.Reason {
    switch self {
    case .empty: .malformed
    case .tooLarge: .frameTooLarge
    }
  }
}

/// What stands first in a byte stream.
public enum FrameScan: Sendable, Hashable {
  /// Not a whole frame yet; at least `needed` more bytes must come.
  case incomplete(needed: Int)
  /// A whole frame: its payload has `length` bytes and follows the 4-byte prefix.
  case frame(length: Int)
  case failed(FrameError)
}

/// Says what stands first in `bytes`, without copying or keeping anything; a payload may have
/// 1 to `payloadBytesMax` bytes. Judges a length as soon as its four bytes are there.
public func scanFrame(_ bytes: UnsafeRawBufferPointer, payloadBytesMax: Int) -> FrameScan {
  guard bytes.count >= FrameLimits.prefixBytes else {
    return .incomplete(needed: FrameLimits.prefixBytes - bytes.count)
  }
  let prefix = bytes.loadUnaligned(as: UInt32.self)
  let length = Int(UInt32(bigEndian: prefix))
  if length == 0 { return .failed(.empty) }
  if length > payloadBytesMax { return .failed(.tooLarge(bytes: length, max: payloadBytesMax)) }
  let missing = length - (bytes.count - FrameLimits.prefixBytes)
  return missing > 0 ? .incomplete(needed: missing) : .frame(length: length)
}
