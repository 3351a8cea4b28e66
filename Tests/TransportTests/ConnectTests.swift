import CLinux
import Glibc
import Testing

@testable import Transport

/// Connections the pool begins itself.
@Suite(.timeLimit(.minutes(1)))
struct ConnectTests {
  @Test("A connect over TCP is told, and what was sent before follows")
  func connectTCP() throws {
    let listener = try RawListener()
    let driver = try PoolDriver()
    let id = try driver.pool.connect(to: listener.address)
    driver.pool.send(id, [1, 2])
    driver.pool.flush()
    driver.turn { driver.events(of: id).first == .connected }
    let peer = Peer(try listener.accept().descriptor)
    driver.turn(waiting: .milliseconds(50))
    #expect(peer.read() == [1, 2])
    peer.write([3])
    driver.turn { driver.received(id) == [3] }
    #expect(driver.pool.peer(id)?.isLocal == true)
  }

  @Test("A connect to a Unix socket is told in the next turn")
  func connectUnix() throws {
    let directory = try TemporaryDirectory()
    let address = try SocketAddress(parsing: "unix:\(directory.path)/s")
    let listening = try ListeningSocket(at: address)
    defer { close(listening.descriptor) }
    let driver = try PoolDriver()
    let id = try driver.pool.connect(to: address)
    #expect(driver.seen.isEmpty)
    driver.turn { driver.events(of: id) == [.connected] }
    #expect(driver.pool.peer(id) == .unix(user: geteuid()))
  }

  @Test("A refused connect is told with its error")
  func refused() throws {
    let address = try RawListener().address
    let driver = try PoolDriver()
    let id = try driver.pool.connect(to: address)
    driver.turn { driver.closeReason(of: id) != nil }
    let error = SystemError(.connectionRefused, call: "connect")
    #expect(driver.events(of: id) == [.closed(.connectFailed(error))])
  }

  @Test("A connect to a path without a socket is told with its error")
  func missing() throws {
    let driver = try PoolDriver()
    let id = try driver.pool.connect(to: try SocketAddress(parsing: "unix:/nowhere/s"))
    driver.turn()
    let error = SystemError(.noSuchFile, call: "connect")
    #expect(driver.events(of: id) == [.closed(.connectFailed(error))])
  }

  @Test("A connect that is never answered ends after its time")
  func timeOut() throws {
    let driver = try PoolDriver()
    // With the one place of its queue taken, a listener leaves further connects unanswered.
    let listener = try RawListener(backlog: 0)
    var queued: [ConnectionID] = []
    for _ in 0..<4 { queued.append(try driver.pool.connect(to: listener.address)) }
    driver.turn(waiting: .milliseconds(200))
    let waiting = try #require(queued.first { driver.events(of: $0).isEmpty })
    driver.sweep(after: .seconds(9))
    driver.turn()
    #expect(driver.events(of: waiting).isEmpty)
    driver.sweep(after: .seconds(11))
    driver.turn()
    #expect(driver.events(of: waiting) == [.closed(.connectTimedOut)])
  }
}
