import Testing

@testable import Authority
@testable import AuthorityServer
@testable import Transport
@testable import WatchTransfer
@testable import WireFormat

/// One room's limit that stands on another's: each is written down once, and this says that they
/// fit.
@Suite struct LimitRelationTests {
  private let server = ServerLimits()
  private let connection = ConnectionLimits()

  @Test func `the server's frames are those of the wire format`() {
    #expect(server.clientFrameBytesMax == FrameLimits.clientFrameBytesMax)
    #expect(server.greetingFrameBytesMax == FrameLimits.greetingFrameBytesMax)
    #expect(FrameLimits.greetingFrameBytesMax == 1_024)
    #expect(FrameLimits.clientFrameBytesMax == 65_536)
    #expect(FrameLimits.serverFrameBytesMax == 1_048_576)
  }

  @Test func `no limits file may raise a frame above what the wire format reads`() throws {
    for (name, max) in [
      ("clientFrameBytesMax", FrameLimits.clientFrameBytesMax),
      ("greetingFrameBytesMax", FrameLimits.greetingFrameBytesMax),
      ("reofferMax", 10_000),
    ] {
      let entry = try #require(ServerLimits.table.first { $0.name == name })
      #expect(entry.range.upperBound == max, "\(name)")
    }
  }

  @Test func `a connection may keep a whole frame of a client and owe a whole frame of the server`()
  {
    let frame = FrameLimits.prefixBytes + FrameLimits.clientFrameBytesMax
    #expect(connection.keptBytesMax >= frame)
    #expect(
      connection.unsentBytesMax
        >= server.unsentBytesMax + FrameLimits.prefixBytes + FrameLimits.serverFrameBytesMax)
  }

  @Test func `the transport's deadlines are the server's defaults`() {
    #expect(connection.inputStall == .milliseconds(server.frameMilliseconds))
    #expect(connection.outputStall == .milliseconds(server.stalledMilliseconds))
  }

  @Test func `what may be in flight is still known to the ledger when it is asked again`() throws {
    #expect(server.inFlightMax <= IncarnationLedger.entriesMax)
    #expect(server.inFlightMax <= server.commitQueueMax)
    #expect(server.inFlightMax <= server.batchEntriesMax)
  }

  @Test func `an action body fits a client's frame, and the largest action fits a body`() {
    // The envelope has a first receipt with a detail, which is a server's text.
    #expect(
      FrameLimits.actionBodyBytesMax + Check.serverTextBytesMax + 1_024
        <= FrameLimits.clientFrameBytesMin)
    #expect(FrameLimits.clientFrameBytesMin <= FrameLimits.clientFrameBytesMax)
    #expect(FrameLimits.greetingFrameBytesMax <= FrameLimits.clientFrameBytesMin)
    let definition = (ActionLimits.exercisesMax + 1) * (ActionLimits.nameBytesMax + 3)
    #expect(definition + 256 <= FrameLimits.actionBodyBytesMax)
  }

  @Test func `a chunk fits a client's frame, a photo the quota, and a batch is not only photos`() {
    #expect(AttachmentLimits.chunkBytesMax + 128 <= FrameLimits.clientFrameBytesMax)
    #expect(AttachmentLimits.chunkBytesMax < server.batchBytesMax)
    // The smallest frames that a server may be told to take hold a chunk.
    #expect(AttachmentLimits.chunkBytesMin + 128 <= FrameLimits.clientFrameBytesMin)
    #expect(AttachmentLimits.rangeBytes.upperBound <= server.unsentBytesMax)
    #expect(AuthorityLimits.attachmentBytesMax >= 16 * AttachmentLimits.totalBytes.upperBound)
    #expect(AuthorityLimits.droppedBytesMax >= AttachmentLimits.totalBytes.upperBound)
    #expect(server.chunksPerSecond <= server.chunksBurst)
  }

  @Test func `a frame's decoding fits its arena`() {
    let limits = DecodeLimits.fromClient
    #expect(limits.fieldsMax == 512)
    #expect(limits.depthMax == 8)
    #expect(limits.unknownFieldsMax == 16)
    #expect(limits.arenaBytesMax >= 2 * FrameLimits.clientFrameBytesMax)
    #expect(
      DecodeLimits.fromServer.arenaBytesMax >= 2 * FrameLimits.serverFrameBytesMax)
  }

  @Test func `names fit what keeps them`() {
    #expect(ActionLimits.nameBytesMax <= FrameLimits.greetingFrameBytesMax)
    #expect(Token.byteCount == FrameLimits.tokenBytes)
  }

  @Test func `the defaults keep their own relations, and every default is within its range`() {
    #expect(server.brokenRelation == nil)
    for entry in ServerLimits.table {
      #expect(entry.range.contains(server[keyPath: entry.path]), "\(entry.name)")
    }
    #expect(Set(ServerLimits.table.map(\.name)).count == ServerLimits.table.count)
  }

  @Test func `every limit has a line in the table`() {
    #expect(Mirror(reflecting: server).children.count == ServerLimits.table.count)
  }

  @Test func `a lease outlives the silence that a ping breaks`() {
    #expect(server.leaseMilliseconds >= server.idleMilliseconds / 2)
    #expect(server.greetingMilliseconds == 5_000)
  }
}
