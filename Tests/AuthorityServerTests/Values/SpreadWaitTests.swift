import Testing
import WatchTransfer

@testable import AuthorityServer

/// Fault E7: many who are told to come back do not come at the same moment.
@Suite struct SpreadWaitTests {
  @Test(arguments: [1_000, 5_000, 60_000] as [UInt32], [false, true])
  func `of a thousand no tenth of the time has more than its share twice`(
    wait: UInt32, isCounted: Bool
  ) {
    var tenths = [Int](repeating: 0, count: 10)
    for index in 0..<1_000 as Range<UInt64> {
      // Arrivals are counted, ids of devices are random.
      let key = isCounted ? index : DeviceID.random().low
      let told = spreadWait(wait, by: key)
      #expect(told >= wait && told < 2 * wait)
      #expect(told == spreadWait(wait, by: key))
      tenths[Int((told - wait) * 10 / wait)] += 1
    }
    #expect(tenths.allSatisfy { (50...200).contains($0) }, "\(tenths)")
  }

  @Test func `no wait stays none, and the longest does not overflow`() {
    #expect(spreadWait(0, by: 7) == 0)
    #expect(spreadWait(.max, by: 7) == .max)
    #expect(Hold.Reason.gap(expected: 3).spread(by: 5) == .gap(expected: 3))
  }
}
