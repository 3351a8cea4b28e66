import Testing

@testable import AuthorityServer

@Suite struct TokenBucketTests {
  /// How many can be taken now.
  func taken(from bucket: inout TokenBucket, at now: Int64, perSecond: Int, burst: Int) -> Int {
    var count = 0
    while bucket.take(at: now, perSecond: perSecond, burst: burst) { count += 1 }
    return count
  }

  @Test(arguments: [1, 2, 100]) func `a burst is taken at once, and no more`(burst: Int) {
    var bucket = TokenBucket()
    #expect(taken(from: &bucket, at: 5_000, perSecond: 1, burst: burst) == burst)
  }

  @Test(
    arguments: [
      (1, 250), (1, 1_000), (3, 1_000), (10, 7), (700, 1), (1_500, 1), (1_999, 3), (2_000, 1),
    ] as [(Int, Int64)])
  func `in the long run as many are taken as come back`(perSecond: Int, step: Int64) {
    var bucket = TokenBucket()
    // Empty from the start.
    _ = taken(from: &bucket, at: 1_000, perSecond: perSecond, burst: perSecond)
    var count = 0
    let seconds: Int64 = 20
    for now in stride(from: 1_000 + step, through: 1_000 + seconds * 1_000, by: Int(step)) {
      count += taken(from: &bucket, at: now, perSecond: perSecond, burst: perSecond)
    }
    let whole = (seconds * 1_000 / step) * step
    #expect(count == Int(whole) * perSecond / 1_000)
  }

  @Test func `what comes back never passes the burst, however long nobody asks`() {
    var bucket = TokenBucket()
    _ = taken(from: &bucket, at: 0, perSecond: 5, burst: 5)
    #expect(taken(from: &bucket, at: .max / 2, perSecond: 5, burst: 5) == 5)
  }

  @Test func `a clock that stands still or goes back gives nothing`() {
    var bucket = TokenBucket()
    #expect(taken(from: &bucket, at: 10_000, perSecond: 1_000, burst: 1) == 1)
    #expect(taken(from: &bucket, at: 10_000, perSecond: 1_000, burst: 1) == 0)
    #expect(taken(from: &bucket, at: 1_000, perSecond: 1_000, burst: 1) == 0)
  }
}
