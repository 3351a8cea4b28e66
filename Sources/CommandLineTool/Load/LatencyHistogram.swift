/// How long answers took, in buckets of a fixed array: adding one allocates nothing.
///
/// 64 buckets for each power of two: a bucket is at most 1.6 % wide, and those of the first 128 ns
/// are exact. The longest is kept exactly.
public struct LatencyHistogram: Sendable {
  private static let bucketBits = 6
  /// Up to 2^42 ns, more than an hour; what takes longer is in the last bucket.
  private static let valueBits = 42
  private static let bucketCount = (valueBits - bucketBits + 1) << bucketBits

  private var counts: ContiguousArray<UInt64>
  /// How many were added.
  public private(set) var total: UInt64 = 0
  /// The longest, in nanoseconds; 0 without any.
  public private(set) var longest: Int64 = 0

  /// Nothing was added yet.
  public init() {
    counts = ContiguousArray(repeating: 0, count: Self.bucketCount)
  }

  /// Adds `count` answers that took `nanoseconds` each; a negative time counts as 0.
  public mutating func add(_ nanoseconds: Int64, count: Int) {
    let value = max(nanoseconds, 0)
    counts[Self.bucket(of: UInt64(value))] &+= UInt64(count)
    total &+= UInt64(count)
    longest = max(longest, value)
  }

  /// The time within which `share` (0 to 1) of the answers came, in nanoseconds: the upper end of
  /// its bucket, never more than the longest; 0 without any.
  public func quantile(_ share: Double) -> Int64 {
    let rank = max(1, UInt64((Double(total) * share).rounded(.up)))
    var seen: UInt64 = 0
    for (index, count) in counts.enumerated() where count > 0 {
      seen += count
      if seen >= rank { return min(Self.upperEnd(of: index), longest) }
    }
    return longest
  }

  private static func bucket(of value: UInt64) -> Int {
    let shift = max(0, UInt64.bitWidth - bucketBits - 1 - value.leadingZeroBitCount)
    let index = shift << bucketBits + Int(value >> UInt64(shift))
    return min(index, bucketCount - 1)
  }

  private static func upperEnd(of index: Int) -> Int64 {
    let exact = 1 << (bucketBits + 1)
    if index < exact { return Int64(index) }
    let shift = index >> bucketBits - 1
    let lower = Int64(index - shift << bucketBits) << Int64(shift)
    return lower + 1 << Int64(shift) - 1
  }
}
