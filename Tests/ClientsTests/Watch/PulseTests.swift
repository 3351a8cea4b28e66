import Guards
import TestSupport
import Testing
import Transport
import WatchTransfer

@testable import AuthorityLink
@testable import WatchClient

/// Live values of a whole watch, over real sockets, against a scripted authority.
@Suite(.timeLimit(.minutes(1))) struct PulseTests {
  private let directory = TemporaryDirectory()
  private let authority = FakeAuthority()
  private let session = SessionID(high: 8, low: 1)

  private func watch(at address: SocketAddress) throws -> WatchClient {
    var link = LinkConfiguration(address: address, token: [UInt8](repeating: 1, count: 32))
    link.firstBackoffMilliseconds = 5
    link.backoffMaxMilliseconds = 50
    return try WatchClient(
      WatchConfiguration(link: link, directory: directory.path + "/watch"))
  }

  @Test func `a pulse is sent at once and never queued; without a connection it is gone`()
    async throws
  {
    let heard = Lock<[Pulse]>([])
    let server = try await FakeServer.start { [authority] _, message in
      if case .pulse(let pulse) = message { heard.withLock { $0.append(pulse) } }
      return authority.answer(message)
    }
    let watch = try watch(at: server.address)
    #expect(await !watch.pulse(session, heartRate: 90), "nobody is there to hear it")
    let events = await watch.events()
    await watch.start()
    for await event in events { if case .connected = event { break } }
    #expect(await watch.pulse(session, heartRate: 142, energyKilocalories: 3))
    // What makes no sense is left out, and what says nothing then is not sent.
    #expect(await watch.pulse(session, heartRate: .nan, distanceMeters: 12))
    #expect(await !watch.pulse(session, heartRate: 401))
    #expect(await !watch.pulse(session, energyKilocalories: -1, distanceMeters: .infinity))
    #expect(await watch.pulse(session, heartRate: 0, cadenceMilliseconds: 0))
    #expect(await watch.queued.isEmpty)
    // The receipt of what follows comes when all of them were read.
    let number = try await watch.setTheme(.day)
    for await event in events {
      if case .receipt(let receipt) = event, receipt.number == number.number { break }
    }
    let pulses = heard.withLock { $0 }
    #expect(pulses.map(\.heartRate) == [142, nil, 0])
    #expect(pulses.map(\.energyKilocalories) == [3, nil, nil])
    #expect(pulses.map(\.distanceMeters) == [nil, 12, nil])
    #expect(pulses.map(\.cadenceMilliseconds) == [5_000, 5_000, 1_000])
    #expect(pulses.allSatisfy { $0.session == session && $0.measured.boot != nil })
    await watch.stop()
    #expect(await !watch.pulse(session, heartRate: 90))
    await server.stop()
  }

  @Test func `a surface that hears nothing more shows nothing from the expiry on`() {
    let noon = Instant(milliseconds: 1_800_000_000_000)
    let reading = LiveReading(
      session: session, recorder: DeviceID(high: 1, low: 1), observedAt: noon,
      cadenceMilliseconds: 5_000, staleAt: noon.advanced(milliseconds: 15_000),
      expiresAt: noon.advanced(milliseconds: 30_000), text: "142 bpm", spoken: "142 beats a minute")
    var state = SurfaceState.empty
    func live(after milliseconds: Int64) -> LiveReading? {
      // The device's clock is an hour behind.
      state.live(
        at: DeviceClock(wall: noon.advanced(milliseconds: milliseconds - 3_600_000)))
    }
    state.clockOffsetMilliseconds = 3_600_000
    #expect(live(after: 0) == nil)
    state.readings[.live] = .live(reading)
    #expect(live(after: 29_999) == reading)
    #expect(live(after: 30_000) == nil)
    state.readings[.live] = .live(nil)
    #expect(live(after: 0) == nil)
  }
}
