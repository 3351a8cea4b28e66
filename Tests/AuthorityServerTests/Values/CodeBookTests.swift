import Testing
import WatchTransfer

@testable import AuthorityServer
@testable import Transport

@Suite struct CodeBookTests {
  static let account = AccountID(high: 1, low: 1)
  static let here = PeerAddress.unix(user: 1)

  let right = PairingCode(number: 12_345_678)
  let wrong = PairingCode(number: 12_345_679)

  func book(_ codes: [PairingCode], tries: Int = 5) -> CodeBook {
    var book = CodeBook()
    for (index, code) in codes.enumerated() {
      _ = book.add(
        code, salt: [UInt8(index)], account: Self.account, kind: .watch, name: nil,
        until: Instant(milliseconds: 600_000), deadline: 600_000, tries: tries)
    }
    return book
  }

  func grants(_ verdict: CodeBook.Verdict) -> Bool {
    if case .granted = verdict { true } else { false }
  }

  @Test(arguments: [1, 2, 5]) func `a code survives all its tries but the last`(tries: Int) {
    var book = book([right], tries: tries)
    for _ in 1..<tries {
      let (verdict, killed) = book.judge(wrong, from: Self.here, delay: 0, at: 0)
      #expect(verdict == .refused && killed.isEmpty)
    }
    // Looking does not spend it.
    #expect(grants(book.judge(right, from: Self.here, delay: 0, at: 0).verdict))
    let (verdict, killed) = book.judge(wrong, from: Self.here, delay: 0, at: 0)
    #expect(verdict == .refused && killed.count == 1)
    #expect(book.judge(right, from: Self.here, delay: 0, at: 0).verdict == .refused)
    #expect(book.count == 0)
  }

  @Test func `a wrong code costs every live code one try, and a later one has all of its own`() {
    var book = book([right, PairingCode(number: 1)], tries: 2)
    _ = book.judge(wrong, from: Self.here, delay: 0, at: 0)
    let late = PairingCode(number: 2)
    _ = book.add(
      late, salt: [9], account: Self.account, kind: .watch, name: nil,
      until: Instant(milliseconds: 600_000), deadline: 600_000, tries: 2)
    #expect(book.judge(wrong, from: .unix(user: 2), delay: 0, at: 0).killed.count == 2)
    #expect(grants(book.judge(late, from: Self.here, delay: 0, at: 0).verdict))
  }

  @Test func `an address waits twice as long after each wrong code, and then nothing is looked at`()
  {
    var book = book([right], tries: 1_000)
    var now: Int64 = 0
    for wait in [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000] as [Int64] {
      #expect(book.judge(wrong, from: Self.here, delay: 1_000, at: now).verdict == .refused)
      #expect(
        book.judge(right, from: Self.here, delay: 1_000, at: now + wait - 1).verdict == .delayed(1))
      // Others do not wait.
      #expect(grants(book.judge(right, from: .unix(user: 2), delay: 1_000, at: now).verdict))
      now += wait
    }
    #expect(grants(book.judge(right, from: Self.here, delay: 1_000, at: now).verdict))
    // Who had the right one starts anew.
    _ = book.judge(wrong, from: Self.here, delay: 1_000, at: now)
    #expect(
      book.judge(wrong, from: Self.here, delay: 1_000, at: now).verdict == .delayed(1_000))
  }

  @Test func `what an address does while it waits costs no code a try`() {
    var book = book([right], tries: 2)
    _ = book.judge(wrong, from: Self.here, delay: 1_000, at: 0)
    for _ in 1...100 {
      let (verdict, killed) = book.judge(wrong, from: Self.here, delay: 1_000, at: 1)
      #expect(verdict == .delayed(999) && killed.isEmpty)
    }
    #expect(book.count == 1)
  }

  @Test(
    arguments: [
      (599_999, 599_999, 1), (600_000, 0, 0), (0, 600_000, 0), (-86_400_000, 600_000, 0),
      (86_400_000, 1, 0),
    ] as [(Int64, Int64, Int)])
  func `a code dies by whichever clock says so first`(wall: Int64, monotonic: Int64, left: Int) {
    var book = book([right])
    let over = book.expire(at: Instant(milliseconds: wall), monotonic: monotonic)
    #expect(book.count == left && over.count == 1 - left)
  }

  @Test func `a spent code is gone, and no other with it`() {
    var book = book([right, PairingCode(number: 1)])
    guard case .granted(let grant) = book.judge(right, from: Self.here, delay: 0, at: 0).verdict
    else {
      Issue.record("not granted")
      return
    }
    book.spend(grant)
    #expect(book.count == 1)
    #expect(!book.has(right))
  }

  @Test func `addresses in trouble are remembered in bounds, and a /64 is one of them`() throws {
    var book = book([right], tries: 1_000_000)
    for user in 0..<UInt32(CodeBook.troublesMax + 10) {
      _ = book.judge(wrong, from: .unix(user: user), delay: 1_000, at: Int64(user))
    }
    // The first ones made room; the last are still known.
    let last = UInt32(CodeBook.troublesMax + 9)
    let now = Int64(last)
    #expect(
      book.judge(right, from: .unix(user: last), delay: 1_000, at: now).verdict == .delayed(1_000))
    #expect(grants(book.judge(right, from: .unix(user: 0), delay: 1_000, at: now).verdict))
    let first = try peer("2001:db8::1")
    let second = try peer("2001:db8::ffff:2")
    let other = try peer("2001:db8:0:1::1")
    _ = book.judge(wrong, from: first, delay: 1_000, at: now)
    #expect(book.judge(right, from: second, delay: 1_000, at: now).verdict == .delayed(1_000))
    #expect(grants(book.judge(right, from: other, delay: 1_000, at: now).verdict))
  }

  private func peer(_ text: String) throws -> PeerAddress {
    .internet(try #require(IPAddress(parsingIPv6: text)))
  }
}
