import AuthorityServer
import Storage
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct ReadingTests {
  /// When updates with readings came, by the machine's clock, while `body` runs.
  private func readings(of device: TestDevice, until body: (TestDevice) -> Bool) throws -> [Int64] {
    var times: [Int64] = []
    while !body(device) {
      if case .update(let update) = try device.next(), !update.readings.isEmpty {
        times.append(TestClock.machineMilliseconds())
      }
    }
    return times
  }

  @Test func `a connecting surface is told who is there and what did not take effect`() async throws
  {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    let watch = try await fixture.device(.watch, name: "Anna's watch")
    try phone.connect()
    try watch.connect()
    try watch.perform(.unscheduleWorkout(id: .random()))
    try phone.connect()
    while phone.shownPresence?.count(where: \.isPresent) != 2 || phone.shownDelivery == nil {
      _ = try phone.next()
    }
    let shown = try #require(phone.shownPresence?.first { $0.device == watch.welcome?.device })
    #expect(shown.name == "Anna's watch")
    #expect(shown.kind == .watch)
    #expect(shown.isPresent)
    #expect(shown.pending == 0)
    #expect(phone.shownDelivery?.refused == 1)
    let entry = try #require(phone.shownDelivery?.newest.first)
    #expect(entry.deviceName == "Anna's watch")
    #expect(entry.outcome == "refused" && entry.reason == "notFound" && entry.number == 1)
    await fixture.stop()
  }

  @Test func `a paired device that nobody has seen since the start is listed as absent`()
    async throws
  {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    let watch = try await fixture.device(.watch, name: "Wrist")
    try watch.connect()
    try await fixture.restart()
    try phone.connect()
    while phone.shownPresence == nil { _ = try phone.next() }
    let shown = try #require(phone.shownPresence?.first { $0.device == watch.welcome?.device })
    #expect(shown.name == "Wrist" && !shown.isPresent && shown.pending == 0)
    // Revoked, it is listed no more.
    try await fixture.revoke("Wrist")
    while phone.shownPresence?.count != 1 { _ = try phone.next() }
    await fixture.stop()
  }

  @Test func `readings leave at most once a second, with the newest value`() async throws {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    let watch = try await fixture.device(.watch)
    try phone.connect()
    try watch.connect()
    while phone.shownPresence?.count(where: \.isPresent) != 2 { _ = try phone.next() }
    let start = TestClock.machineMilliseconds()
    for pending: UInt64 in 1...30 {
      try watch.send(.ping(Ping(nonce: pending, pending: pending)))
    }
    try watch.sync()
    func pending(_ device: TestDevice) -> UInt64? {
      device.shownPresence?.first { $0.device == watch.welcome?.device }?.pending
    }
    var times = try readings(of: phone) { pending($0) == 30 }
    #expect(times.count <= 2)
    try watch.send(.ping(Ping(nonce: 31, pending: 31)))
    times += try readings(of: phone) { pending($0) == 31 }
    for (earlier, later) in zip(times, times.dropFirst()) { #expect(later - earlier >= 900) }
    #expect(TestClock.machineMilliseconds() - start < 10_000)
    await fixture.stop()
  }

  @Test func `readings come only when something that is shown changed`() async throws {
    let fixture = try await Scene.server()
    try await fixture.addAccount("ben")
    let phone = try await fixture.device(.phone)
    let watch = try await fixture.device(.watch)
    let ben = try await fixture.device(.phone, account: "ben")
    for device in [phone, watch, ben] { try device.connect() }
    while phone.shownPresence?.count(where: \.isPresent) != 2 { _ = try phone.next() }
    while ben.shownPresence == nil { _ = try ben.next() }
    try phone.sync()
    let known = phone.log.count
    // It is gone for a moment, within its lease, comes back, and does what readings do not show.
    watch.disconnect()
    try watch.connect()
    try watch.perform(Scene.goal(1))
    try watch.send(.ping(Ping(nonce: 1, pending: 0)))
    try watch.sync()
    try awaitTwoSweeps(of: fixture, ben: ben)
    try phone.sync()
    let told = phone.log[known...].contains {
      if case .update(let update) = $0 { !update.readings.isEmpty } else { false }
    }
    #expect(!told)
    await fixture.stop()
  }

  /// Waits until readings have been sent twice: another account's are sent in the same sweeps.
  private func awaitTwoSweeps(of fixture: ServerFixture, ben: TestDevice) throws {
    for pending: UInt64 in 1...2 {
      try ben.send(.ping(Ping(nonce: pending, pending: pending)))
      while ben.shownPresence?.first?.pending != pending { _ = try ben.next() }
    }
  }

  @Test func `a device whose lease has run out is shown as gone, and as back when it is heard`()
    async throws
  {
    var limits = ServerLimits()
    limits.leaseMilliseconds = 1_500
    limits.idleMilliseconds = 3_000
    let fixture = try await Scene.server(limits: limits)
    let phone = try await fixture.device(.phone)
    let watch = try await fixture.device(.watch)
    try phone.connect()
    try watch.connect()
    func isPresent() -> Bool? {
      phone.shownPresence?.first { $0.device == watch.welcome?.device }?.isPresent
    }
    func wait(until present: Bool) throws {
      while isPresent() != present {
        _ = try phone.next()
        // The phone's own lease runs on.
        try phone.send(.ping(Ping(nonce: 1)))
      }
    }
    try wait(until: true)
    watch.client?.reset()
    try wait(until: false)
    try watch.connect()
    try wait(until: true)
    await fixture.stop()
  }

  @Test func `readings of an account that never rests are sent all the same`() async throws {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    let watch = try await fixture.device(.watch)
    let held = Gate()
    try phone.connect()
    try watch.connect()
    // From here on a batch of the account is always on its way to the disk.
    fixture.faults.holdAppends { held.open() }
    try watch.offer(.unscheduleWorkout(id: .random()))
    try held.wait()
    let start = TestClock.machineMilliseconds()
    while phone.shownDelivery?.refused != 1 {
      let act = watch.queue(Scene.goal(Int(watch.outbox.next)))
      try watch.send(.act(act))
      try watch.sync()
      fixture.faults.letOneAppendGo()
      try held.wait()
      watch.outbox.confirmed = act.number - 1
      try phone.sync()
      try #require(TestClock.machineMilliseconds() - start < 10_000)
    }
    fixture.faults.letAppendsGo()
    await fixture.stop()
  }
}
