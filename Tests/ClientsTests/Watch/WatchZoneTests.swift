import Guards
import TestSupport
import Testing
import Transport
import WatchTransfer
import WireFormat

@testable import AuthorityLink
@testable import WatchClient

/// The account's zone follows the device's, by an action that the library sends.
@Suite(.timeLimit(.minutes(1)))
struct WatchZoneTests {
  private let directory = TemporaryDirectory()
  private let authority = FakeAuthority()
  private let zone = Lock<String?>("Europe/Berlin")

  private func watch(at address: SocketAddress, token: UInt8 = 1) throws -> WatchClient {
    var link = LinkConfiguration(address: address, token: [UInt8](repeating: token, count: 32))
    link.firstBackoffMilliseconds = 5
    link.backoffMaxMilliseconds = 50
    return try WatchClient(
      WatchConfiguration(
        link: link, directory: directory.path + "/watch",
        zone: { [zone] in zone.withLock { $0 }.map { ZoneStamp(id: $0, offsetSeconds: 3_600) } }))
  }

  private func nowhere() throws -> SocketAddress {
    try SocketAddress(parsing: "unix:" + directory.path + "/nobody")
  }

  private func move(to id: String?) { zone.withLock { $0 = id } }

  private func actions(_ watch: WatchClient) async -> [Action?] { await watch.queued.map(\.action) }

  @Test func aDeviceThatStaysTellsNothing() async throws {
    for _ in 1...2 {
      let watch = try watch(at: nowhere())
      await watch.start()
      await watch.zoneMayHaveChanged()
      #expect(await watch.queued.isEmpty)
      await watch.stop()
    }
    // Nor does one whose zone is not known for a while.
    move(to: nil)
    let watch = try watch(at: nowhere())
    await watch.zoneMayHaveChanged()
    move(to: "Europe/Berlin")
    await watch.zoneMayHaveChanged()
    #expect(await watch.queued.isEmpty)
    await watch.stop()
  }

  @Test func aMoveIsToldOnceAndBeforeWhatIsDoneThere() async throws {
    let watch = try watch(at: nowhere())
    await watch.zoneMayHaveChanged()
    move(to: "Asia/Tokyo")
    let number = try await watch.setGoal("steps", to: 1).number
    #expect(number == 2)
    await watch.zoneMayHaveChanged()
    #expect(
      await actions(watch) == [.setZone(id: "Asia/Tokyo"), .setGoal(name: "steps", value: 1)])
    await watch.stop()
  }

  @Test func aMoveWhileTheProgramWasGoneIsToldAtTheNextStart() async throws {
    let before = try watch(at: nowhere())
    await before.zoneMayHaveChanged()
    await before.stop()
    move(to: "Asia/Tokyo")
    let server = try await FakeServer.start { [authority] _, message in authority.answer(message) }
    let after = try watch(at: server.address)
    var events = await after.events().makeAsyncIterator()
    await after.start()
    while let event = await events.next(isolation: nil) {
      if case .receipt = event { break }
    }
    let bodies = authority.applied
    let body = try MessageDecoder().decodeActionBody(try #require(bodies.first))
    #expect(bodies.count == 1)
    #expect(body.action == .setZone(id: "Asia/Tokyo"))
    #expect(body.zone?.id == "Asia/Tokyo")
    await after.stop()
    await server.stop()
  }

  @Test func theZoneOutlivesARewrittenOutbox() throws {
    let path = directory.path + "/outbox"
    var outbox = try Outbox(path: path, fresh: incarnation(1))
    try outbox.move(to: Array("Asia/Tokyo".utf8), telling: nil, fresh: { incarnation(2) })
    _ = try outbox.take { _ in OutboxMachine.Reaction(mustRewrite: true) }
    #expect(Outbox.peek(path: path)?.zone == Array("Asia/Tokyo".utf8))
  }

  @Test func aMoveIsToldAlsoWhenTheDeviceWasPairedAnewMeanwhile() async throws {
    let server = try await FakeServer.start { [authority] _, message in authority.answer(message) }
    let before = try watch(at: server.address)
    var events = await before.events().makeAsyncIterator()
    await before.start()
    _ = try await before.setGoal("steps", to: 1)
    while let event = await events.next(isolation: nil) {
      if case .receipt = event { break }
    }
    await before.stop()
    move(to: "Asia/Tokyo")
    let after = try watch(at: server.address, token: 2)
    events = await after.events().makeAsyncIterator()
    await after.start()
    while let event = await events.next(isolation: nil) {
      if case .receipt = event { break }
    }
    let body = try MessageDecoder().decodeActionBody(try #require(authority.applied.last))
    #expect(body.action == .setZone(id: "Asia/Tokyo"))
    await after.stop()
    await server.stop()
  }

  @Test func anotherTokenBeginsWhereItIsFirstSeen() async throws {
    let first = try watch(at: nowhere())
    await first.zoneMayHaveChanged()
    await first.stop()
    move(to: "Asia/Tokyo")
    let second = try watch(at: nowhere(), token: 2)
    await second.zoneMayHaveChanged()
    #expect(await second.queued.isEmpty)
    await second.stop()
  }
}
