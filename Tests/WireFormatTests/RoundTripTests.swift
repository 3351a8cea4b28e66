import Testing
import WatchTransfer

@testable import WireFormat

/// What is encoded comes back the same; seeds name the generated values.
struct RoundTripTests {
  @Test(arguments: UInt64(0)..<40)
  func `A client's message comes back as it was`(seed: UInt64) throws {
    var sampler = Sampler(seed: seed)
    let decoder = MessageDecoder()
    for _ in 0..<50 {
      let message = sampler.clientMessage()
      #expect(try fromClient(payload(message), decoder).get() == message)
    }
  }

  @Test(arguments: UInt64(0)..<40)
  func `A server's message comes back as it was`(seed: UInt64) throws {
    var sampler = Sampler(seed: seed)
    let decoder = MessageDecoder(limits: .fromServer)
    for _ in 0..<50 {
      let message = sampler.serverMessage()
      #expect(try fromServer(payload(message), decoder).get() == message)
    }
  }

  @Test(arguments: UInt64(0)..<40)
  func `A body comes back as it was`(seed: UInt64) throws {
    var sampler = Sampler(seed: seed)
    let decoder = MessageDecoder()
    let encoder = MessageEncoder()
    for _ in 0..<50 {
      let body = sampler.actionBody()
      #expect(try decoder.decodeActionBody(encoder.encode(body)) == body)
    }
  }

  @Test(arguments: FacetKind.allCases)
  func `A facet comes back as it was`(kind: FacetKind) throws {
    var sampler = Sampler(seed: UInt64(kind.rawValue))
    let decoder = MessageDecoder(limits: .fromServer)
    let encoder = MessageEncoder()
    for _ in 0..<200 {
      let facet = sampler.facet(kind)
      let encoded = EncodedFacet(kind: kind, revision: 1, content: encoder.encode(facet))
      #expect(try decoder.decodeFacet(encoded) == facet)
    }
  }

  @Test func `A timeline comes back as it was`() throws {
    var sampler = Sampler(seed: 9)
    let decoder = MessageDecoder(limits: .fromServer)
    let encoder = MessageEncoder()
    for _ in 0..<300 {
      let timeline = sampler.timeline()
      #expect(try decoder.decodeTimeline(encoder.encode(timeline)) == timeline)
    }
  }

  @Test func `An empty match facet has no bytes, and an empty list has its facet`() throws {
    let encoder = MessageEncoder()
    #expect(encoder.encode(.teams(nil)).isEmpty)
    #expect(encoder.encode(.score(nil)).isEmpty)
    #expect(encoder.encode(.matchClock(nil)).isEmpty)
    #expect(encoder.encode(.session(nil)).isEmpty)
    #expect(encoder.encode(.lastSession(nil)).isEmpty)
    let empty = EncodedFacet(
      kind: .goals, revision: 1, content: encoder.encode(.goals(.init(goals: []))))
    #expect(try MessageDecoder().decodeFacet(empty) == .goals(GoalsFacet(goals: [])))
  }

  @Test func `Frames are appended one behind the other`() {
    let encoder = MessageEncoder()
    var buffer: [UInt8] = [0xAA]
    let first = ServerMessage.reload([.streak])
    let second = ServerMessage.pong(Pong(nonce: 5))
    encoder.append(first, to: &buffer)
    encoder.append(second, to: &buffer)
    #expect(buffer == [0xAA] + encoder.frame(first) + encoder.frame(second))
  }

  @Test func `A frame larger than the encoder's first block comes back as it was`() throws {
    let content = [UInt8](repeating: 7, count: 300_000)
    let message = ServerMessage.update(
      Update(
        epoch: EpochID(high: 1, low: 2), from: 0, to: 3,
        facets: [
          EncodedFacet(kind: .today, revision: 3, content: content),
          EncodedFacet(kind: .streak, revision: 2, content: content),
        ]))
    let decoder = MessageDecoder(limits: .fromServer)
    #expect(try fromServer(payload(message), decoder).get() == message)
    #expect(try fromServer(payload(.reload([])), decoder).get() == .reload([]))
  }
}
