internal import AuthorityLink
internal import WatchClient
internal import WatchTransfer
internal import WidgetClient
internal import WireFormat

extension Harness {
  /// What clients read of their own files after a kill, a power cut or decay.
  static let clientFiles = Harness(
    "client-files", "one byte for the kind, then a file of a client or what is sealed in it",
    bytesMax: 4_096, mutations: 20_000
  ) {
    let decoder = MessageDecoder(limits: .fromServer)
    let sealed = SealedFile(path: "nowhere", magic: "WWFUZZ01")
    return { bytes in
      var feed = ByteFeed(bytes)
      switch feed.byte() % 5 {
      case 0: try checkLog(Array(feed.rest()))
      case 1: try checkRecords(&feed)
      case 2: try checkSurface(Array(feed.rest()), decoder)
      case 3:
        let content = Array(feed.rest())
        try require(
          sealed.content(of: sealed.sealed(content)) == content, "what was sealed does not open")
        _ = sealed.content(of: content)
      default:
        let content = Array(feed.rest())
        guard let kept = KeptSnapshot(encoded: content) else { return }
        try require(kept.encoded == content, "a snapshot's file written again is other bytes")
      }
    }
  }
}

/// Any bytes as an outbox file: nothing is read that was not sealed, and what is read is an outbox.
private func checkLog(_ bytes: [UInt8]) throws(BrokenProperty) {
  let isOwn = bytes.starts(with: OutboxLog.header)
  guard let content = OutboxLog.read(bytes) else {
    return try require(!isOwn, "an outbox file is taken for another")
  }
  try require(content.length <= bytes.count, "a file is longer than it is")
  try checkOutbox(of: content.records)
}

/// Records as they are sealed, some with a byte changed: those are lost and no others.
private func checkRecords(_ feed: inout ByteFeed) throws(BrokenProperty) {
  var file = OutboxLog.header
  var expected: [OutboxRecord] = []
  while !feed.isAtEnd, expected.count < 64 {
    let damage = feed.byte()
    guard let record = OutboxRecord(encoded: feed.counted()) else { continue }
    try require(
      OutboxRecord(encoded: record.encoded) == record, "a record that was written reads other")
    var sealed = OutboxLog.sealed(record)
    if damage == 0xFF {
      sealed[Int(feed.byte()) % sealed.count] ^= 0x55
    } else {
      expected.append(record)
    }
    file += sealed
  }
  guard let content = OutboxLog.read(file) else {
    throw BrokenProperty("an outbox file is taken for another")
  }
  try require(content.records == expected, "whole records are lost, or damaged ones read")
  try checkOutbox(of: expected)
}

/// The outbox that records give back, written anew, is the same outbox to whoever waits for it.
private func checkOutbox(of records: [OutboxRecord]) throws(BrokenProperty) {
  let fresh = IncarnationID(high: 7, low: 7)
  let outbox = restored(records, fresh)
  try require(outbox.greeting.allSatisfy(\.isSound), "an outbox greets with numbers out of order")
  let again = restored(outbox.records, fresh)
  try require(again.waitingCount == outbox.waitingCount, "written anew, other actions wait")
  try require(again.upcoming == outbox.upcoming, "written anew, the next number is another")
  try require(again.records == outbox.records, "written anew twice, other records")
}

private func restored(_ records: [OutboxRecord], _ fresh: IncarnationID) -> OutboxMachine {
  var outbox = OutboxMachine()
  for record in records { outbox.restore(record) }
  _ = outbox.opened(fresh: fresh)
  return outbox
}

/// A cache that is read is written the same.
private func checkSurface(
  _ bytes: [UInt8], _ decoder: MessageDecoder
) throws(BrokenProperty) {
  func decode(_ facet: EncodedFacet) -> Facet? { try? decoder.decodeFacet(facet) }
  guard let state = SurfaceCache.state(from: bytes, decode: decode) else { return }
  guard let content = SurfaceCache.content(of: state) else {
    throw BrokenProperty("a cache is read as nobody's")
  }
  try require(
    SurfaceCache.state(from: content, decode: decode) == state, "a cache written again reads other")
  // A surface that starts from it greets and shows.
  var surface = SurfaceMachine(state)
  surface.disconnected()
  _ = surface.state.cursor
}
