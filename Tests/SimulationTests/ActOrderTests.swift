import Testing
import WatchTransfer

@testable import Simulation

/// The later of two acts of one device is the later one (DESIGN section 4, "Time").
@Suite(.timeLimit(.minutes(1))) struct ActOrderTests {
  @Test func `a device's later choice wins, though its clock is measured better in between`() throws
  {
    let stage = try PulseStage()
    let occurred = stage.clock(of: stage.phone)
    // What is known of the clock at first is late by the way that the greeting takes.
    stage.greet(stage.phone, wait: 0)
    stage.act(stage.phone, .setTheme(mode: .night), occurred: occurred)
    var later = occurred
    later.boot?.milliseconds += 1
    stage.act(stage.phone, .setTheme(mode: .day), occurred: later)
    let outcomes = stage.log(stage.phone).compactMap { heard -> Outcome? in
      if case .receipt(let receipt) = heard.message { receipt.outcome } else { nil }
    }
    #expect(outcomes == [.applied(2), .applied(3)])
    #expect(stage.end() == nil)
  }
}
