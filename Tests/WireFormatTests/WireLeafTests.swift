import Testing
import WatchTransfer

@testable import WireFormat

/// Where text, ids and secrets stand in an encoding.
struct WireLeafTests {
  @Test func `a greeting's leaves are its ids, its token, its code and its name`() {
    var hello = Hello(
      token: Array(repeating: 7, count: 32),
      cursor: Cursor(epoch: .random(), revision: 3, facetSet: 1),
      code: PairingCode(typed: "12345678"), deviceName: "Anna's")
    hello.incarnations = [
      IncarnationState(incarnation: .random(), confirmed: 0, oldest: 1, next: 1)
    ]
    let bytes = payload(ClientMessage.hello(hello))
    let leaves = wireLeaves(of: bytes, as: .frame)
    let names = leaves.map(\.kind)
    #expect(
      names == ["token", "incarnation", "epoch", "code", "device_name"].map { .field($0) })
    #expect(Array(bytes[leaves[0].range]) == hello.token)
    #expect(Array(bytes[leaves[4].range]) == Array("Anna's".utf8))
  }

  @Test func `what is unknown and what is broken are leaves, too`() {
    // An unknown field 100 of three bytes, and one of 8 bytes.
    let unknown: [UInt8] = [0xA2, 0x06, 3, 1, 2, 3, 0xA1, 0x06, 1, 2, 3, 4, 5, 6, 7, 8]
    #expect(
      wireLeaves(of: unknown, as: .body)
        == [WireLeaf(kind: .unknown, range: 3..<6), WireLeaf(kind: .unknown, range: 8..<16)])
    let broken: [UInt8] = [0x12, 2, 65, 66, 0x07, 1, 2, 3]
    #expect(
      wireLeaves(of: broken, as: .body)
        == [WireLeaf(kind: .field("zone_id"), range: 2..<4), WireLeaf(kind: .broken, range: 5..<8)])
    #expect(wireLeaves(of: [], as: .frame) == [])
  }

  @Test(arguments: UInt64(1)...4)
  func `overwriting leaves leaves a sound encoding sound and a broken one broken alike`(
    seed: UInt64
  ) {
    var sampler = Sampler(seed: seed)
    var random = SeededGenerator(seed: seed)
    let encoder = MessageEncoder()
    var broken = 0
    for round in 0..<3_000 {
      let isBody = round % 2 == 0
      var bytes =
        isBody ? encoder.encode(sampler.actionBody()) : payload(sampler.clientMessage())
      if round % 3 != 0, !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        if round % 5 == 0 {
          bytes.removeLast(bytes.count - index)
        } else {
          bytes[index] ^= UInt8.random(in: 1...255, using: &random)
        }
      }
      var other = bytes
      for leaf in wireLeaves(of: bytes, as: isBody ? .body : .frame) {
        for index in leaf.range { other[index] = UInt8.random(in: 0...255, using: &random) }
      }
      let root = isBody ? 1 : 0
      let before = fault(of: bytes, root)
      #expect(fault(of: other, root) == before, "seed \(seed), round \(round): \(bytes)")
      broken += before == nil ? 0 : 1
    }
    #expect(broken > 100)
  }

  private func fault(of bytes: [UInt8], _ root: Int) -> ScanFault? {
    bytes.withUnsafeBytes { bytes in
      do throws(ScanFault) {
        try PreScan.check(bytes, root: root, rules: .shared, limits: .fromClient)
        return nil
      } catch {
        return error
      }
    }
  }
}
