import Glibc
import Testing

@testable import Transport

/// From one pool to another, and ids that outlive their connection.
@Suite(.timeLimit(.minutes(1)))
struct HandoverTests {
  @Test("A connection moves with what was read and not consumed", arguments: Wire.allCases)
  func handover(wire: Wire) throws {
    let lobby = try PoolDriver()
    let partition = try PoolDriver()
    let (id, peer) = try lobby.connection(wire)
    var moved: (socket: AcceptedSocket, unread: [UInt8])?
    lobby.react = { id, event in
      guard case .received = event else { return 0 }
      moved = lobby.pool.release(id, consumed: 2)
      return 0
    }
    peer.write([1, 2, 3, 4])
    lobby.turn { moved != nil }
    let (socket, unread) = try #require(moved)
    #expect(unread == [3, 4])
    #expect(lobby.pool.count == 0)
    peer.write([5])
    let second = partition.pool.adopt(socket, unread: unread)
    partition.turn { partition.received(second).count == 3 }
    #expect(partition.received(second) == [3, 4, 5])
    partition.pool.send(second, [6])
    partition.pool.flush()
    #expect(peer.read() == [6])
    peer.close()
    lobby.turn()
    #expect(lobby.events(of: id).count == 1)
  }

  @Test("Kept input moves too, and an end of input is found again")
  func handoverOfKept() throws {
    let lobby = try PoolDriver()
    let partition = try PoolDriver()
    let (id, peer) = try lobby.connection()
    lobby.react = { _, _ in 0 }
    peer.write([1, 2])
    peer.finish()
    lobby.turn { lobby.events(of: id).contains(.endOfInput) }
    let (socket, unread) = try #require(lobby.pool.release(id))
    let second = partition.pool.adopt(socket, unread: unread)
    partition.turn { partition.events(of: second).contains(.endOfInput) }
    #expect(partition.events(of: second) == [.received([1, 2]), .endOfInput])
  }

  @Test("A connection that owes output it cannot write is not released")
  func owing() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.connection(.unix)
    driver.pool.send(id, [7])
    let handed = try #require(driver.pool.release(id))
    #expect(peer.read() == [7], "what can be written is")
    let again = driver.pool.adopt(handed.socket)
    driver.pool.send(again, [UInt8](repeating: 0, count: 3_000_000))
    #expect(driver.pool.release(again) == nil)
    #expect(driver.pool.count == 1)
  }

  @Test("A stale id does nothing to the next connection in its slot")
  func staleID() throws {
    let driver = try PoolDriver()
    let (old, oldPeer) = try driver.connection()
    driver.pool.close(old)
    let (new, peer) = try driver.connection()
    #expect(new.slot == old.slot)
    #expect(new.generation != old.generation)
    driver.pool.send(old, [1])
    driver.pool.setReading(old, false)
    driver.pool.offerAgain(old)
    driver.pool.closeAfterSending(old)
    driver.pool.close(old)
    #expect(driver.pool.release(old) == nil)
    #expect(driver.pool.unsentBytes(old) == 0)
    #expect(driver.pool.peer(old) == nil)
    #expect(driver.pool.lastReceived(old) == nil)
    driver.pool.flush()
    peer.write([3])
    driver.turn { driver.received(new) == [3] }
    #expect(peer.readNow() == [])
    withExtendedLifetime(oldPeer) {}
  }

  @Test("An event for a connection that ended earlier in the round is dropped")
  func staleEvent() throws {
    let driver = try PoolDriver()
    let (first, firstPeer) = try driver.connection(.unix)
    let (second, secondPeer) = try driver.connection(.unix)
    let (replacement, replacementPeer) = try Wire.unix.pair()
    let firstSocket = driver.pool.slots[Int(first.slot)].descriptor
    let secondSocket = driver.pool.slots[Int(second.slot)].descriptor
    var adopted: ConnectionID?
    driver.react = { id, event in
      guard case .received(let bytes) = event, adopted == nil else { return 0 }
      // Both events are collected already; the other's descriptor and slot are used again.
      let other = id == first ? second : first
      driver.pool.close(other)
      let descriptor = id == first ? secondSocket : firstSocket
      #expect(dup2(replacement.descriptor, descriptor) == descriptor)
      adopted = driver.pool.adopt(AcceptedSocket(descriptor: descriptor, peer: replacement.peer))
      return bytes.count
    }
    firstPeer.write([1])
    secondPeer.write([2])
    driver.turn()
    let id = try #require(adopted)
    #expect(driver.seen.count == 1)
    #expect(id.slot == first.slot || id.slot == second.slot)
    replacement.close()
    replacementPeer.write([3])
    driver.turn { driver.events(of: id) == [.received([3])] }
  }

  @Test("An idle connection costs about a hundred bytes")
  func idleSize() {
    #expect(MemoryLayout<ConnectionSlot>.stride <= 112)
  }
}
