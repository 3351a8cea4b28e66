import Glibc
import Testing

@testable import Transport

/// Who is taken for the server, and what leaves before that is known.
@Suite(.timeLimit(.minutes(1)))
struct TrustTests {
  private let identity: TestIdentity
  private let server: TLSServer

  init() throws {
    identity = try TestIdentity()
    server = try identity.server()
  }

  /// Connects a pool to another, driven in turns, and waits for the outcome.
  private func connect(
    _ client: TLSClient, to server: TLSServer, sending secret: [UInt8]
  ) throws -> (client: PoolDriver, server: PoolDriver, id: ConnectionID, accepted: ConnectionID) {
    let listener = try RawListener()
    let asking = try PoolDriver()
    let answering = try PoolDriver()
    let id = try asking.pool.connect(to: listener.address, securedBy: client)
    asking.pool.send(id, secret)
    asking.pool.flush()
    let accepted = answering.pool.adopt(try #require(server.secured(try listener.accept())))
    asking.turn {
      answering.turn()
      return asking.closeReason(of: id) != nil || !answering.received(accepted).isEmpty
    }
    answering.turn(waiting: .milliseconds(50))
    return (asking, answering, id, accepted)
  }

  @Test("A server with the pinned key is the right one; what was sent before follows")
  func pinned() throws {
    let client = try TLSClient(trusting: .pin(server.pin))
    let (asking, answering, id, accepted) = try connect(client, to: server, sending: [1, 2, 3])
    #expect(asking.events(of: id).first == .connected)
    #expect(answering.received(accepted) == [1, 2, 3])
    let large = [UInt8](repeating: 7, count: 1_048_576)
    answering.pool.send(accepted, large)
    asking.turn {
      answering.turn()
      return asking.received(id).count == large.count
    }
    let isWhole = asking.received(id) == large
    #expect(isWhole)
  }

  @Test("A server with another key gets nothing, and the client learns which key it has")
  func mismatch() throws {
    let other = try TestIdentity()
    let client = try TLSClient(trusting: .pin(try other.server().pin))
    let (asking, answering, id, accepted) = try connect(client, to: server, sending: [1, 2, 3])
    #expect(
      asking.events(of: id)
        == [.closed(.secureFailed(.pinMismatch(presented: server.pin)))])
    #expect(answering.received(accepted).isEmpty)
    guard case .secureFailed(.refused) = answering.closeReason(of: accepted) else {
      Issue.record("the server is not told: \(answering.events(of: accepted))")
      return
    }
  }

  @Test("Not a byte of application data reaches a server with another key")
  func nothingSent() throws {
    let listener = try RawListener()
    let asking = try PoolDriver()
    let client = try TLSClient(
      trusting: .pin(CertificatePin(bytes: [UInt8](repeating: 1, count: 32))))
    let id = try asking.pool.connect(to: listener.address, securedBy: client)
    asking.pool.send(id, [UInt8](repeating: 9, count: 1_000))
    let peer = try SecurePeer(
      Peer(try listener.accept().descriptor),
      try TLSIdentity(
        certificatePath: identity.certificatePath, keyPath: identity.keyPath))
    var got: [UInt8] = []
    asking.turn {
      if peer.shake() { got += peer.readNow() }
      return asking.closeReason(of: id) != nil
    }
    #expect(!peer.shake(), "the client does not finish the handshake")
    #expect(got.isEmpty)
  }

  @Test("A plain server is told apart")
  func plainServer() throws {
    let listener = try RawListener()
    let asking = try PoolDriver()
    let client = try TLSClient(trusting: .pin(server.pin))
    let id = try asking.pool.connect(to: listener.address, securedBy: client)
    let peer = Peer(try listener.accept().descriptor)
    asking.turn { peer.readNow()?.isEmpty == false }
    // A Goodbye in a frame, as the plain port answers.
    peer.write([0, 0, 0, 9, 0x82, 1, 6, 8, 2, 0x10, 0, 0x18, 0])
    asking.turn { asking.closeReason(of: id) != nil }
    #expect(asking.closeReason(of: id) == .secureFailed(.notSpoken))
  }

  @Test("Nobody who answers ends a connect by its time, also within the handshake")
  func silentServer() throws {
    let listener = try RawListener()
    let asking = try PoolDriver()
    let client = try TLSClient(trusting: .pin(server.pin))
    let id = try asking.pool.connect(to: listener.address, securedBy: client)
    asking.turn(waiting: .milliseconds(500))
    #expect(asking.pool.isSecuring(id))
    asking.sweep(after: .seconds(11))
    asking.turn()
    #expect(asking.closeReason(of: id) == .secureFailed(.stalled))
    #expect(asking.pool.count == 0)
  }

  /// Who vouches for whom, under which name, and whether that is enough.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var hosts = ["127.0.0.1"]
    var days = 30
    var name: String?
    var isVouchedFor = true
    let isTrusted: Bool
  }

  @Test(
    "An authority vouches for a name or an address, and for nothing else",
    arguments: [
      Case(testDescription: "the address", isTrusted: true),
      Case(
        testDescription: "the name", hosts: ["example.org"], name: "example.org", isTrusted: true),
      Case(testDescription: "another address", hosts: ["192.0.2.1"], isTrusted: false),
      Case(
        testDescription: "another name", hosts: ["example.org"], name: "example.com",
        isTrusted: false),
      Case(testDescription: "a name where an address is meant", hosts: ["a.org"], isTrusted: false),
      Case(testDescription: "nobody's word", isVouchedFor: false, isTrusted: false),
      Case(testDescription: "a time that is over", days: 0, isTrusted: false),
    ])
  func authority(item: Case) throws {
    let identity = try TestIdentity(hosts: item.hosts, days: item.days)
    let authority = item.isVouchedFor ? identity : try TestIdentity()
    let client = try TLSClient(
      trusting: .authority(path: authority.certificatePath), serverName: item.name)
    let (asking, answering, id, accepted) = try connect(
      client, to: try identity.server(), sending: [5])
    if item.isTrusted {
      #expect(answering.received(accepted) == [5])
    } else {
      #expect(answering.received(accepted).isEmpty)
      guard case .secureFailed(.untrusted(let reason)) = asking.closeReason(of: id) else {
        Issue.record("\(asking.events(of: id))")
        return
      }
      #expect(!reason.isEmpty)
    }
  }

  @Test("A new certificate is for new connections; old ones go on")
  func reload() throws {
    let old = server.pin
    let (asking, answering, id, accepted) = try connect(
      try TLSClient(trusting: .pin(old)), to: server, sending: [1])
    try identity.replace()
    try server.reload()
    #expect(server.pin != old)
    let (newcomer, _, new, _) = try connect(
      try TLSClient(trusting: .pin(server.pin)), to: server, sending: [2])
    #expect(newcomer.events(of: new).first == .connected)
    asking.pool.send(id, [3])
    asking.turn {
      answering.turn()
      return answering.received(accepted) == [1, 3]
    }
  }

  /// A file that is no certificate or key, and what is said of it.
  enum Broken: CaseIterable, Sendable {
    case noCertificate, missingKey, openKey, groupKey, keyOfAnother, certificateForKey, huge
  }

  @Test(
    "A broken file is refused with its name, and the old certificate stays",
    arguments: Broken.allCases)
  func broken(what: Broken) throws {
    let pin = server.pin
    let (certificate, key) = (identity.certificatePath, identity.keyPath)
    let expected: TLSSetupError
    switch what {
    case .noCertificate:
      try TestIdentity.write(Array("nothing".utf8), to: certificate, mode: 0o644)
      expected = .noCertificate(path: certificate)
    case .missingKey:
      unlink(key)
      expected = .unreadable(path: key, SystemError(.noSuchFile, call: "open"))
    case .openKey:
      chmod(key, 0o644)
      expected = .keyIsOpen(path: key, mode: 0o644)
    case .groupKey:
      chmod(key, 0o660)
      expected = .keyIsOpen(path: key, mode: 0o660)
    case .keyOfAnother:
      let made = try SelfSignedCertificate(hosts: ["localhost"], days: 1)
      try TestIdentity.write(made.key, to: key, mode: 0o600)
      expected = .keyOfAnother(certificatePath: certificate, keyPath: key)
    case .certificateForKey:
      try TestIdentity.write(try TLSFile.read(certificate, isSecret: false), to: key, mode: 0o600)
      expected = .noKey(path: key)
    case .huge:
      try TestIdentity.write(
        [UInt8](repeating: 10, count: TLSFile.bytesMax + 1), to: certificate, mode: 0o644)
      expected = .tooLarge(path: certificate, max: TLSFile.bytesMax)
    }
    #expect(throws: expected) { try server.reload() }
    #expect(server.pin == pin)
    #expect(!"\(expected)".isEmpty)
    let (asking, _, id, _) = try connect(
      try TLSClient(trusting: .pin(pin)), to: server, sending: [2])
    #expect(asking.events(of: id).first == .connected)
  }
}
