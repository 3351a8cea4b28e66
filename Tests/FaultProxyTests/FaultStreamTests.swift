import Testing

@testable import FaultProxy

/// The bytes of a direction, without sockets.
@Suite struct FaultStreamTests {
  private static let text = Array((0..<10_000).map { UInt8(truncatingIfNeeded: $0) })

  /// What comes out when `text` goes in, in reads of `size`.
  private func passed(
    _ faults: Faults, seed: UInt64 = 1, connection: UInt64 = 0, direction: FaultDirection = .up,
    reads size: Int = 10_000
  ) -> [FaultStream.Step] {
    var stream = FaultStream(faults, seed: seed, connection: connection, direction: direction)
    return stride(from: 0, to: Self.text.count, by: size).flatMap { start in
      Self.text[start..<min(start + size, Self.text.count)].withUnsafeBytes { stream.pass($0) }
    }
  }

  private func bytes(_ steps: [FaultStream.Step]) -> [UInt8] {
    steps.flatMap { if case .write(let bytes) = $0 { bytes } else { [UInt8]() } }
  }

  private func ending(_ steps: [FaultStream.Step]) -> FaultEnding? {
    if case .end(let ending) = steps.last { ending } else { nil }
  }

  @Test func `without faults everything passes as it came`() {
    #expect(passed(Faults()) == [.write(Self.text)])
  }

  @Test(arguments: FaultEnding.allCases, [0, 1, 17, 9_999, 10_000] as [UInt64])
  func `a direction ends behind exactly so many bytes`(kind: FaultEnding, at: UInt64) {
    var faults = Faults()
    switch kind {
    case .cut: faults.cut = .after(bytes: at)
    case .reset: faults.reset = .after(bytes: at)
    case .halfClose: faults.halfClose = .after(bytes: at)
    case .stall: faults.stall = .after(bytes: at)
    }
    for size in [1, 16, 17, 18, 10_000] {
      let steps = passed(faults, reads: size)
      #expect(bytes(steps) == Array(Self.text[..<Int(at)]))
      #expect(ending(steps) == kind)
    }
  }

  @Test func `pieces have the sizes asked for, and nothing is lost`() {
    var faults = Faults()
    faults.split = 3...7
    let steps = passed(faults)
    #expect(bytes(steps) == Self.text)
    let sizes = steps.map { if case .write(let bytes) = $0 { bytes.count } else { 0 } }
    #expect(sizes.dropLast().allSatisfy { (3...7).contains($0) })
    #expect(Set(sizes.dropLast()) == [3, 4, 5, 6, 7])
  }

  @Test func `a byte is damaged in one bit, as often as asked for`() {
    var faults = Faults()
    faults.corrupt = .after(bytes: 41)
    let once = bytes(passed(faults))
    #expect(once.indices.filter { once[$0] != Self.text[$0] } == [41])
    #expect((once[41] ^ Self.text[41]).nonzeroBitCount == 1)
    faults.corrupt = .oneIn(bytes: 100)
    let often = bytes(passed(faults))
    let damaged = often.indices.filter { often[$0] != Self.text[$0] }
    #expect((60...150).contains(damaged.count), "\(damaged.count)")
    faults.corrupt = .oneIn(bytes: 1)
    let all = bytes(passed(faults))
    #expect(all.indices.allSatisfy { all[$0] != Self.text[$0] })
  }

  @Test func `the seed decides, not how the bytes come in`() {
    var faults = Faults()
    faults.corrupt = .oneIn(bytes: 50)
    faults.cut = .oneIn(bytes: 3_000)
    let whole = passed(faults, seed: 7, connection: 3)
    for size in [1, 13, 4_096] {
      let parts = passed(faults, seed: 7, connection: 3, reads: size)
      #expect(bytes(parts) == bytes(whole) && ending(parts) == ending(whole))
    }
    // Other seeds, connections and directions get other faults.
    let others = [
      passed(faults, seed: 8, connection: 3), passed(faults, seed: 7, connection: 4),
      passed(faults, seed: 7, connection: 3, direction: .down),
    ]
    #expect(Set(([whole] + others).map { bytes($0) }).count == 4)
  }

  @Test func `of several endings the first one counts`() {
    var faults = Faults()
    faults.cut = .after(bytes: 500)
    faults.reset = .after(bytes: 400)
    let steps = passed(faults)
    #expect(bytes(steps).count == 400 && ending(steps) == .reset)
  }

  @Test(arguments: [
    ("0", FaultPoint.after(bytes: 0)), ("400", .after(bytes: 400)), ("1/1", .oneIn(bytes: 1)),
    ("1/20000", .oneIn(bytes: 20_000)),
  ])
  func `a point is read and written`(text: String, point: FaultPoint) {
    #expect(FaultPoint(text) == point)
    #expect(point.description == text)
  }

  @Test(arguments: ["", "-1", "+1", "1/0", "1/", "2/5", "1/-5", "x", "1 ", "99999999999999999999"])
  func `what is no point is none`(text: String) {
    #expect(FaultPoint(text) == nil)
  }
}
