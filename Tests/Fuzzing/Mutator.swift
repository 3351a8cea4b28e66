internal import AuthorityLink

/// Changes inputs as libFuzzer does, without knowing what it hits; a seed decides everything. For
/// ordinary test runs.
public struct Mutator {
  private var random: SplitMix64

  /// The changes of `seed`.
  public init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// One to four changes of `bytes`, parts of `other` put in among them.
  public mutating func mutate(_ bytes: inout [UInt8], with other: [UInt8], bytesMax: Int) {
    for _ in 0...below(4) {
      if bytes.isEmpty { bytes = [UInt8(below(256))] }
      let at = below(bytes.count)
      let end = min(bytes.count, at + 1 + below(24))
      switch below(8) {
      case 0: bytes[at] ^= 1 << UInt8(below(8))
      case 1: bytes[at] = UInt8(below(256))
      case 2: bytes[at] = [0, 1, 0x7F, 0x80, 0xFF][below(5)]
      case 3: bytes.removeSubrange(at..<end)
      case 4: bytes.insert(contentsOf: bytes[at..<end], at: at)
      case 5: bytes.removeLast(below(bytes.count))
      case 6:
        for index in at..<end { bytes[index] = UInt8(below(256)) }
      default:
        guard !other.isEmpty else { continue }
        let from = below(other.count)
        bytes.insert(contentsOf: other[from..<min(other.count, from + 1 + below(64))], at: at)
      }
    }
    if bytes.count > bytesMax { bytes.removeLast(bytes.count - bytesMax) }
  }

  /// A number from 0 up to `bound`, which it is not.
  public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
}
