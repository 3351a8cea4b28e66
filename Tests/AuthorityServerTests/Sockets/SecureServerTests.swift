import AuthorityServer
import Foundation
import Glibc
import TestSupport
import Testing
import Transport
import WatchTransfer
import WireFormat

/// A server with a certificate: what it answers over TLS, what it turns away, what it reads anew.
@Suite(.serialized, .timeLimit(.minutes(1))) struct SecureServerTests {
  private let fixture: ServerFixture

  init() throws {
    var limits = ServerLimits()
    limits.ballastBytes = 0
    limits.freeSpaceReserveBytes = 0
    limits.greetingMilliseconds = 1_000
    fixture = try ServerFixture(limits: limits)
    try fixture.makeCertificate()
    try fixture.start()
  }

  /// The far end learns of an end before it is counted: asks until it is, at most 10 s.
  private func closed(_ word: String, count: Int = 1) async throws {
    let end = ContinuousClock.now + .seconds(10)
    var counts = try await fixture.status().closed
    while counts[word] != count, ContinuousClock.now < end {
      counts = try await fixture.status().closed
    }
    #expect(counts[word] == count, "\(counts)")
  }

  @Test func `a greeting and acts in one write are answered, each once`() async throws {
    try await fixture.addAccount()
    let token = try await fixture.pair(.watch)
    let (port, pin) = (fixture.securedPort, fixture.pin)
    let numbers = try await onThread {
      let client = try SecureWireClient(port: port, pin: pin)
      var outbox = TestOutbox()
      let acts = (0..<9).map { index in
        ClientMessage.act(
          outbox.act(.setTheme(mode: index % 2 == 0 ? .night : .day), at: Instant(milliseconds: 1)))
      }
      client.send([.hello(Hello(token: token))] + acts)
      var numbers: [UInt64] = []
      while numbers.count < 9 { numbers.append(try client.receipt().number) }
      // Offered again on another connection: the same receipts, and nothing twice.
      let again = try SecureWireClient(port: port, pin: pin)
      _ = try again.greet(Hello(token: token))
      again.send(acts)
      while numbers.count < 18 { numbers.append(try again.receipt().number) }
      return numbers
    }
    #expect(numbers == Array(1...9) + Array(1...9))
    #expect(try await fixture.status().actions.applied == 9)
    await fixture.stop()
  }

  @Test func `a handshake that stalls is closed by the greeting's deadline`() async throws {
    let port = fixture.securedPort
    try await onThread {
      let silent = try WireClient(port: port)
      let halting = try WireClient(port: port)
      try halting.send(bytes: [22, 3, 1, 1, 0, 1])
      #expect(silent.isClosedByPeer())
      #expect(halting.isClosedByPeer())
    }
    try await closed("tlsStalled", count: 2)
    await fixture.stop()
  }

  @Test func `who finishes the handshake and does not greet hears why it is closed`() async throws {
    let (port, pin) = (fixture.securedPort, fixture.pin)
    let reason = try await onThread {
      let client = try SecureWireClient(port: port, pin: pin)
      return try client.next { message -> Goodbye.Reason? in
        if case .goodbye(let goodbye) = message { goodbye.reason } else { nil }
      }
    }
    #expect(reason == .idle)
    await fixture.stop()
  }

  @Test func `a plain client at the TLS port, and TLS at the plain port, end at once`()
    async throws
  {
    let (port, plainPort, pin) = (fixture.securedPort, fixture.port, fixture.pin)
    try await onThread {
      let plain = try WireClient(port: port)
      try plain.send(.hello(Hello(token: [UInt8](repeating: 1, count: 32))))
      #expect(throws: WireClient.Failure.self) { _ = try plain.read(1_000) }
      let secured = try SecureWireClient(port: plainPort, pin: pin)
      #expect(secured.waitForEnd() == "secureFailed(Transport.TLSFailure.notSpoken)")
    }
    try await closed("tlsNotSpoken")
    try await closed("frameTooLarge")
    await fixture.stop()
  }

  @Test func `a client that pins another key sends nothing and is counted`() async throws {
    let port = fixture.securedPort
    let other = "sha256:" + String(repeating: "ab", count: 32)
    let presented = fixture.pin
    try await onThread {
      let client = try SecureWireClient(port: port, pin: other)
      client.send([.hello(Hello(token: [UInt8](repeating: 1, count: 32)))])
      #expect(!client.connects())
      #expect(client.ending?.contains(presented) == true, "\(client.ending as Any)")
    }
    try await closed("tlsRefused")
    #expect(try await fixture.status().closed["unauthenticated"] == nil)
    await fixture.stop()
  }

  @Test func `a new certificate is for newcomers; a broken one leaves all as it was`()
    async throws
  {
    try await fixture.addAccount()
    let token = try await fixture.pair(.watch)
    let (port, first) = (fixture.securedPort, fixture.pin)
    let server = try #require(fixture.server)
    let old = try SecureWireClient(port: port, pin: first)
    _ = try old.greet(Hello(token: token))
    try fixture.makeCertificate()
    try server.reloadCertificate()
    let second = fixture.pin
    #expect(second != first)
    #expect(try old.answersPing(nonce: 7))
    #expect(try SecureWireClient(port: port, pin: second).connects())
    #expect(try !SecureWireClient(port: port, pin: first).connects())
    try Data("nothing".utf8).write(to: URL(filePath: fixture.certificate?.certificate ?? ""))
    #expect(throws: TLSSetupError.self) { try server.reloadCertificate() }
    #expect(throws: TLSSetupError.self) { try server.reloadCertificate() }
    #expect(fixture.pin == second)
    #expect(try SecureWireClient(port: port, pin: second).connects())
    #expect(try old.answersPing(nonce: 8))
    let alarms = try await fixture.status().alarms
    #expect(
      alarms.contains { $0.contains("old one stays") && $0.contains("(2 times, ") }, "\(alarms)")
    await fixture.stop()
  }

  @Test func `resets in the middle of handshakes leave no connection behind`() async throws {
    let port = fixture.securedPort
    let hello: [UInt8] = [22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3]
    try await onThread {
      for _ in 0..<200 {
        let client = try WireClient(port: port)
        try client.send(bytes: hello)
        client.reset()
      }
    }
    try await closed("tlsAbandoned", count: 200)
    await fixture.stop()
  }

  /// Documentation addresses (RFC 5737) are none of this machine: what gets as far as the system's
  /// refusal was not refused before.
  @Test(arguments: [false, true])
  func `beyond loopback it takes a certificate or an explicit word`(isInsecure: Bool) async throws {
    let directory = try TemporaryDirectory()
    let elsewhere = try SocketAddress(parsing: "192.0.2.1:0")
    var configuration = ServerConfiguration(
      directory: "\(directory.path)/data", addresses: [elsewhere], limits: fixture.limits)
    configuration.isInsecure = isInsecure
    let server = try AuthorityServer(configuration) { _ in }
    if isInsecure {
      #expect(throws: ListenError.addressNotAvailable(elsewhere)) { try server.listen() }
    } else {
      #expect(throws: ServerStartError.self) { try server.listen() }
    }
    await server.stop()
    configuration.isInsecure = false
    configuration.certificate = fixture.certificate
    let secured = try AuthorityServer(configuration) { _ in }
    #expect(throws: ListenError.addressNotAvailable(elsewhere)) { try secured.listen() }
    await secured.stop()
    configuration.certificate = nil
    configuration.addresses = []
    configuration.securedAddresses = [try SocketAddress(parsing: "127.0.0.1:0")]
    let none = try AuthorityServer(configuration) { _ in }
    #expect(throws: ServerStartError.self) { try none.listen() }
    await none.stop()
    await fixture.stop()
  }
}
