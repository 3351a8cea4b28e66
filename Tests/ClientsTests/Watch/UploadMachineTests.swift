import Testing
import WatchTransfer

@testable import WatchClient

/// One upload, answer by answer.
@Suite struct UploadMachineTests {
  private let hash = AttachmentHash(bytes: Array(repeating: 7, count: 32))!
  private let bytes = (0..<10).map { UInt8($0) }

  private func machine(_ chunkBytesMax: Int = 4) -> UploadMachine {
    UploadMachine(hash: hash, bytes: bytes, chunkBytesMax: chunkBytesMax)
  }

  private func chunk(_ range: Range<Int>) -> UploadMachine.Step {
    .send(
      Chunk(
        hash: hash, totalBytes: 10, offset: Int64(range.lowerBound), bytes: Array(bytes[range])))
  }

  private func state(
    _ offset: Int64, _ refusal: ChunkRefusal? = nil, isComplete: Bool = false
  ) -> ChunkState {
    ChunkState(hash: hash, offset: offset, isComplete: isComplete, refusal: refusal)
  }

  @Test("it asks first, then sends chunk by chunk until all is there")
  func whole() {
    var machine = machine()
    #expect(machine.begin() == Chunk(hash: hash, totalBytes: 10, offset: 0))
    #expect(machine.received(state(0)) == chunk(0..<4))
    #expect(machine.received(state(4)) == chunk(4..<8))
    #expect(machine.received(state(8)) == chunk(8..<10))
    #expect(machine.received(state(10, isComplete: true)) == .done)
  }

  @Test("it goes on from wherever the server says")
  func resumed() {
    var machine = machine()
    _ = machine.begin()
    #expect(machine.received(state(7)) == chunk(7..<10))
    _ = machine.begin()
    #expect(machine.received(state(3, .wrongOffset)) == chunk(3..<7))
    #expect(machine.received(state(10, isComplete: true)) == .done)
  }

  @Test(
    "a refusal ends it",
    arguments: ChunkRefusal.allCases.filter { $0 != .wrongOffset })
  func refused(refusal: ChunkRefusal) {
    var machine = machine()
    _ = machine.begin()
    #expect(machine.received(state(0, refusal)) == .refused(refusal))
  }

  @Test("a server that brings it no further ends it")
  func standstill() {
    var machine = machine()
    _ = machine.begin()
    #expect(machine.received(state(0)) == chunk(0..<4))
    for _ in 1..<UploadMachine.standstillsMax {
      #expect(machine.received(state(0, .wrongOffset)) == chunk(0..<4))
    }
    #expect(machine.received(state(0, .wrongOffset)) == .failed)
    #expect(machine.received(state(10)) == .failed, "all bytes, and not complete")
    #expect(machine.received(state(-1)) == .failed)
  }

  @Test("a chunk is never larger than the protocol allows", arguments: [0, 1, 1 << 30])
  func chunkSize(max: Int) {
    let large = [UInt8](repeating: 1, count: 100_000)
    var machine = UploadMachine(hash: hash, bytes: large, chunkBytesMax: max)
    _ = machine.begin()
    guard case .send(let chunk) = machine.received(state(0)) else {
      Issue.record("nothing was sent")
      return
    }
    #expect((1...AttachmentLimits.chunkBytesMax).contains(chunk.bytes.count))
  }
}
