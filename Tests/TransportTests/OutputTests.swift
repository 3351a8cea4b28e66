import Glibc
import Testing

@testable import Transport

/// From owner to socket: collecting, short writes, slow and dead readers.
@Suite(.timeLimit(.minutes(1)))
struct OutputTests {
  @Test("What is sent in a turn leaves in one write, in order")
  func coalesced() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection()
    driver.react = { id, event in
      guard case .received(let bytes) = event else { return 0 }
      for byte in bytes { driver.pool.send(id, [byte]) }
      return bytes.count
    }
    peer.write([1, 2, 3, 4])
    driver.turn { !driver.seen.isEmpty }
    #expect(driver.pool.unsentBytes(id) == 0)
    #expect(peer.read() == [1, 2, 3, 4])
    #expect(driver.events(of: id).count == 1, "no drained for what the socket took at once")
  }

  @Test("What is sent outside a turn leaves with the flush")
  func flush() throws {
    let driver = try PoolDriver()
    let (first, firstPeer) = try driver.connection()
    let (second, secondPeer) = try driver.connection()
    driver.pool.send(first, [1])
    driver.pool.send(second, [2])
    driver.pool.send(first, [3])
    #expect(driver.pool.unsentBytes(first) == 2)
    #expect(firstPeer.readNow() == [])
    driver.pool.flush()
    #expect(firstPeer.read() == [1, 3])
    #expect(secondPeer.read() == [2])
  }

  @Test("An event on one connection may answer on another")
  func crossSend() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection()
    let (other, otherPeer) = try driver.connection()
    driver.react = { _, event in
      guard case .received(let bytes) = event else { return 0 }
      driver.pool.send(other, bytes)
      return bytes.count
    }
    peer.write([5, 6])
    driver.turn { !driver.seen.isEmpty }
    #expect(otherPeer.read() == [5, 6])
    #expect(driver.pool.unsentBytes(id) == 0)
  }

  @Test("Short writes lose and double nothing", arguments: Wire.allCases)
  func shortWrites(wire: Wire) throws {
    let driver = try PoolDriver()
    let (socket, peer) = try wire.pair()
    Peer.setBuffer(socket.descriptor, SO_SNDBUF, 1)
    let id = driver.pool.adopt(socket)
    let sent = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 251) }
    for start in stride(from: 0, to: sent.count, by: 10_000) {
      driver.pool.send(id, Array(sent[start..<(start + 10_000)]))
      driver.pool.flush()
    }
    #expect(driver.pool.unsentBytes(id) > 0)
    var got: [UInt8] = []
    var sizes = [1, 2, 3, 4_000].makeIterator()
    while got.count < sent.count {
      guard let more = peer.readNow(max: sizes.next() ?? 3_001) else { break }
      got += more
      if more.isEmpty { driver.turn(waiting: .milliseconds(50)) }
    }
    #expect(got == sent)
    driver.turn { driver.events(of: id).contains(.drained) }
    #expect(driver.events(of: id) == [.drained])
    #expect(driver.pool.unsentBytes(id) == 0)
    #expect(driver.pool.lastProgress(id) == nil)
    #expect(driver.isAtRest)
  }

  /// A connection whose socket is full, because its peer does not read.
  private func backlogged(_ driver: PoolDriver) throws -> (ConnectionID, Peer) {
    let (socket, peer) = try Wire.unix.pair()
    Peer.setBuffer(socket.descriptor, SO_SNDBUF, 1)
    let id = driver.pool.adopt(socket)
    driver.pool.send(id, [UInt8](repeating: 1, count: 100_000))
    driver.pool.flush()
    #expect(driver.pool.unsentBytes(id) > 0)
    return (id, peer)
  }

  @Test("A peer that never reads is closed after 30 s, without spinning until then")
  func neverReads() throws {
    let driver = try PoolDriver()
    let (id, peer) = try backlogged(driver)
    let since = try #require(driver.pool.lastProgress(id))
    #expect(driver.isAtRest)
    peer.write([1, 2])
    driver.turn { driver.received(id).count == 2 }
    #expect(driver.pool.lastProgress(id) == since, "asking for more is no progress")
    driver.sweep(after: .seconds(29))
    driver.turn()
    #expect(driver.closeReason(of: id) == nil)
    driver.sweep(after: .seconds(30))
    driver.turn()
    #expect(driver.closeReason(of: id) == .stalledOutput)
  }

  @Test("A peer that reads slowly, but reads, stays")
  func slowReader() throws {
    let driver = try PoolDriver()
    let (id, peer) = try backlogged(driver)
    let before = try #require(driver.pool.lastProgress(id))
    while driver.pool.lastProgress(id) == before {
      _ = peer.readNow(max: 2_000)
      driver.turn(waiting: .milliseconds(50))
    }
    #expect(driver.pool.unsentBytes(id) > 0)
    driver.pool.sweep(now: before.advanced(by: .seconds(30)))
    driver.turn()
    #expect(driver.closeReason(of: id) == nil)
  }

  @Test("An owner that owes beyond all measure loses the connection, not the memory")
  func overflow() throws {
    let driver = try PoolDriver { $0.unsentBytesMax = 200_000 }
    let (id, peer) = try backlogged(driver)
    for _ in 0..<100 { driver.pool.send(id, [UInt8](repeating: 2, count: 10_000)) }
    #expect(driver.pool.unsentBytes(id) <= 200_000)
    driver.turn()
    #expect(driver.events(of: id) == [.closed(.outputOverflow)])
    withExtendedLifetime(peer) {}
  }

  @Test("A graceful end waits for a slow reader")
  func gracefulWithBacklog() throws {
    let driver = try PoolDriver()
    let (id, peer) = try backlogged(driver)
    driver.pool.closeAfterSending(id)
    peer.write([9, 9])
    driver.pool.send(id, [2])
    var got = 0
    while driver.closeReason(of: id) == nil {
      let more = peer.readNow()
      got += more?.count ?? 0
      if more == nil { peer.close() }
      driver.turn(waiting: .milliseconds(20))
    }
    #expect(got == 100_000, "and nothing sent afterwards")
    #expect(driver.events(of: id) == [.closed(.finished)])
  }

  @Test("A graceful end whose peer goes away first is a reset")
  func gracefulButGone() throws {
    let driver = try PoolDriver()
    let (id, peer) = try backlogged(driver)
    driver.pool.closeAfterSending(id)
    peer.close()
    driver.turn { driver.closeReason(of: id) != nil }
    #expect(driver.closeReason(of: id) == .reset)
  }
}

extension Peer {
  static func setBuffer(_ descriptor: Int32, _ option: Int32, _ bytes: Int32) {
    var bytes = bytes
    setsockopt(descriptor, SOL_SOCKET, option, &bytes, socklen_t(MemoryLayout<Int32>.size))
  }
}
