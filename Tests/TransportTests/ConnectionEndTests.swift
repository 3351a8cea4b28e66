import Glibc
import Testing

@testable import Transport

/// Every way a connection ends, and what its owner is told.
@Suite(.timeLimit(.minutes(1)))
struct ConnectionEndTests {
  @Test(
    "A peer that finishes its side still gets the answer, then the connection ends",
    arguments: Wire.allCases)
  func halfClose(wire: Wire) throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection(wire)
    peer.write([1, 2, 3])
    peer.finish()
    driver.turn { driver.events(of: id).contains(.endOfInput) }
    #expect(driver.events(of: id) == [.received([1, 2, 3]), .endOfInput])
    #expect(driver.isAtRest, "a half-closed connection waits for its owner without spinning")
    driver.pool.send(id, [4, 5])
    driver.pool.closeAfterSending(id)
    #expect(peer.read(exactly: 2) == [4, 5])
    driver.turn { driver.closeReason(of: id) != nil }
    #expect(driver.closeReason(of: id) == .finished)
    #expect(peer.read() == nil)
    #expect(driver.pool.count == 0)
  }

  @Test("A reset ends the connection", arguments: [[], [9]] as [[UInt8]])
  func reset(sent: [UInt8]) throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection()
    peer.write(sent)
    peer.reset()
    driver.turn { driver.closeReason(of: id) != nil }
    #expect(driver.received(id) == sent)
    #expect(driver.closeReason(of: id) == .reset)
  }

  @Test("All that a peer sent before it hung up is offered, however much")
  func hangUpAfterMuch() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection(.unix)
    peer.setBuffer(SO_SNDBUF, 400_000)
    let sent = [UInt8](repeating: 7, count: 200_000)
    #expect(peer.write(sent) == sent.count)
    peer.close()
    driver.turn { driver.closeReason(of: id) != nil }
    #expect(driver.received(id).count == sent.count)
    #expect(driver.closeReason(of: id) == .endOfStream)
  }

  @Test("Input is still offered when an answer finds the peer gone")
  func hangUpWhileAnswering() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection(.unix)
    driver.react = { id, event in
      guard case .received(let bytes) = event else { return 0 }
      driver.pool.send(id, [1])
      return bytes.count
    }
    peer.setBuffer(SO_SNDBUF, 400_000)
    #expect(peer.write([UInt8](repeating: 7, count: 150_000)) == 150_000)
    peer.close()
    driver.turn { driver.closeReason(of: id) != nil }
    #expect(driver.received(id).count == 150_000)
  }

  @Test(
    "Sending to a peer that is gone ends the connection without a signal", arguments: Wire.allCases)
  func sendToTheGone(wire: Wire) throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection(wire)
    driver.pool.setReading(id, false)
    peer.reset()
    driver.pool.send(id, [1])
    driver.pool.flush()
    driver.turn { driver.closeReason(of: id) != nil }
    let reason = driver.closeReason(of: id)
    #expect(reason == .reset || reason == .endOfStream)
    #expect(driver.events(of: id).count == 1)
  }

  @Test(
    "A peer that hangs up while it is not read ends the connection at once",
    arguments: Wire.allCases)
  func hangUpUnread(wire: Wire) throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection(wire)
    driver.pool.setReading(id, false)
    peer.write([1, 2, 3])
    peer.reset()
    driver.turn { driver.closeReason(of: id) != nil }
    #expect(driver.received(id).isEmpty)
    #expect(driver.isAtRest)
  }

  @Test("An owner's own close, closeAll and release are not reported")
  func silentEnds() throws {
    let driver = try PoolDriver()
    let (closed, peer) = try driver.connection()
    let (released, _) = try driver.connection()
    let (_, other) = try driver.connection()
    driver.pool.close(closed)
    let handed = try #require(driver.pool.release(released))
    handed.socket.close()
    driver.turn()
    driver.pool.closeAll()
    driver.turn()
    #expect(driver.seen.isEmpty)
    #expect(driver.pool.count == 0)
    withExtendedLifetime((peer, other)) {}
  }

  @Test("A connection closed by its owner after it ended, before the turn, is not reported")
  func closeBeforeTold() throws {
    let driver = try PoolDriver { $0.unsentBytesMax = 10 }
    let (id, _) = try driver.connection()
    driver.pool.send(id, [UInt8](repeating: 0, count: 11))
    driver.pool.close(id)
    driver.turn()
    #expect(driver.seen.isEmpty)
  }

  @Test("The last frame reaches a peer that had more to say")
  func gracefulEndWithUnreadInput() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection()
    driver.react = { id, event in
      guard case .received = event else { return 0 }
      driver.pool.send(id, [0xEE])
      driver.pool.closeAfterSending(id)
      return 0
    }
    peer.write([UInt8](repeating: 1, count: 1_000))
    driver.turn { !driver.events(of: id).isEmpty }
    // More input arrives after the decision; closing now would reset the connection.
    peer.write([UInt8](repeating: 2, count: 100_000))
    #expect(peer.read(exactly: 1) == [0xEE])
    #expect(peer.read() == nil, "an orderly end, no reset")
    driver.turn(waiting: .milliseconds(50))
    #expect(driver.closeReason(of: id) == nil)
    peer.close()
    driver.turn { driver.closeReason(of: id) != nil }
    #expect(driver.closeReason(of: id) == .finished)
    #expect(driver.events(of: id).count == 2, "nothing is offered after closeAfterSending")
  }

  @Test("A peer that never finishes is closed when the time to linger is over")
  func lingerEnds() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection()
    driver.pool.closeAfterSending(id)
    driver.sweep(after: .milliseconds(900))
    driver.turn()
    #expect(driver.closeReason(of: id) == nil)
    driver.sweep(after: .milliseconds(1_100))
    driver.turn()
    #expect(driver.closeReason(of: id) == .finished)
    _ = peer
  }

  @Test("A connection beyond the limit of the pool is refused and reported")
  func poolFull() throws {
    let driver = try PoolDriver { $0.connectionsMax = 2 }
    let (first, _) = try driver.connection()
    let (second, _) = try driver.connection()
    let (third, peer) = try driver.connection()
    let (fourth, _) = try driver.connection()
    #expect(third != fourth)
    driver.pool.close(fourth)
    #expect(driver.pool.count == 2)
    driver.turn()
    #expect(driver.events(of: third) == [.closed(.poolFull)])
    #expect(driver.events(of: fourth).isEmpty)
    #expect(peer.read() == nil)
    driver.pool.close(first)
    let (fifth, _) = try driver.connection()
    #expect(fifth.slot == first.slot)
    #expect(fifth.generation == first.generation + 1)
    _ = second
  }

  @Test("A descriptor that cannot be watched is closed and reported")
  func unwatchable() throws {
    let driver = try PoolDriver()
    // A regular file is refused by epoll with EPERM.
    let file = open("/proc/self/exe", O_RDONLY)
    let id = driver.pool.adopt(AcceptedSocket(descriptor: file, peer: .unix(user: 0)))
    driver.turn()
    let error = SystemError(.notPermitted, call: "epoll_ctl")
    #expect(driver.events(of: id) == [.closed(.failed(error))])
    #expect(fcntl(file, F_GETFD) == -1)
  }

  @Test("Peers that go all at once wait behind those who ask, and go a share at a time")
  func manyEnds() throws {
    let driver = try PoolDriver()
    let max = TransportLimits.endingsMax
    var leaving: [(ConnectionID, Peer)] = []
    for _ in 0..<(2 * max + 5) { leaving.append(try driver.connection(.unix)) }
    let (asking, peer) = try driver.connection(.unix)
    driver.turn()
    for (_, peer) in leaving { peer.finish() }
    _ = peer.write([7])
    // A Unix socket has delivered when the calls return. A wait takes nothing away.
    #expect(driver.pool.readiness.wait(milliseconds: 0) == 1 + max)
    // How many of these a turn handles is a matter of its 500 µs.
    driver.turn()
    #expect(driver.seen.first?.id == asking)
    #expect(driver.seen.first?.what == .received([7]))
    let told = driver.seen.count { $0.what == .endOfInput }
    #expect((0...max).contains(told))
    driver.turn(until: { driver.seen.count { $0.what == .endOfInput } == leaving.count })
    for (id, _) in leaving { driver.pool.close(id) }
    #expect(driver.pool.count == 1)
  }
}
