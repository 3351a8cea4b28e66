/// How one of a crowd's connections behaves.
public enum LoadBehaviour: String, CaseIterable, Sendable {
  /// Silent; it answers pings and sends one before it counts as gone.
  case idle
  /// A watch that reads a few hundred bytes a second while its account changes.
  case slow
  /// Asks for everything again and again, and never reads.
  case mute
  /// Acts, fetches and pings as fast as it is answered.
  case storm
  /// Asks for everything again as fast as it is answered.
  case flood
  /// One of a group that disconnects at once and comes back at once, with its cursor.
  case stampede

  /// Whether it asks nothing by itself, so that it has to say now and then that it is there. The
  /// pongs of others are counted as answers.
  public var isSilent: Bool { self == .idle || self == .stampede }

  /// Whether its device needs an outbox.
  public var acts: Bool { self == .storm }
}

/// Which share of a crowd behaves how.
public struct LoadMix: Hashable, Sendable {
  /// Parts by behaviour, in the order of their declaration; 0: nobody.
  public let parts: [Int]

  /// Most of a crowd is silent, and every kind of trouble is there.
  public static let usual = LoadMix(parts: [60, 10, 5, 2, 3, 20])

  private init(parts: [Int]) {
    self.parts = parts
  }

  /// Reads `idle=60,slow=10`: each behaviour at most once, parts from 0 to 1,000, not all of them
  /// 0; nil for anything else.
  public init?(_ text: String) {
    var parts = LoadBehaviour.allCases.map { _ in 0 }
    var given: Set<LoadBehaviour> = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = word.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2,
        let index = LoadBehaviour.allCases.firstIndex(where: {
          $0.rawValue.utf8.elementsEqual(sides[0].utf8)
        }),
        let count = Int(sides[1]), (0...1_000).contains(count),
        given.insert(LoadBehaviour.allCases[index]).inserted
      else { return nil }
      parts[index] = count
    }
    guard parts.contains(where: { $0 > 0 }) else { return nil }
    self.init(parts: parts)
  }

  /// As it is read.
  public var text: String {
    zip(LoadBehaviour.allCases, parts).filter { $0.1 > 0 }
      .map { "\($0.0.rawValue)=\($0.1)" }.joined(separator: ",")
  }

  /// How each of `count` connections behaves: by shares, and shuffled by the seed.
  public func behaviours(of count: Int, seed: UInt64) -> [LoadBehaviour] {
    let total = parts.reduce(0, +)
    var result: [LoadBehaviour] = []
    var reached = 0
    for (behaviour, part) in zip(LoadBehaviour.allCases, parts) {
      reached += part
      let end = count * reached / total
      result += Array(repeating: behaviour, count: end - result.count)
    }
    var random = SeededRandom(seed: seed)
    result.shuffle(using: &random)
    return result
  }
}

/// Random numbers that a seed decides (SplitMix64, Steele, Lea and Flood 2014).
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The same seed gives the same numbers.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
