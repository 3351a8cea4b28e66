import Testing
import WatchTransfer

struct IdentifierTests {
  @Test func `an id is read from its bytes and its digits`() throws {
    let bytes = (0..<16).map { UInt8($0 * 17) }
    let id = try #require(AccountID(bytes: bytes))
    #expect(id.bytes == bytes)
    #expect(id.description == "00112233445566778899aabbccddeeff")
    #expect(AccountID(hex: "00112233445566778899AABBCCDDEEFF") == id)
  }

  @Test(arguments: [0, 1, 15, 17])
  func `other lengths are no id`(count: Int) {
    #expect(AccountID(bytes: [UInt8](repeating: 1, count: count)) == nil)
  }

  @Test(arguments: ["", "0", "zz", "00112233445566778899aabbccddeef", "００"])
  func `other text is no id`(text: String) {
    #expect(AccountID(hex: text) == nil)
  }

  @Test func `ids are in the order of their bytes`() {
    let low = EntryID(high: 0, low: .max)
    let high = EntryID(high: 1, low: 0)
    #expect(low < high)
    #expect(low.bytes.lexicographicallyPrecedes(high.bytes))
  }

  @Test func `the entry that holds is the last whose moment has passed`() {
    let flips = [0, 10, 20].map {
      ThemeFacet.Flip(from: Instant(milliseconds: $0), to: $0 == 10 ? .night : .day)
    }
    #expect(flips.current(at: Instant(milliseconds: 10))?.to == .night)
    #expect(flips.current(at: Instant(milliseconds: 9))?.to == .day)
    #expect(flips.current(at: Instant(milliseconds: -5))?.from.milliseconds == 0)
    #expect([ThemeFacet.Flip]().current(at: Instant(milliseconds: 0)) == nil)
  }

  @Test(arguments: [
    (UInt64(0), UInt64(1), UInt64(1), true), (0, 1, 5, true), (5, 3, 6, true), (5, 7, 6, false),
    (5, 6, 5, false), (5, 0, 6, false), (0, 1, 1 << 53, false), (6, 1, 6, false),
  ])
  func `an outbox's numbers fit each other`(
    confirmed: UInt64, oldest: UInt64, next: UInt64, isSound: Bool
  ) {
    let state = IncarnationState(
      incarnation: IncarnationID(high: 1, low: 1), confirmed: confirmed, oldest: oldest, next: next)
    #expect(state.isSound == isSound)
  }
}
