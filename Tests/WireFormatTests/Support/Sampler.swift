import WatchTransfer

/// The same numbers for the same seed. SplitMix64: https://prng.di.unimi.it/splitmix64.c
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}

/// Makes values that the protocol can carry, extremes included.
struct Sampler {
  var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func upTo(_ bound: Int) -> Int { Int.random(in: 0...bound, using: &generator) }
  mutating func flip() -> Bool { Bool.random(using: &generator) }

  mutating func maybe<Value>(_ make: (inout Sampler) -> Value) -> Value? {
    flip() ? make(&self) : nil
  }

  mutating func list<Value>(upTo bound: Int, _ make: (inout Sampler) -> Value) -> [Value] {
    (0..<upTo(bound)).map { _ in make(&self) }
  }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[upTo(values.count - 1)] }

  mutating func id<Tag>() -> Identifier<Tag> {
    Identifier(high: generator.next(), low: generator.next() | 1)
  }

  /// Small, large and extreme.
  mutating func number() -> UInt64 {
    switch upTo(3) {
    case 0: UInt64(upTo(3))
    case 1: UInt64(upTo(100_000))
    case 2: generator.next() >> 11
    default: ActionLimits.numberEnd - 1
    }
  }

  mutating func actionNumber() -> UInt64 { max(1, number()) }

  mutating func small() -> UInt32 {
    UInt32(truncatingIfNeeded: generator.next() >> UInt64(upTo(63)))
  }

  mutating func anyInstant() -> Instant {
    switch upTo(2) {
    case 0: Instant(milliseconds: Int64(upTo(2_000_000_000)) * 1_000)
    case 1: Instant(milliseconds: Int64(bitPattern: generator.next()))
    default: Instant(milliseconds: Int64(upTo(2_000)) - 1_000)
    }
  }

  mutating func namedInstant() -> Instant {
    let range = ActionLimits.instants
    return Instant(
      milliseconds: Int64.random(
        in: range.lowerBound.milliseconds...range.upperBound.milliseconds, using: &generator))
  }

  mutating func name() -> String {
    let parts = ["Run", "é", "e\u{301}", "🏃‍♀️", "ß", " ", "漢字", "a+b/c", "\"'", "Ω", "0"]
    return pick(["Leg", "x", "健"]) + list(upTo: 6) { $0.pick(parts) }.joined()
  }

  mutating func text() -> String { flip() ? name() : "" }

  mutating func zone() -> String {
    pick(["UTC", "Europe/Berlin", "America/Argentina/ComodRivadavia", "Etc/GMT+12", "EST5EDT"])
  }

  mutating func figure() -> Double {
    pick([0, 0.1, 1, .leastNonzeroMagnitude, 12_345.678, 999_999_999.999])
  }

  mutating func clock() -> DeviceClock {
    DeviceClock(
      wall: anyInstant(),
      boot: maybe { BootReading(id: $0.id(), milliseconds: Int64($0.number())) })
  }

  mutating func palette() -> Palette {
    let colour: (inout Sampler) -> UInt32 = { UInt32($0.upTo(0xFF_FFFF)) }
    return Palette(
      background: colour(&self), text: colour(&self), secondary: colour(&self),
      accent: colour(&self))
  }

  mutating func view() -> WidgetView {
    WidgetView(
      kind: pick(WidgetKind.allCases), family: pick(WidgetFamily.allCases),
      appearance: pick(Appearance.allCases))
  }
}
