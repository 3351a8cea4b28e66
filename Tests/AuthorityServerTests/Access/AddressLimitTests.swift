import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct AddressLimitTests {
  @Test func `an address has so many connections, greeted or not, until they end`() async throws {
    var limits = ServerLimits()
    limits.addressLimitsOnLoopback = 1
    limits.connectionsPerAddressMax = 3
    let fixture = try await Scene.server(limits: limits)
    var devices: [TestDevice] = []
    for name in ["a", "b", "c", "d"] {
      devices.append(try await fixture.device(.phone, name: name))
    }
    for device in devices.dropLast() { try device.connect() }
    let last = try #require(devices.last)
    // Turned away as often as it comes, and none of that counts for good.
    for _ in 1...5 {
      try last.begin()
      #expect(try last.goodbye().reason == .tooMany)
      last.disconnect()
    }
    for device in devices.dropLast() {
      let client = try #require(device.client)
      try device.send(.goodbye(Goodbye(.shuttingDown)))
      #expect(client.isClosedByPeer())
      device.disconnect()
      try last.connect()
      try device.begin()
      #expect(try device.goodbye().reason == .tooMany)
      device.disconnect()
      try last.send(.goodbye(Goodbye(.shuttingDown)))
      #expect(try #require(last.client).isClosedByPeer())
      last.disconnect()
      try device.connect()
    }
    await fixture.stop()
  }
}
