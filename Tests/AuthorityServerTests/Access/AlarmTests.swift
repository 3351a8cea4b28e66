import Guards
import TestSupport
import Testing
import WatchTransfer

@testable import AuthorityServer

@Suite(.timeLimit(.minutes(1))) struct AlarmTests {
  @Test func `an alarm that comes again and again only counts, and the oldest give way`() {
    let counters = Counters()
    counters.alarm("once")
    for _ in 1...1_000 { counters.alarm("again") }
    #expect(counters.alarms == ["once", "again (1000 times)"])
    for index in 1..<Counters.alarmsMax { counters.alarm("\(index)") }
    #expect(counters.alarms.count == Counters.alarmsMax)
    #expect(counters.alarms.first == "again (1000 times)")
  }

  @Test func `an alarm says when it came first and last`() {
    let seconds = Lock(Int64(0))
    let counters = Counters {
      Instant(milliseconds: seconds.withLock { $0 } * 1_000)
    }
    counters.alarm("once")
    counters.alarm("again")
    for second in 1...3 as ClosedRange<Int64> {
      seconds.withLock { $0 = second }
      counters.alarm("again")
    }
    #expect(
      counters.alarms == [
        "once (1970-01-01T00:00:00Z)",
        "again (4 times, first 1970-01-01T00:00:00Z, last 1970-01-01T00:00:03Z)",
      ])
  }

  @Test func `a device cannot flush the alarms, and receipts that are not here raise one`()
    async throws
  {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    phone.greeted = [
      IncarnationState(
        incarnation: phone.outbox.incarnation, confirmed: 49, oldest: 1, next: 50)
    ]
    try phone.connect()
    let epoch = try #require(phone.state.epoch)
    for _ in 1...100 {
      let ahead = Cursor(epoch: epoch, revision: 99, facetSet: phone.kind.facetSet)
      try phone.resume(after: ahead)
      try phone.sync()
    }
    for oldest: ActionNumber in 2...40 {
      phone.greeted = [
        IncarnationState(
          incarnation: phone.outbox.incarnation, confirmed: 49, oldest: oldest, next: 50)
      ]
      phone.disconnect()
      try phone.connect(cursor: nil)
    }
    let alarms = try await fixture.status().alarms
    #expect(alarms.count == 3, "\(alarms)")
    #expect(alarms.contains { $0.contains("are lost; see its delivery (39 times, first ") })
    #expect(alarms.contains { $0.contains("receipts that are not here") })
    #expect(alarms.contains { $0.contains("(100 times, first ") })
    await fixture.stop()
  }

  @Test func `an account that the list of devices does not know raises an alarm`() async throws {
    let fixture = try await Scene.server()
    await fixture.stop()
    let other = try await Scene.server()
    await other.stop()
    try fixture.replaceJournal(from: other.dataPath)
    try fixture.start()
    let alarms = try await fixture.status().alarms
    #expect(alarms.contains { $0.contains("not in devices.db") }, "\(alarms)")
    await fixture.stop()
  }
}
