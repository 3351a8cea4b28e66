import Guards
import TestSupport
import Testing
import Transport
import WatchTransfer
import WireFormat

@testable import AuthorityLink

/// Which of its secrets a device is known by: asked of a server that knows some.
@Suite(.timeLimit(.minutes(1)))
struct PairingSettlementTests {
  /// Knows tokens, and redeems codes, as the specification says.
  private final class Registry: Sendable {
    struct State {
      var known: Set<[UInt8]> = []
      var codes: Set<PairingCode> = []
      var isMute = false
      var greetings = 0
    }
    let state = Lock(State())

    func answer(_ message: ClientMessage) -> [FakeServer.Answer] {
      guard case .hello(let hello) = message else { return [] }
      return state.withLock { state in
        state.greetings += 1
        if let code = hello.code, !state.known.contains(hello.token) {
          guard state.codes.remove(code) != nil else {
            return [.say(.goodbye(Goodbye(.codeRefused, comeBack: false)))]
          }
          state.known.insert(hello.token)
        }
        if state.isMute { return [.close] }
        let isKnown = state.known.contains(hello.token)
        return [
          .say(isKnown ? .welcome(welcome()) : .goodbye(Goodbye(.unauthenticated, comeBack: false)))
        ]
      }
    }
  }

  private let directory = TemporaryDirectory()
  private let registry = Registry()
  private let good = PairingCode(number: 1)
  private let bad = PairingCode(number: 2)

  private var store: PairingStore { PairingStore(directory: directory.path + "/wrist") }

  private func server() async throws -> FakeServer {
    registry.state.withLock { $0.codes = [good] }
    let registry = registry
    return try await FakeServer.start { _, message in registry.answer(message) }
  }

  private func settle(
    _ code: PairingCode? = nil, at server: FakeServer
  ) async throws -> PairingStore.Settlement {
    try await store.settle(code, at: LinkConfiguration(address: server.address, token: []))
  }

  private func token(
    _ settlement: PairingStore.Settlement
  ) -> [UInt8]? {
    if case .credential(.token(let token)) = settlement { token } else { nil }
  }

  @Test func aMistypedCodeCostsNothing() async throws {
    let server = try await server()
    #expect(try await settle(at: server) == .unpaired)
    let paired = try #require(token(try await settle(good, at: server)))
    #expect(try await settle(bad, at: server) == .codeRefused)
    // It is not tried again, and the device is what it was.
    let before = registry.state.withLock { $0.greetings }
    #expect(try await settle(at: server) == .credential(.token(paired)))
    #expect(registry.state.withLock { $0.greetings } == before)
    await server.stop()
  }

  @Test(arguments: [false, true])
  func aLostWelcomeLocksNobodyOut(wasPairedBefore: Bool) async throws {
    let server = try await server()
    if wasPairedBefore {
      let old = try store.credential(for: PairingCode(number: 3))
      try store.welcomed(old)
    }
    registry.state.withLock { $0.isMute = true }
    // Redeemed, and nobody is told.
    guard case .credential(.code(good, let secret)) = try await settle(good, at: server) else {
      Issue.record("no answer is no answer")
      return
    }
    #expect(registry.state.withLock { $0.known } == [secret])
    registry.state.withLock { $0.isMute = false }
    // What worked before may be revoked by now; another code was mistyped meanwhile.
    #expect(try await settle(bad, at: server) == .codeRefused)
    let found = try await settle(at: server)
    if wasPairedBefore {
      #expect(found == .credential(.token(secret)))
      #expect(try store.credentials() == [.token(secret)])
    } else {
      // The only one there is: its own greeting shows whether it is good.
      #expect(found == .credential(.code(good, secret: secret)))
    }
    await server.stop()
  }

  @Test func whereNobodyAnswersThePairingThatWorkedIsUsed() async throws {
    let server = try await server()
    let paired = try #require(token(try await settle(good, at: server)))
    let open = try store.credential(for: bad)
    await server.stop()
    #expect(try await settle(at: server) == .credential(.token(paired)))
    #expect(try store.credentials() == [open, .token(paired)])
    // A code that is given is what is meant.
    #expect(try await settle(bad, at: server) == .credential(open))
  }
}
