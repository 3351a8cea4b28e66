import Dispatch
import Glibc
import Testing

@testable import Transport

/// Executor, timer, signals, clocks.
@Suite(.timeLimit(.minutes(1)))
struct SchedulingTests {
  private actor Owner {
    let executor = SerialQueueExecutor(label: "owner")
    private(set) var count = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      executor.asUnownedSerialExecutor()
    }

    func increment() -> Int {
      executor.queue.checkIsolated()
      count += 1
      return count
    }
  }

  @Test("An actor's calls and its queue's handlers run on one queue")
  func executor() async {
    let owner = Owner()
    #expect(await owner.increment() == 1)
    await withCheckedContinuation { continuation in
      owner.executor.queue.async {
        _ = owner.assumeIsolated { $0.increment() }
        continuation.resume()
      }
    }
    #expect(await owner.count == 2)
  }

  @Test("A tick comes again and again until cancelled")
  func tick() async {
    let (ticks, continuation) = AsyncStream<Void>.makeStream()
    let timer = TickTimer(every: .milliseconds(1), on: DispatchQueue(label: "tick")) {
      continuation.yield()
    }
    var iterator = ticks.makeAsyncIterator()
    for _ in 0..<3 { await iterator.next() }
    timer.cancel()
  }

  @Test("Ticks go on when the process is out of descriptors")
  func tickWithoutDescriptors() async {
    await #expect(processExitsWith: .success) {
      let queue = DispatchQueue(label: "tick")
      let (ticks, continuation) = AsyncStream<Void>.makeStream()
      var iterator = ticks.makeAsyncIterator()
      let first = TickTimer(every: .milliseconds(1), on: queue) { continuation.yield() }
      await iterator.next()
      first.cancel()
      let fillers = try Descriptors.exhaust()
      let second = TickTimer(every: .milliseconds(1), on: queue) { continuation.yield() }
      for _ in 0..<20 { await iterator.next() }
      second.cancel()
      for filler in fillers { close(filler) }
    }
  }

  @Test("Signals are events and do not end the process")
  func signals() async {
    await #expect(processExitsWith: .success) {
      let (signals, continuation) = AsyncStream<HandledSignal>.makeStream()
      let source = SignalSource(on: DispatchQueue(label: "signals")) { continuation.yield($0) }
      var iterator = signals.makeAsyncIterator()
      for signal in HandledSignal.allCases {
        kill(getpid(), signal.rawValue)
        #expect(await iterator.next() == signal)
      }
      source.cancel()
    }
  }

  @Test("A broken pipe is an error and does not end the process")
  func brokenPipe() async {
    await #expect(processExitsWith: .success) {
      ignoreBrokenPipes()
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0)
      close(ends[0])
      #expect(write(ends[1], "x", 1) == -1 && errno == EPIPE)
    }
  }

  @Test("Instants count on, and spans beyond the clock's range do not trap")
  func instants() {
    let first = MonotonicInstant.now()
    let second = MonotonicInstant.now()
    #expect(first <= second)
    #expect(first.advanced(by: .seconds(2)).duration(to: first) == .seconds(-2))
    #expect(first.advanced(by: .seconds(Int64.max)).nanoseconds == .max)
    #expect(first.advanced(by: .seconds(Int64.min)) < first)
    #expect(MonotonicInstant.sinceBoot() > .zero)
  }

  @Test("The descriptor limit can be raised to the hard one")
  func descriptorLimit() async throws {
    let limit = try DescriptorLimit.current()
    #expect(limit.soft <= limit.hard)
    #expect(limit.connectionsMax == Int(limit.soft) - 64)
    await #expect(processExitsWith: .success) {
      try DescriptorLimit.set(soft: 50)
      #expect(try DescriptorLimit.current().connectionsMax == 0)
      let raised = try DescriptorLimit.raiseToHard()
      #expect(raised.soft == raised.hard)
      #expect(try DescriptorLimit.current() == raised)
    }
  }

  @Test("A pool on a queue takes a turn when there is work, and none at rest")
  func poolOnAQueue() async {
    await #expect(processExitsWith: .success) {
      let owner = try EchoOwner()
      let listener = try await owner.start(at: try SocketAddress(parsing: "127.0.0.1:0"))
      let peer = try Peer.connected(to: listener.boundAddress)
      await owner.holds(1)
      for byte in 0..<100 as Range<UInt8> {
        peer.write([byte])
        #expect(peer.read() == [byte])
      }
      #expect(await owner.turnCount < 250)
      peer.finish()
      #expect(peer.read() == nil)
      await owner.holds(0)
      #expect(await owner.closedCount == 1)
      listener.close()
    }
  }
}
