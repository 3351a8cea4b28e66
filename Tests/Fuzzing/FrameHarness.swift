internal import AuthorityLink
internal import WireFormat

extension Harness {
  /// The frame reader.
  static let frames = Harness(
    "frames", "a byte stream; cut into any pieces it gives the same frames", bytesMax: 4_096,
    mutations: 20_000
  ) {
    { bytes in
      var feed = ByteFeed(bytes)
      let seed = feed.byte()
      let payloadBytesMax = seed % 2 == 0 ? 1_024 : FrameLimits.clientFrameBytesMax
      let stream = feed.rest()
      let whole = try FrameCut(stream, payloadBytesMax: payloadBytesMax)
      var random = SplitMix64(seed: UInt64(seed))
      var cut = FrameCut()
      var arrived = 0
      while arrived < stream.count, cut.failure == nil {
        arrived += Int.random(in: 1...max(1, min(stream.count - arrived, 70)), using: &random)
        try cut.take(
          UnsafeRawBufferPointer(rebasing: stream[..<min(arrived, stream.count)]), payloadBytesMax)
      }
      try require(cut.frames == whole.frames, "other frames in pieces than in one")
      try require(cut.failure == whole.failure, "another failure in pieces than in one")
    }
  }
}

/// The frames of a stream so far.
private struct FrameCut {
  private(set) var frames: [Range<Int>] = []
  private(set) var failure: FrameError?
  private var position = 0

  init() {}

  /// All of a stream at once.
  init(_ stream: UnsafeRawBufferPointer, payloadBytesMax: Int) throws(BrokenProperty) {
    try take(stream, payloadBytesMax)
  }

  /// Goes on with a stream of which more has arrived.
  mutating func take(
    _ stream: UnsafeRawBufferPointer, _ payloadBytesMax: Int
  ) throws(BrokenProperty) {
    while failure == nil {
      let rest = UnsafeRawBufferPointer(rebasing: stream[position...])
      switch scanFrame(rest, payloadBytesMax: payloadBytesMax) {
      case .incomplete(let needed):
        let most = FrameLimits.prefixBytes + payloadBytesMax
        try require(needed > 0 && rest.count + needed <= most, "needs more than a frame may have")
        return
      case .failed(let error): failure = error
      case .frame(let length):
        let start = position + FrameLimits.prefixBytes
        try require(
          (1...payloadBytesMax).contains(length) && start + length <= stream.count,
          "a frame that is not there")
        frames.append(start..<start + length)
        position = start + length
      }
    }
  }
}
