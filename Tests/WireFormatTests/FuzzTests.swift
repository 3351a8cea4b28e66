import Testing
import WatchTransfer

@testable import WireFormat

/// Bytes that nobody wrote on purpose; a seed names each run.
struct FuzzTests {
  @Test func `A14: 200,000 random payloads never crash and never leave anything behind`() {
    var generator = SeededGenerator(seed: 14)
    let decoder = MessageDecoder()
    var bytes = [UInt8](repeating: 0, count: 256)
    var refused = 0
    for round in 0..<200_000 {
      let count = Int.random(in: 0...(round % 8 == 0 ? 255 : 24), using: &generator)
      for index in 0..<count { bytes[index] = UInt8(truncatingIfNeeded: generator.next() >> 32) }
      let payload = bytes[..<count]
      switch fromClient(Array(payload), decoder) {
      case .success: break
      case .failure(.malformed(.unreadable)): Issue.record("seed 14, round \(round): \(payload)")
      case .failure: refused += 1
      }
    }
    #expect(refused > 199_000)
    let good = ClientMessage.pong(Pong(nonce: 3))
    #expect(fromClient(payload(good), decoder) == .success(good))
  }

  /// Whatever the scan lets pass, protobuf-c must be able to unpack, and nothing may trap behind
  /// it.
  @Test(arguments: UInt64(1)...4)
  func `What the scan accepts, protobuf-c unpacks`(seed: UInt64) {
    var sampler = Sampler(seed: seed)
    let decoder = MessageDecoder()
    let client = MessageDecoder(limits: .fromServer)
    let encoder = MessageEncoder()
    var accepted = 0
    for round in 0..<3_000 {
      var payload: [UInt8]
      switch round % 3 {
      case 0: payload = WireFormatTests.payload(sampler.clientMessage())
      case 1: payload = WireFormatTests.payload(sampler.serverMessage())
      default: payload = encoder.encode(sampler.actionBody())
      }
      mutate(&payload, &sampler)
      let errors: [WireError?]
      if round % 3 == 2 {
        accepted += (try? decoder.decodeActionBody(payload)) == nil ? 0 : 1
        errors = [
          failure(of: { () throws(WireError) in _ = try decoder.checkedBody(payload) })
        ]
      } else {
        errors = [
          failure(of: { () throws(WireError) in try fromClient(payload, decoder).get() }),
          failure(of: { () throws(WireError) in try fromServer(payload, client).get() }),
        ]
        accepted += errors.contains(nil) ? 1 : 0
      }
      if errors.contains(.malformed(.unreadable)) {
        Issue.record("seed \(seed), round \(round): \(payload)")
      }
    }
    #expect(accepted > 100, "too few mutations pass the scan to say anything")
  }

  @Test(arguments: FacetKind.allCases)
  func `Broken facets and timelines are errors or values, never a trap`(kind: FacetKind) {
    var sampler = Sampler(seed: 100 + UInt64(kind.rawValue))
    let decoder = MessageDecoder(limits: .fromServer)
    let encoder = MessageEncoder()
    for round in 0..<150 {
      var content = encoder.encode(sampler.facet(kind))
      mutate(&content, &sampler)
      let facet = EncodedFacet(kind: kind, revision: 1, content: content)
      var timeline = encoder.encode(sampler.timeline())
      mutate(&timeline, &sampler)
      let errors = [
        failure(of: { () throws(WireError) in try decoder.decodeFacet(facet) }),
        failure(of: { () throws(WireError) in try decoder.decodeTimeline(timeline) }),
      ]
      if errors.contains(.malformed(.unreadable)) { Issue.record("round \(round): \(content)") }
    }
  }

  private func failure<Value>(
    of work: () throws(WireError) -> Value
  ) -> WireError? {
    do throws(WireError) {
      _ = try work()
      return nil
    } catch {
      return error
    }
  }

  /// One to three changes: a bit, a byte, a part cut out, doubled or put in.
  private func mutate(_ bytes: inout [UInt8], _ sampler: inout Sampler) {
    for _ in 0...sampler.upTo(2) where !bytes.isEmpty {
      let at = sampler.upTo(bytes.count - 1)
      let end = min(bytes.count, at + 1 + sampler.upTo(20))
      switch sampler.upTo(5) {
      case 0: bytes[at] ^= 1 << UInt8(sampler.upTo(7))
      case 1: bytes[at] = UInt8(sampler.upTo(255))
      case 2: bytes.removeSubrange(at..<end)
      case 3: bytes.insert(contentsOf: bytes[at..<end], at: at)
      case 4:
        bytes.insert(
          contentsOf: Wire.number(UInt64(1 + sampler.upTo(40)), sampler.number()), at: at)
      default: bytes.removeLast(sampler.upTo(min(3, bytes.count)))
      }
    }
  }
}
