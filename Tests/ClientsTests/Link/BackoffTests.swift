import AuthorityLink
import Testing

struct BackoffTests {
  @Test func theBoundDoublesUpToTheCap() {
    var backoff = Backoff(firstMilliseconds: 250, maxMilliseconds: 30_000)
    var random = SplitMix64(seed: 1)
    var bounds: [Int64] = []
    for _ in 0..<9 {
      bounds.append(backoff.boundMilliseconds)
      _ = backoff.wait(using: &random)
    }
    #expect(bounds == [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  }

  @Test func aThousandFailuresOverflowNothing() {
    var backoff = Backoff(firstMilliseconds: .max, maxMilliseconds: 30_000)
    var random = SplitMix64(seed: 2)
    for _ in 0..<1_000 { #expect((0...30_000).contains(backoff.wait(using: &random))) }
  }

  @Test func theJitterIsFull() {
    var random = SplitMix64(seed: 3)
    let waits = (0..<1_000).map { _ in
      var backoff = Backoff(firstMilliseconds: 1_000, maxMilliseconds: 30_000)
      return backoff.wait(using: &random)
    }
    #expect(waits.contains { $0 < 100 } && waits.contains { $0 > 900 })
    #expect(waits.reduce(0, +) / 1_000 > 400 && waits.reduce(0, +) / 1_000 < 600)
  }

  @Test func afterAResetItBeginsAnew() {
    var backoff = Backoff(firstMilliseconds: 250, maxMilliseconds: 30_000)
    var random = SplitMix64(seed: 4)
    for _ in 0..<5 { _ = backoff.wait(using: &random) }
    backoff.reset()
    #expect(backoff.boundMilliseconds == 250)
  }

  @Test func aSeedDecidesTheSequence() {
    // Reference values: https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64
    var random = SplitMix64(seed: 1_234_567)
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
  }
}
