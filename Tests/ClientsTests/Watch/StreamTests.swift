import TestSupport
import Testing
import Transport
import WatchTransfer

@testable import AuthorityLink
@testable import WatchClient

/// Streams whose consumers go away leave nothing.
@Suite(.timeLimit(.minutes(1)), .serialized)
struct StreamTests {
  private let directory = TemporaryDirectory()

  @Test func aCancelledConsumerIsForgotten() async throws {
    let broadcast = Broadcast<Int>()
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    let consumer = Task {
      for await _ in broadcast.stream(buffering: .unbounded, first: 0) { continuation.yield() }
    }
    for await _ in started { break }
    #expect(broadcast.count == 1)
    consumer.cancel()
    await consumer.value
    #expect(broadcast.count == 0)
  }

  @Test func aStreamThatIsDroppedIsForgotten() {
    let broadcast = Broadcast<Int>()
    for _ in 0..<100 { _ = broadcast.stream(buffering: .unbounded) }
    #expect(broadcast.count == 0)
  }

  @Test func everyStreamGetsEveryValueOnce() async {
    let broadcast = Broadcast<Int>()
    let streams = (0..<3).map { _ in broadcast.stream(buffering: .unbounded) }
    for number in 1...5 { broadcast.send(number) }
    broadcast.finish()
    for stream in streams {
      var values: [Int] = []
      for await value in stream { values.append(value) }
      #expect(values == [1, 2, 3, 4, 5])
    }
    for await _ in broadcast.stream(buffering: .unbounded) { Issue.record("finished") }
  }

  @Test func aSlowConsumerOfStatesSeesTheNewest() async {
    let broadcast = Broadcast<Int>()
    let stream = broadcast.stream(buffering: .bufferingNewest(1), first: 0)
    for number in 1...100 { broadcast.send(number) }
    broadcast.finish()
    var values: [Int] = []
    for await value in stream { values.append(value) }
    #expect(values == [100])
  }

  @Test func cancelledConsumersLeaveNoStreamAndNoDescriptorInTheClient() async throws {
    let authority = FakeAuthority()
    let socket = directory.path + "/socket"
    let server = try await FakeServer.start(path: socket) { _, message in
      authority.answer(message)
    }
    let watch = try WatchClient(
      WatchConfiguration(
        link: LinkConfiguration(
          address: server.address, token: [UInt8](repeating: 1, count: 32)),
        directory: directory.path + "/watch"))
    var events = await watch.events().makeAsyncIterator()
    await watch.start()
    while let event = await events.next(isolation: nil) {
      if case .update = event { break }
    }
    for _ in 0..<10 {
      let consumers = [
        Task { for await _ in await watch.states() {} },
        Task { for await _ in await watch.cues() {} },
        Task { for await _ in await watch.events() {} },
      ]
      for consumer in consumers {
        consumer.cancel()
        await consumer.value
      }
    }
    #expect(watch.stateBroadcast.count == 0)
    #expect(watch.cueBroadcast.count == 0)
    #expect(watch.eventBroadcast.count == 1)
    await watch.stop()
    #expect(openDescriptors(under: directory.path + "/watch") == 0)
    await server.stop()
  }

  @Test func aClientThatIsStoppedAndDroppedIsGone() async throws {
    let before = openDescriptors(under: "")
    for _ in 0..<100 {
      weak var gone: WatchClient?
      do {
        let watch = try WatchClient(
          WatchConfiguration(
            link: LinkConfiguration(
              address: try SocketAddress(parsing: "unix:" + directory.path + "/nobody"),
              token: [UInt8](repeating: 1, count: 32)),
            directory: directory.path + "/watch"))
        await watch.start()
        await watch.stop()
        gone = watch
      }
      // The queue may still hold it for the rest of its last job.
      while gone != nil { await Task.yield() }
    }
    #expect(openDescriptors(under: directory.path) == 0)
    // Other tests run beside this one and have descriptors too; a leak would be 100 and more.
    #expect(openDescriptors(under: "") < before + 80)
  }
}
