internal import AuthorityLink
internal import AuthorityServer
internal import HealthImport
internal import WatchTransfer
internal import WireFormat

extension Harness {
  /// An Apple Health export.
  static let healthExport = Harness(
    "health-export", "one byte for the pieces, then an export.xml", bytesMax: 8_192,
    mutations: 3_000
  ) {
    let decoder = MessageDecoder()
    let encoder = MessageEncoder()
    // Small enough to be met.
    let limits = ImportLimits(
      textBytesMax: 128, markupBytesMax: 1_024, workoutBytesMax: 4_096, depthMax: 6,
      pauseEventsMax: 8)
    return { bytes in
      var feed = ByteFeed(bytes)
      let seed = feed.byte()
      let file = feed.rest()
      let whole = ReadExport(file, pieces: nil, limits)
      var random = SplitMix64(seed: UInt64(seed))
      var pieces: [Int] = []
      while pieces.reduce(0, +) < file.count {
        pieces.append(Int.random(in: 1...90, using: &random))
      }
      try require(
        ReadExport(file, pieces: pieces, limits) == whole, "read in pieces it is another export")
      for case .workout(let workout) in whole.items {
        try require(workout.spanMilliseconds >= 0, "a workout ends before it starts")
        try checkAction(of: workout, decoder, encoder)
      }
    }
  }
}

/// What an action cannot carry is left out; only where it begins and ends cannot be.
private func checkAction(
  of workout: ImportedWorkout, _ decoder: MessageDecoder, _ encoder: MessageEncoder
) throws(BrokenProperty) {
  let body = workout.actionBody
  let read = Result { () throws(BodyError) in
    try decoder.decodeActionBody(encoder.encode(body))
  }
  switch read {
  case .success(let read): try require(read == body, "a server reads another action")
  case .failure(let error):
    try require(
      error == .invalid(field: "start_ms") || error == .invalid(field: "end_ms"),
      "a workout makes an action that a server does not read: \(error)")
  }
}

/// What came of an export.
private struct ReadExport: Equatable {
  private(set) var items: [ImportItem] = []
  private var counts: ImportCounts?
  private var failure: String?

  /// Reads a file in pieces of these sizes; nil: whole.
  init(_ file: UnsafeRawBufferPointer, pieces: [Int]?, _ limits: ImportLimits) {
    var items: [ImportItem] = []
    do {
      var parser = try ExportParser(limits: limits)
      var position = 0
      for size in pieces ?? [file.count] where position < file.count {
        let end = min(file.count, position + size)
        try parser.feed(UnsafeRawBufferPointer(rebasing: file[position..<end])) { items.append($0) }
        position = end
      }
      counts = try parser.finish { items.append($0) }
    } catch {
      failure = "\(error)"
    }
    self.items = items
  }
}
