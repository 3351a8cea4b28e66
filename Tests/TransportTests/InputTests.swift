import Glibc
import Testing

@testable import Transport

/// From socket to owner: splitting, keeping, back-pressure.
@Suite(.timeLimit(.minutes(1)))
struct InputTests {
  /// Consumes whole frames of one length byte and so many bytes; at most `max` in one event.
  private static func consumeFrames(
    _ bytes: UnsafeRawBufferPointer, max: Int = .max, _ frame: ([UInt8]) -> Void
  ) -> Int {
    var start = 0
    var count = 0
    while start < bytes.count, count < max {
      let end = start + 1 + Int(bytes[start])
      guard end <= bytes.count else { break }
      frame(Array(bytes[(start + 1)..<end]))
      start = end
      count += 1
    }
    return start
  }

  @Test("Frames arrive whole wherever the stream is split", arguments: Wire.allCases)
  func splitAnywhere(wire: Wire) throws {
    let frames: [[UInt8]] = [[1], [], [2, 3, 4], Array(repeating: 5, count: 40)]
    let stream = frames.flatMap { [UInt8($0.count)] + $0 }
    for first in 0...stream.count {
      for second in first...min(stream.count, first + 3) {
        let driver = try PoolDriver()
        let (id, peer) = try driver.connection(wire)
        var got: [[UInt8]] = []
        driver.react = { _, event in
          guard case .received(let bytes) = event else { return 0 }
          return Self.consumeFrames(bytes) { got.append($0) }
        }
        for part in [stream[..<first], stream[first..<second], stream[second...]] {
          peer.write(Array(part))
          if !part.isEmpty {
            let seen = driver.seen.count
            driver.turn { driver.seen.count > seen }
          }
        }
        #expect(got == frames, "split at \(first) and \(second)")
        #expect(driver.pool.keptBytes(id) == 0)
      }
    }
  }

  @Test("A large frame that dribbles in is offered whole in the end")
  func largeFrame() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection(.unix)
    let frame = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var got: [UInt8] = []
    driver.react = { _, event in
      guard case .received(let bytes) = event, bytes.count >= frame.count else { return 0 }
      got = Array(bytes)
      return frame.count
    }
    var sent = 0
    while got.isEmpty {
      if sent < frame.count {
        sent += peer.write(Array(frame[sent..<min(frame.count, sent + 1_237)]))
      }
      driver.turn(waiting: .milliseconds(50))
    }
    #expect(got == frame)
    #expect(driver.pool.keptBytes(id) == 0)
    #expect(driver.pool.inputKeptSince(id) == nil)
  }

  @Test("A partial frame is kept without spinning")
  func keptAtRest() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection()
    driver.react = { _, _ in 0 }
    peer.write([9, 1])
    driver.turn { !driver.seen.isEmpty }
    #expect(driver.pool.keptBytes(id) == 2)
    #expect(driver.isAtRest)
    driver.turn()
    #expect(driver.seen.count == 1)
    peer.write([2])
    driver.turn { driver.seen.count == 2 }
    #expect(driver.events(of: id).last == .received([9, 1, 2]))
  }

  @Test("A partial frame that stays partial ends the connection")
  func slowloris() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection()
    driver.react = { _, _ in 0 }
    peer.write([9, 1])
    driver.turn { !driver.seen.isEmpty }
    let since = try #require(driver.pool.inputKeptSince(id))
    // Dribbling on does not start the time anew.
    peer.write([2])
    driver.turn { driver.seen.count == 2 }
    #expect(driver.pool.inputKeptSince(id) == since)
    driver.sweep(after: .milliseconds(9_000))
    driver.turn()
    #expect(driver.closeReason(of: id) == nil)
    driver.sweep(after: .seconds(10))
    driver.turn()
    #expect(driver.closeReason(of: id) == .stalledInput)
    #expect(peer.read() == nil)
  }

  @Test("Input kept because the owner does not read is no stall of the peer")
  func keptByBackPressure() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection()
    driver.react = { id, _ in
      driver.pool.setReading(id, false)
      return 0
    }
    peer.write([9, 1])
    driver.turn { !driver.seen.isEmpty }
    driver.sweep(after: .seconds(60))
    driver.turn()
    #expect(driver.closeReason(of: id) == nil)
  }

  @Test("While reading is off nothing is offered; switched on, all comes", arguments: Wire.allCases)
  func backPressure(wire: Wire) throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection(wire)
    var isFirst = true
    driver.react = { id, event in
      guard case .received(let bytes) = event else { return 0 }
      if isFirst {
        isFirst = false
        driver.pool.setReading(id, false)
        return 1
      }
      return bytes.count
    }
    peer.write([1, 2, 3])
    driver.turn { driver.seen.count == 1 }
    peer.write([4, 5])
    driver.pool.offerAgain(id)
    driver.turn()
    driver.turn(waiting: .milliseconds(20))
    #expect(driver.seen.count == 1)
    #expect(driver.isAtRest)
    peer.finish()
    #expect(driver.isAtRest, "not even the end of the stream is noticed")
    driver.pool.setReading(id, true)
    driver.turn { driver.events(of: id).contains(.endOfInput) }
    #expect(driver.received(id) == [1, 2, 3, 2, 3, 4, 5])
  }

  @Test("A peer that sends without end is held up while it is not read")
  func backPressureReachesThePeer() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection(.unix)
    driver.pool.setReading(id, false)
    let block = [UInt8](repeating: 1, count: 65_536)
    var sent = 0
    for _ in 0..<1_000 {
      let taken = peer.write(block)
      if taken == 0 { break }
      sent += taken
      driver.turn()
    }
    #expect(sent < 4 << 20)
    #expect(driver.pool.keptBytes(id) == 0)
  }

  @Test("An owner that asks is offered the rest, in turns that come by themselves")
  func offerAgain() throws {
    let driver = try PoolDriver()
    let (_, peer) = try driver.connection()
    var got: [[UInt8]] = []
    driver.react = { id, event in
      guard case .received(let bytes) = event else { return 0 }
      let consumed = Self.consumeFrames(bytes, max: 2) { got.append($0) }
      if consumed < bytes.count { driver.pool.offerAgain(id) }
      return consumed
    }
    peer.write((0..<9).flatMap { [1, UInt8($0)] as [UInt8] })
    driver.turn { !driver.seen.isEmpty }
    var turns = 1
    while !driver.isAtRest {
      driver.turn()
      turns += 1
    }
    #expect(got == (0..<9).map { [UInt8($0)] })
    #expect(turns >= 5)
  }

  @Test("The end of the input waits until deferred input was offered", arguments: Wire.allCases)
  func endAfterDeferred(wire: Wire) throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection(wire)
    driver.react = { id, event in
      guard case .received(let bytes) = event else { return 0 }
      if bytes.count > 1 { driver.pool.offerAgain(id) }
      return 1
    }
    peer.write([1, 2, 3])
    peer.finish()
    driver.turn { driver.events(of: id).contains(.endOfInput) }
    #expect(
      driver.events(of: id) == [
        .received([1, 2, 3]), .received([2, 3]), .received([3]), .endOfInput,
      ])
  }

  @Test("Deferred input is offered although the peer hung up meanwhile", arguments: Wire.allCases)
  func hangUpAfterDeferred(wire: Wire) throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection(wire)
    driver.react = { id, event in
      guard case .received(let bytes) = event else { return 0 }
      if bytes.count > 1 { driver.pool.offerAgain(id) }
      return 1
    }
    peer.write([1, 2, 3])
    driver.turn { !driver.seen.isEmpty }
    peer.reset()
    driver.turn { driver.closeReason(of: id) != nil }
    #expect(driver.received(id) == [1, 2, 3, 2, 3, 3])
  }

  @Test("No more is kept than the limit, and what is consumed makes room")
  func keptLimit() throws {
    let driver = try PoolDriver { $0.keptBytesMax = 10_000 }
    let (id, peer) = try driver.connection(.unix)
    var consume = 0
    driver.react = { _, event in
      guard case .received(let bytes) = event else { return 0 }
      #expect(bytes.count <= 10_000)
      return min(consume, bytes.count)
    }
    #expect(peer.write([UInt8](repeating: 1, count: 25_000)) == 25_000)
    driver.turn { driver.pool.keptBytes(id) == 10_000 }
    #expect(driver.isAtRest, "a full connection is not read and does not spin")
    consume = 10_000
    driver.pool.offerAgain(id)
    driver.turn { driver.pool.keptBytes(id) == 0 && driver.isAtRest }
    #expect(driver.closeReason(of: id) == nil)
  }

  @Test("No connection is read more than 64 KiB in a turn")
  func fairness() throws {
    let driver = try PoolDriver()
    let (greedy, greedyPeer) = try driver.connection(.unix)
    let (modest, modestPeer) = try driver.connection(.unix)
    greedyPeer.setBuffer(SO_SNDBUF, 400_000)
    #expect(greedyPeer.write([UInt8](repeating: 1, count: 150_000)) == 150_000)
    modestPeer.write([2])
    // A slow turn is over before it comes to the second.
    var turns = 0
    while driver.received(modest).isEmpty, turns < 100 {
      driver.turn()
      turns += 1
    }
    #expect(driver.received(modest) == [2])
    #expect((1...turns * 65_536).contains(driver.received(greedy).count))
  }

  @Test("An owner may close the connection whose bytes it looks at, kept ones too")
  func closeWhileOffered() throws {
    let driver = try PoolDriver()
    let (_, peer) = try driver.connection(.unix, unread: [UInt8](repeating: 3, count: 5_000))
    var sum = 0
    driver.react = { id, event in
      guard case .received(let bytes) = event else { return 0 }
      if bytes.count < 6_000 { return 0 }
      driver.pool.close(id)
      for byte in bytes { sum += Int(byte) }
      return 17
    }
    driver.turn()
    peer.write([UInt8](repeating: 3, count: 1_000))
    driver.turn { driver.pool.count == 0 }
    #expect(sum == 18_000)
  }
}
