import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

/// The server's wall clock is set by years.
@Suite(.timeLimit(.minutes(1))) struct ClockStepTests {
  private static let tenYears: Int64 = 10 * 366 * 86_400_000
  private static let steps = [tenYears, -2 * tenYears, tenYears + 1]

  /// Offers an act again: its receipt, or nil when it is settled.
  private func ask(_ act: Act, of device: TestDevice) throws -> Receipt? {
    try device.send(.act(act))
    return try device.wait { message -> Receipt?? in
      switch message {
      case .receipt(let receipt) where receipt.number == act.number: receipt
      case .settled(let settled) where settled.number == act.number: .some(nil)
      default: nil
      }
    }
  }

  @Test func `H1, H2: ten years forward and back again lose nothing and write little`()
    async throws
  {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    let phone = try await fixture.device(.phone)
    try watch.connect()
    try phone.connect()
    let act = watch.queue(Scene.goal(1))
    let receipt = try watch.settle(act)
    for step in Self.steps {
      let before = try await fixture.status()
      try await fixture.advanceClock(milliseconds: step)
      // Tokens and numbers do not depend on the clock. An outbox that was idle for 30 days, as this
      // one seems after the last step, keeps no receipts that it has confirmed (DESIGN section 4).
      let expected = step == Self.steps.last ? nil : receipt
      #expect(try ask(act, of: watch) == expected)
      try watch.connect()
      #expect(try ask(act, of: watch) == expected)
      let next = try watch.perform(.markWorkout(log: .random(), workout: .title("Row")))
      guard case .applied = next.outcome else {
        Issue.record("\(next.outcome)")
        continue
      }
      let after = try await fixture.status()
      #expect(after.entries - before.entries <= 6, "\(after.entries - before.entries) entries")
    }
    // Both surfaces end with the same state.
    for device in [watch, phone] { try device.connect(cursor: nil) }
    #expect(phone.state.contents(shownOn: .watch) == watch.state.contents)
    #expect(try await fixture.check().isEmpty)
    await fixture.stop()
    #expect(try fixture.offlineCheck().isEmpty)
  }
}
