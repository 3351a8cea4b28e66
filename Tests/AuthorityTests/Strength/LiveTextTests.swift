import Testing
import WatchTransfer

@testable import Authority

/// What surfaces are told of a pulse, and whose is heard.
@Suite struct LiveTextTests {
  private func pulse(
    _ heartRate: Double? = nil, energy: Double? = nil, distance: Double? = nil,
    cadence: UInt32 = Pulse.cadenceDefault
  ) -> Pulse {
    Pulse(
      session: Gym.session, measured: DeviceClock(wall: Gym.noon), heartRate: heartRate,
      energyKilocalories: energy, distanceMeters: distance, cadenceMilliseconds: cadence)
  }

  private func live(_ pulse: Pulse, in account: TestAccount) -> LiveReading? {
    account.state.live(pulse, by: Devices.watch.id, observedAt: Gym.noon)
  }

  @Test func `values are rounded and in the person's units; 0 beats are no value`() {
    var account = Gym.running()
    let all = live(pulse(141.5, energy: 0, distance: 7_410), in: account)
    #expect(all?.text == "142 bpm, 0 kcal, 7.4 km")
    #expect(all?.spoken == "142 beats a minute, 0 kilocalories, 7.4 kilometers")
    #expect(all?.heartRate == 141.5, "the figure stays what was measured")
    #expect(live(pulse(0, energy: 12), in: account)?.text == "12 kcal")
    #expect(live(pulse(0, energy: 12), in: account)?.heartRate == nil)
    #expect(live(pulse(0), in: account) == nil)
    var change = PreferenceChange()
    change.units = .imperial
    account.act(.setPreferences(change), at: Gym.at(1))
    #expect(live(pulse(distance: 1_609.344), in: account)?.text == "1 mi")
    #expect(live(pulse(distance: 1_609.344), in: account)?.spoken == "1 mile")
  }

  @Test(
    arguments: [(1_000, 15, 30), (5_000, 15, 30), (10_000, 30, 60), (30_000, 90, 180)]
      as [(UInt32, Int64, Int64)])
  func `how long it is good follows from how often it comes`(
    cadence: UInt32, stale: Int64, expiry: Int64
  ) {
    let live = live(pulse(100, cadence: cadence), in: Gym.running())
    #expect(live?.staleAt == Gym.noon.advanced(milliseconds: stale * 1_000))
    #expect(live?.expiresAt == Gym.noon.advanced(milliseconds: expiry * 1_000))
    #expect(live?.isStale(at: Gym.at(0, stale)) == true)
    #expect(live?.isStale(at: Gym.at(0, stale - 1)) == false)
    #expect(live?.isExpired(at: Gym.at(0, expiry)) == true)
    #expect(live?.isExpired(at: Gym.at(0, expiry - 1)) == false)
  }

  @Test func `the recorder of the session that is shown is heard, and nobody else`() {
    var account = Gym.running()
    func isHeard(_ device: ActingDevice, _ session: SessionID = Gym.session) -> Bool {
      account.state.isRecorded(session, by: device.id)
    }
    #expect(isHeard(Devices.watch) && !isHeard(Gym.tablet))
    #expect(!isHeard(Devices.watch, .test(77)))
    account.session(.pause, at: Gym.at(1))
    #expect(isHeard(Devices.watch), "a heart goes on beating")
    account.act(.takeOverSession(session: Gym.session), by: Gym.tablet, at: Gym.at(2))
    #expect(isHeard(Gym.tablet) && !isHeard(Devices.watch))
    // A stub has no recorder, and is shown only while nothing runs.
    account.set(1, at: Gym.at(3), of: .test(78))
    #expect(!isHeard(Devices.watch, .test(78)) && isHeard(Gym.tablet))
    account.session(.finish, at: Gym.at(4), by: Gym.tablet)
    #expect(!isHeard(Gym.tablet) && !isHeard(Devices.watch, .test(78)))
  }
}
