import CLinux
import Glibc
import Testing

@testable import Transport

/// What storms and shortage do to the whole process; each in a process of its own.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ExhaustionTests {
  /// How many resets: WRISTWIRE_RESETS, 10,000 unless set. 100,000 is the full measure.
  static var resetCount: Int {
    getenv("WRISTWIRE_RESETS").flatMap { Int(String(cString: $0)) } ?? 10_000
  }

  @Test("A storm of resets costs neither descriptors nor the other connections")
  func resets() async {
    await #expect(processExitsWith: .success) {
      let owner = try EchoOwner()
      let listener = try await owner.start(at: try SocketAddress(parsing: "127.0.0.1:0"))
      let echo = try Peer.connected(to: listener.boundAddress)
      await owner.holds(1)
      let baseline = try Descriptors.count()
      for round in 0..<ExhaustionTests.resetCount {
        let peer = try Peer.connected(to: listener.boundAddress)
        // Before a byte, after some, and with the answer under way.
        if round % 3 > 0 { peer.write([1, 2, 3, 4, 5]) }
        if round % 3 > 1 { _ = peer.read() }
        peer.reset()
        if round % 100 == 0 {
          echo.write([UInt8(truncatingIfNeeded: round)])
          #expect(echo.read() == [UInt8(truncatingIfNeeded: round)])
        }
      }
      echo.write([7])
      #expect(echo.read() == [7])
      // Those reset before they were accepted may never have been.
      await owner.holds(1)
      #expect(try Descriptors.settledCount() == baseline)
      #expect(listener.counts.accepted > ExhaustionTests.resetCount / 2)
      listener.close()
    }
  }

  @Test("Out of descriptors a listener refuses and pauses, and connections go on")
  func starvation() async {
    await #expect(processExitsWith: .success) {
      let (starvations, continuation) = AsyncStream<Starvation>.makeStream()
      var starved = starvations.makeAsyncIterator()
      let owner = try EchoOwner()
      let listener = try await owner.start(at: try SocketAddress(parsing: "127.0.0.1:0")) {
        continuation.yield($0)
      }
      let echo = try Peer.connected(to: listener.boundAddress)
      await owner.holds(1)
      let clients = try (0..<20).map { _ in try UnconnectedClient() }
      let limit = try DescriptorLimit.current()
      let fillers = try Descriptors.exhaust()
      let turnsBefore = await owner.turnCount
      for round in 0..<5 {
        clients[round].connect(to: listener.boundAddress)
        let starvation = try #require(await starved.next())
        #expect(starvation.error == SystemError(.tooManyFiles, call: "accept4"))
        #expect(starvation.refused == 1)
        #expect(starvation.inARow == round + 1)
        let pauses = [100, 200, 400, 800, 1_000]
        #expect(starvation.pause == .milliseconds(pauses[round]))
        #expect(clients[round].peer.read() == nil, "the peer learns it at once")
        echo.write([UInt8(round)])
        #expect(echo.read() == [UInt8(round)])
      }
      #expect(listener.counts.attempts < 20, "no spinning")
      #expect(await owner.turnCount - turnsBefore < 30)
      for filler in fillers { close(filler) }
      try DescriptorLimit.set(soft: limit.soft)
      clients[10].connect(to: listener.boundAddress)
      await owner.holds(2)
      #expect(listener.counts.refusedStarved == 5)
      listener.close()
    }
  }

  @Test("A pool that is released closes all it had open")
  func release() async {
    await #expect(processExitsWith: .success) {
      let baseline = try Descriptors.settledCount()
      do {
        let driver = try PoolDriver()
        let connections = try (0..<10).map { _ in try driver.connection() }
        #expect(try Descriptors.settledCount() == baseline + 21)
        withExtendedLifetime(connections) {}
      }
      #expect(try Descriptors.count() == baseline)
    }
  }

  @Test("Without descriptors a listener and a connect fail with the reason")
  func noDescriptor() async {
    await #expect(processExitsWith: .success) {
      let address = try SocketAddress(parsing: "127.0.0.1:0")
      let driver = try PoolDriver()
      let fillers = try Descriptors.exhaust()
      let error = SystemError(.tooManyFiles, call: "socket")
      #expect(throws: ListenError.system(error)) { _ = try ListeningSocket(at: address) }
      #expect(throws: error) { _ = try driver.pool.connect(to: address) }
      #expect(throws: SystemError(.tooManyFiles, call: "epoll_create1")) {
        _ = try ConnectionPool()
      }
      for filler in fillers { close(filler) }
    }
  }

  @Test("A write into a closed socket raises no signal")
  func noSignal() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let driver = try PoolDriver()
      let (id, peer) = try driver.connection(.unix)
      peer.close()
      driver.pool.send(id, [1])
      driver.pool.flush()
      driver.turn { driver.closeReason(of: id) != nil }
    }
  }
}

/// A client whose socket exists before the descriptors run out.
struct UnconnectedClient {
  let peer: Peer

  init() throws {
    peer = Peer(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    try #require(peer.descriptor >= 0)
  }

  func connect(to address: SocketAddress) {
    let system = address.systemAddress
    withUnsafePointer(to: system.storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        #expect(Glibc.connect(peer.descriptor, $0, system.length) == 0)
      }
    }
  }
}
