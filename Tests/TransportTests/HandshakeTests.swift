import COpenSSL
import Glibc
import Testing

@testable import Transport

/// Handshakes that come to nothing: each ends by itself, with its own reason.
@Suite(.timeLimit(.minutes(1)))
struct HandshakeTests {
  private let identity: TestIdentity
  private let server: TLSServer

  init() throws {
    identity = try TestIdentity()
    server = try identity.server()
  }

  /// What a wrong client sends first.
  struct Wrong: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let failure: TLSFailure

    static let all = [
      Wrong(
        testDescription: "a plain Hello", bytes: [0, 0, 0, 4, 0x0A, 2, 8, 1], failure: .notSpoken),
      Wrong(
        testDescription: "HTTP", bytes: Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8),
        failure: .notSpoken),
      Wrong(
        testDescription: "SSH", bytes: Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), failure: .notSpoken),
      Wrong(
        testDescription: "an alert instead of a greeting", bytes: [21, 3, 3, 0, 2, 2, 80],
        failure: .handshake),
      Wrong(
        testDescription: "a greeting of garbage",
        bytes: [22, 3, 1, 0, 8, 1, 0, 0, 4, 0xDE, 0xAD, 0xBE, 0xEF], failure: .handshake),
    ]
  }

  @Test("What is no handshake ends the connection with a reason", arguments: Wrong.all)
  func wrongClient(wrong: Wrong) throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.securing(server)
    peer.peer.write(wrong.bytes)
    driver.turn { driver.closeReason(of: id) != nil }
    #expect(driver.events(of: id) == [.closed(.secureFailed(wrong.failure))])
    #expect(driver.pool.count == 0)
  }

  @Test("A client that knows TLS 1.2 at most is refused, and told so")
  func oldVersion() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.securing(server, knowsOnly: TLS1_2_VERSION)
    driver.turn {
      _ = peer.shake()
      return driver.closeReason(of: id) != nil && peer.failure != nil
    }
    #expect(driver.closeReason(of: id) == .secureFailed(.oldVersion))
    #expect(peer.failure == SSL_R_TLSV1_ALERT_PROTOCOL_VERSION)
  }

  @Test("Garbage in the middle of a handshake ends it")
  func garbageWithin() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.securing(server)
    _ = peer.shake()
    driver.turn(waiting: .milliseconds(500))
    peer.peer.write([UInt8](repeating: 0xAA, count: 200))
    driver.turn { driver.closeReason(of: id) != nil }
    guard case .secureFailed = driver.closeReason(of: id) else {
      Issue.record("\(driver.events(of: id))")
      return
    }
    #expect(driver.received(id).isEmpty)
  }

  @Test("A record that was changed on its way ends the connection")
  func damaged() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.secured(server)
    try peer.write([1])
    var record = try peer.seal([2, 3])
    record[record.count - 1] ^= 1
    peer.peer.write(record)
    driver.turn { driver.closeReason(of: id) != nil }
    #expect(driver.events(of: id) == [.received([1]), .closed(.secureFailed(.damaged))])
  }

  @Test("An end without close_notify is told as such, after the bytes before it")
  func truncated() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.secured(server)
    try peer.write([1, 2])
    peer.peer.close()
    driver.turn { driver.closeReason(of: id) != nil }
    #expect(driver.events(of: id) == [.received([1, 2]), .closed(.secureFailed(.truncated))])
  }

  /// How a client goes away in the middle.
  enum Leaving: CaseIterable, Sendable {
    case finishing
    case resetting
  }

  @Test("A client that goes away within the handshake is let go", arguments: Leaving.allCases)
  func abandoned(leaving: Leaving) throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.securing(server)
    _ = peer.shake()
    if leaving == .finishing { peer.peer.close() } else { peer.peer.reset() }
    driver.turn { driver.closeReason(of: id) != nil }
    #expect(driver.events(of: id) == [.closed(.secureFailed(.abandoned))])
  }

  @Test("A handshake that stalls ends when its time is over", arguments: [0, 1, 40])
  func stalled(sent: Int) throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.securing(server)
    peer.peer.write(Array([22, 3, 1, 1, 0, 1, 0].prefix(sent)))
    driver.turn(waiting: .milliseconds(50))
    driver.sweep(after: .seconds(9))
    driver.turn()
    #expect(driver.events(of: id).isEmpty)
    #expect(driver.isAtRest)
    driver.sweep(after: .seconds(11))
    driver.turn()
    #expect(driver.events(of: id) == [.closed(.secureFailed(.stalled))])
    withExtendedLifetime(peer) {}
  }

  @Test("An owner that is done before the handshake ends the connection at once")
  func turnedAway() throws {
    let driver = try PoolDriver()
    let (id, peer) = try driver.securing(server)
    driver.pool.send(id, [1, 2, 3])
    driver.pool.closeAfterSending(id)
    driver.turn()
    #expect(driver.closeReason(of: id) == .finished)
    #expect(peer.peer.readNow() == nil)
  }

  @Test("200 resets in the middle of handshakes leave no descriptor and no session")
  func resets() throws {
    let driver = try PoolDriver()
    let before = try Descriptors.settledCount()
    for round in 0..<200 {
      let (id, peer) = try driver.securing(server)
      _ = peer.shake()
      // At once, or with the server's answer unread.
      if round % 2 == 0 { driver.turn(waiting: .milliseconds(50)) }
      peer.peer.reset()
      driver.turn { driver.closeReason(of: id) != nil }
    }
    #expect(try Descriptors.count() == before)
    #expect(driver.pool.count == 0)
    #expect(driver.pool.sessions.allSatisfy { $0 == nil })
  }
}
