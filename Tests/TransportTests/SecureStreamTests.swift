import CLinux
import COpenSSL
import Glibc
import Testing

@testable import Transport

/// Bytes through TLS: the same as without, whatever the records.
@Suite(.timeLimit(.minutes(1)))
struct SecureStreamTests {
  private let identity: TestIdentity
  private let server: TLSServer

  init() throws {
    identity = try TestIdentity()
    server = try identity.server()
  }

  private static func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  /// Two long arrays that differ are not worth the hours that a report of each difference takes.
  private func expectSame(
    _ isSame: Bool, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(isSame, sourceLocation: location)
  }

  @Test("Records of one byte arrive whole and in order, more than one turn takes")
  func oneByteRecords() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.secured(server)
    let sent = Self.pattern(3 * TransportLimits.recordsPerTurnMax + 7)
    var records: [UInt8] = []
    for byte in sent { records += try peer.seal([byte]) }
    #expect(peer.peer.write(records) == records.count)
    driver.turn { driver.received(id).count == sent.count }
    expectSame(driver.received(id) == sent)
    #expect(driver.isAtRest)
  }

  @Test("A record that comes byte by byte is neither lost nor spun for")
  func dribblingRecord() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.secured(server)
    let record = try peer.seal([1, 2, 3])
    for byte in record.dropLast() {
      peer.peer.write([byte])
      driver.turn(waiting: .milliseconds(50))
      driver.turn()
      #expect(driver.isAtRest)
    }
    #expect(driver.received(id).isEmpty)
    peer.peer.write(Array(record.suffix(1)))
    driver.turn { driver.received(id) == [1, 2, 3] }
  }

  @Test("Frames in one record, taken one an event, never wait for the socket")
  func framesInOneRecord() throws {
    let driver = try PoolDriver { $0.keptBytesMax = 5_000 }
    let (id, peer) = try driver.secured(server)
    let frame = Self.pattern(1_700)
    var taken = 0
    driver.react = { id, event in
      guard case .received(let bytes) = event, bytes.count >= frame.count else { return 0 }
      expectSame(Array(bytes.prefix(frame.count)) == frame)
      taken += 1
      driver.pool.offerAgain(id)
      return frame.count
    }
    try peer.write(Array(repeatElement(frame, count: 9).joined()))
    driver.turn { taken == 9 }
    // The owner has asked for what is not there.
    driver.turn()
    #expect(driver.pool.keptBytes(id) == 0)
    #expect(driver.isAtRest)
  }

  @Test("What is inside TLS while reading is off is offered when it is on again")
  func readingOff() throws {
    let driver = try PoolDriver { $0.keptBytesMax = 5_000 }
    let (id, peer) = try driver.secured(server)
    driver.react = { id, event in
      guard case .received(let bytes) = event else { return 0 }
      driver.pool.setReading(id, false)
      return bytes.count
    }
    let sent = Self.pattern(16_000)
    try peer.write(sent)
    driver.turn { !driver.received(id).isEmpty }
    while driver.received(id).count < sent.count {
      let before = driver.received(id).count
      driver.turn(waiting: .milliseconds(10))
      #expect(driver.received(id).count == before, "nothing is read meanwhile")
      #expect(driver.isAtRest)
      driver.pool.setReading(id, true)
      driver.turn { driver.received(id).count > before }
    }
    expectSame(driver.received(id) == sent)
  }

  @Test("A long answer to a slow reader arrives whole", arguments: [65_536, 262_144])
  func slowReader(bytes: Int) throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.secured(server)
    driver.setSmallBuffers(of: id, peer)
    let answer = Self.pattern(bytes)
    driver.pool.send(id, answer)
    driver.pool.flush()
    var got = peer.readNow(max: 1)
    // In parts: what waits in the queue moves between the writes.
    driver.pool.send(id, [1, 2, 3])
    driver.turn {
      got += peer.readNow(max: got.count < 100 ? 1 : 30_000)
      return got.count == answer.count + 3
    }
    expectSame(got == answer + [1, 2, 3])
    #expect(driver.pool.unsentBytes(id) == 0)
    #expect(driver.closeReason(of: id) == nil)
  }

  @Test("New keys, asked for while an answer is stuck, change nothing for the owner")
  func keyUpdateUnderPressure() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.secured(server)
    driver.setSmallBuffers(of: id, peer)
    let answer = Self.pattern(1_000_000)
    driver.pool.send(id, answer)
    driver.turn { driver.pool.isBacklogged(id) }
    // Once: a second request before the answer to the first has left ends the connection, since
    // OpenSSL 3.0 then writes that answer into the middle of the record that is stuck.
    try peer.updateKeys()
    try peer.write([0])
    driver.turn { driver.received(id) == [0] }
    var got: [UInt8] = []
    driver.turn {
      got += peer.readNow()
      return got.count == answer.count
    }
    expectSame(got == answer)
    driver.pool.send(id, [9])
    driver.pool.flush()
    driver.turn { peer.readNow() == [9] }
    #expect(driver.closeReason(of: id) == nil)
  }

  @Test("A peer that finishes its side still gets the answer, and hears the end")
  func halfClose() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.secured(server)
    try peer.write([1, 2, 3])
    peer.finish()
    driver.turn { driver.events(of: id).contains(.endOfInput) }
    #expect(driver.events(of: id) == [.received([1, 2, 3]), .endOfInput])
    #expect(driver.isAtRest)
    driver.pool.send(id, [4, 5])
    driver.pool.closeAfterSending(id)
    driver.turn { driver.closeReason(of: id) != nil }
    #expect(driver.closeReason(of: id) == .finished)
    #expect(peer.readNow() == [4, 5])
    #expect(peer.heardTheEnd)
  }

  @Test("The last bytes and the end reach a peer whose socket was full")
  func endBehindBacklog() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.secured(server)
    driver.setSmallBuffers(of: id, peer)
    let answer = Self.pattern(1_000_000)
    driver.pool.send(id, answer)
    driver.pool.closeAfterSending(id)
    #expect(driver.pool.isBacklogged(id))
    var got: [UInt8] = []
    driver.turn {
      got += peer.readNow()
      return peer.heardTheEnd
    }
    expectSame(got == answer)
    peer.peer.close()
    driver.turn { driver.closeReason(of: id) != nil }
    #expect(driver.closeReason(of: id) == .finished)
  }

  @Test("An owner's own close tells the peer that nothing is missing")
  func ownClose() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.secured(server)
    driver.pool.close(id)
    #expect(peer.readNow().isEmpty)
    #expect(peer.heardTheEnd)
    #expect(driver.pool.count == 0)
  }

  @Test("What was dropped looks cut off: the peer is not told that nothing is missing")
  func droppedOutput() throws {
    let driver = try PoolDriver { $0.unsentBytesMax = 1_000_000 }
    for way in 1...4 {
      let (id, peer) = try driver.secured(server)
      driver.setSmallBuffers(of: id, peer)
      // Whole records go before it: the stream could end here.
      driver.pool.send(id, [1, 2, 3])
      driver.pool.flush()
      driver.turn { peer.readNow() == [1, 2, 3] }
      switch way {
      case 1:
        driver.pool.send(id, Self.pattern(900_000))
        driver.pool.flush()
        #expect(driver.pool.isBacklogged(id))
        driver.pool.close(id)
      case 2:
        driver.pool.send(id, [4])
        driver.pool.close(id)
      case 3:
        driver.pool.send(id, Self.pattern(1_000_001))
        driver.turn { driver.closeReason(of: id) == .outputOverflow }
      default:
        driver.pool.send(id, Self.pattern(900_000))
        driver.pool.closeAfterSending(id)
        driver.sweep(after: .seconds(31))
        driver.turn { driver.closeReason(of: id) == .stalledOutput }
      }
      var got = 0
      while let bytes = peer.peer.readNow(max: 0x10000) {
        got += bytes.count
        if bytes.isEmpty { driver.turn(waiting: .milliseconds(5)) }
      }
      #expect(got < 900_000)
      #expect(way != 2 && way != 3 || got == 0, "not even an alert")
      driver.pool.closeAll()
    }
  }

  @Test("A peer that wants new keys and does not read is waited for, not asked again and again")
  func keysForOneThatDoesNotRead() throws {
    let driver = try PoolDriver()
    for isPatient in [true, false] {
      let (id, peer) = try driver.secured(server)
      driver.setSmallBuffers(of: id, peer)
      let descriptor = driver.pool.slots[Int(id.slot)].descriptor
      // Between two records: the socket is full, and TLS has nothing that waits.
      let junk = [UInt8](repeating: 0, count: 4_096)
      func fill() -> Bool {
        var hasTaken = false
        for count in [junk.count, 1] {
          while clinux_send(descriptor, junk, count) > 0 { hasTaken = true }
        }
        return hasTaken
      }
      var before = 0
      while fill() {
        // What the peer says acknowledges what has arrived there, which makes room.
        try peer.write([0])
        before += 1
        driver.turn { driver.received(id).count == before }
      }
      // OpenSSL answers a request before it reads the next.
      try peer.updateKeys()
      try peer.updateKeys()
      driver.turn { driver.pool.slots[Int(id.slot)].flags.contains(.readWaitsForRoom) }
      // It goes on and on.
      var sent: [UInt8] = []
      for byte in UInt8(1)...200 {
        let record = try peer.seal([byte])
        guard peer.peer.write(record) == record.count else { break }
        sent.append(byte)
      }
      var arrival = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&arrival, 1, 20_000) == 1)
      for _ in 1...3 {
        #expect(driver.isAtRest)
        driver.turn()
      }
      #expect(driver.received(id).count == before && driver.pool.bufferedBytes == 0)
      if isPatient {
        driver.turn {
          _ = peer.peer.readNow(max: 4_096)
          return Array(driver.received(id).dropFirst(before)) == sent
        }
        #expect(driver.isAtRest)
      } else {
        driver.sweep(after: .seconds(31))
        driver.turn()
        #expect(driver.closeReason(of: id) == .stalledOutput)
      }
      driver.pool.closeAll()
    }
  }

  @Test("A connection moves with the bytes inside TLS")
  func handover() throws {
    let lobby = try PoolDriver { $0.keptBytesMax = 5_000 }
    let partition = try PoolDriver()
    let (_, peer) = try lobby.secured(server)
    var moved: (socket: AcceptedSocket, unread: [UInt8])?
    lobby.react = { id, event in
      guard case .received = event else { return 0 }
      moved = lobby.pool.release(id, consumed: 10)
      return 0
    }
    let sent = Self.pattern(16_000)
    try peer.write(sent)
    lobby.turn { moved != nil }
    let (socket, unread) = try #require(moved)
    moved = nil
    #expect(unread.count < 16_000 - 10, "a part is inside TLS")
    let second = partition.pool.adopt(socket, unread: unread)
    partition.turn { partition.received(second).count == sent.count - 10 }
    expectSame(partition.received(second) == Array(sent.dropFirst(10)))
    partition.pool.send(second, [6])
    partition.pool.flush()
    partition.turn { peer.readNow() == [6] }
    try peer.write([7])
    partition.turn { partition.received(second).last == 7 }
    #expect(lobby.pool.count == 0)
  }

  @Test("A connection is not handed over before its handshake is done")
  func noHandoverInHandshake() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.securing(server)
    #expect(driver.pool.release(id) == nil)
    #expect(driver.pool.isSecuring(id))
    withExtendedLifetime(peer) {}
  }

  @Test("Plain connections have no session beside secured ones")
  func plainBeside() throws {
    let driver = try PoolDriver()
    let (secured, peer) = try driver.secured(server)
    let (plain, plainPeer) = try driver.connection()
    plainPeer.write([1])
    try peer.write([2])
    driver.turn { driver.received(plain) == [1] && driver.received(secured) == [2] }
    driver.pool.close(secured)
    // The slot of the secured one is used again, and is plain now.
    let (next, nextPeer) = try driver.connection()
    #expect(next.slot == secured.slot)
    nextPeer.write([3])
    driver.turn { driver.received(next) == [3] }
    #expect(driver.pool.sessions.allSatisfy { $0 == nil })
  }
}
