internal import WatchTransfer

/// A wait that many are told at the same time, after a restart or when a limit is reached: from
/// `milliseconds` to twice that, so that they do not come back at the same time, too (fault E7).
///
/// Which of it is decided by `key`, what tells one from the others: a replay says the same, and
/// keys that are counted up are spread evenly (Knuth, The Art of Computer Programming, volume 3,
/// section 6.4).
func spreadWait(_ milliseconds: UInt32, by key: UInt64) -> UInt32 {
  let fraction = (key &* 0x9E37_79B9_7F4A_7C15) >> 32
  let share = (UInt64(milliseconds) * fraction) >> 32
  return UInt32(clamping: UInt64(milliseconds) + share)
}

extension Hold.Reason {
  /// The same, told to one of many.
  func spread(by key: UInt64) -> Hold.Reason {
    switch self {
    case .gap: self
    case .busy(let wait): .busy(retryAfterMilliseconds: spreadWait(wait, by: key))
    case .storageUnavailable(let wait):
      .storageUnavailable(retryAfterMilliseconds: spreadWait(wait, by: key))
    }
  }
}
