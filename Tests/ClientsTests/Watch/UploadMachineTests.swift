import Testing
import Transport
import WatchTransfer

@testable import WatchClient

/// One upload, answer by answer.
@Suite struct UploadMachineTests {
  private let hash = AttachmentHash(bytes: Array(repeating: 7, count: 32))!
  private let bytes = (0..<10).map { UInt8($0) }

  private let now = moment(0)

  /// An upload that has asked, on a connection with frames for 4 bytes.
  private func asking() -> UploadMachine {
    var machine = UploadMachine(hash: hash, bytes: bytes)
    _ = machine.begin(chunkBytesMax: 4)
    return machine
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

  @Test func `it asks first, then sends chunk by chunk until all is there`() {
    var machine = UploadMachine(hash: hash, bytes: bytes)
    #expect(machine.begin(chunkBytesMax: 4) == Chunk(hash: hash, totalBytes: 10, offset: 0))
    #expect(machine.received(state(0), at: now) == chunk(0..<4))
    #expect(machine.received(state(4), at: now) == chunk(4..<8))
    #expect(machine.received(state(8), at: now) == chunk(8..<10))
    #expect(machine.received(state(10, isComplete: true), at: now) == .done)
  }

  @Test func `it goes on from wherever the server says`() {
    var machine = asking()
    #expect(machine.received(state(7), at: now) == chunk(7..<10))
    _ = machine.begin(chunkBytesMax: 4)
    #expect(machine.received(state(3, .wrongOffset), at: now) == chunk(3..<7))
    #expect(machine.received(state(10, isComplete: true), at: now) == .done)
  }

  @Test func `each connection has its own frames`() {
    var machine = asking()
    #expect(machine.received(state(0), at: now) == chunk(0..<4))
    _ = machine.begin(chunkBytesMax: 2)
    #expect(machine.received(state(0), at: now) == chunk(0..<2))
    _ = machine.begin(chunkBytesMax: 6)
    #expect(machine.received(state(2), at: now) == chunk(2..<8))
  }

  @Test(
    arguments: ChunkRefusal.allCases.filter {
      ![.wrongOffset, .mismatch, .storageUnavailable].contains($0)
    })
  func `a refusal ends it`(refusal: ChunkRefusal) {
    var machine = asking()
    #expect(machine.received(state(0, refusal), at: now) == .refused(refusal))
  }

  @Test(arguments: [(UInt32(300), Int64(300)), (0, 10), (.max, 600_000)])
  func `without room on the server's disk it waits as long as it is told, within bounds`(
    asked: UInt32, kept: Int64
  ) {
    var machine = asking()
    _ = machine.received(state(0), at: now)
    var full = state(0, .storageUnavailable)
    full.retryAfterMilliseconds = asked
    // However often: a full disk is no defect of the upload.
    for _ in 0...UploadMachine.standstillsMax {
      #expect(machine.received(full, at: now) == .wait)
      #expect(machine.pausedUntil == moment(kept))
      #expect(machine.begin(chunkBytesMax: 4) == Chunk(hash: hash, totalBytes: 10, offset: 0))
      #expect(machine.pausedUntil == nil)
    }
    #expect(machine.received(state(4), at: now) == chunk(4..<8))
  }

  @Test func `wrong bytes of another device cost one beginning, and a second time end it`() {
    var machine = asking()
    // Somebody had sent eight bytes.
    #expect(machine.received(state(8), at: now) == chunk(8..<10))
    #expect(machine.received(state(0, .mismatch), at: now) == chunk(0..<4))
    #expect(machine.received(state(4), at: now) == chunk(4..<8))
    _ = machine.begin(chunkBytesMax: 4)
    #expect(machine.received(state(0, .mismatch), at: now) == .refused(.mismatch))
  }

  @Test func `a server that brings it no further ends it`() {
    var machine = asking()
    #expect(machine.received(state(0), at: now) == chunk(0..<4))
    for _ in 1..<UploadMachine.standstillsMax {
      #expect(machine.received(state(0, .wrongOffset), at: now) == chunk(0..<4))
    }
    #expect(machine.received(state(0, .wrongOffset), at: now) == .failed)
    #expect(machine.received(state(10), at: now) == .failed, "all bytes, and not complete")
    #expect(machine.received(state(-1), at: now) == .failed)
  }

  @Test func `a server that goes back and forth ends it`() {
    var machine = asking()
    var answers = 0
    while machine.received(state(Int64(answers % 2)), at: now) != .failed {
      answers += 1
      if answers > 3 * UploadMachine.standstillsMax { break }
    }
    #expect(answers == 2 * UploadMachine.standstillsMax)
  }

  @Test(arguments: [-5, 0, 1, 1 << 30])
  func `a chunk is never larger than the protocol allows`(max: Int) {
    let large = [UInt8](repeating: 1, count: 100_000)
    var machine = UploadMachine(hash: hash, bytes: large)
    _ = machine.begin(chunkBytesMax: max)
    guard case .send(let chunk) = machine.received(state(0), at: now) else {
      Issue.record("nothing was sent")
      return
    }
    #expect((1...AttachmentLimits.chunkBytesMax).contains(chunk.bytes.count))
  }
}
