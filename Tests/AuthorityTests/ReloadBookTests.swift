import Testing
import WatchTransfer

@testable import Authority

@Suite struct ReloadBookTests {
  private static let noon = local("2026-06-15 12:00", "Europe/Berlin")
  private static let devices: [DeviceID] = [.test(1), .test(2)]

  private func tell(
    _ account: inout TestAccount, _ device: DeviceID, at now: Instant, isBigMoment: Bool
  ) -> Bool {
    let event = account.state.reload(
      of: device, at: now, isBigMoment: isBigMoment, perDay: 10)
    if let event { account.commit([event]) }
    return event != nil
  }

  @Test("A fifth of a day's reloads is kept for big moments; the next local day has them all")
  func budget() {
    var account = TestAccount(at: Self.noon)
    for device in Self.devices {
      let ordinary = (0..<12).map { _ in
        tell(&account, device, at: Self.noon, isBigMoment: false)
      }
      #expect(ordinary == Array(repeating: true, count: 8) + Array(repeating: false, count: 4))
      let big = (0..<4).map { _ in tell(&account, device, at: Self.noon, isBigMoment: true) }
      #expect(big == [true, true, false, false])
    }
    let late = local("2026-06-15 23:59", "Europe/Berlin")
    #expect(!tell(&account, .test(1), at: late, isBigMoment: true))
    let midnight = late.advanced(milliseconds: 60_000)
    #expect(tell(&account, .test(1), at: midnight, isBigMoment: false))
  }

  @Test("No day comes twice: travel and clocks that are set back bring no new budget")
  func daysThatComeAgain() {
    var account = TestAccount(at: Self.noon)
    for _ in 0..<8 { _ = tell(&account, .test(1), at: Self.noon, isBigMoment: false) }
    let yesterday = Self.noon.advanced(milliseconds: -86_400_000)
    #expect(!tell(&account, .test(1), at: yesterday, isBigMoment: false))
    #expect(tell(&account, .test(1), at: yesterday, isBigMoment: true))
    #expect(tell(&account, .test(1), at: Self.noon, isBigMoment: true))
    #expect(!tell(&account, .test(1), at: Self.noon, isBigMoment: true))
  }

  @Test("A clock that was a year ahead does not spend a year's reloads")
  func clockAhead() {
    var account = TestAccount(at: Self.noon)
    let ahead = Self.noon.advanced(milliseconds: 365 * 86_400_000)
    for _ in 0..<8 { _ = tell(&account, .test(1), at: ahead, isBigMoment: false) }
    account.commit([.clockWentBack(to: Self.noon)])
    #expect(!tell(&account, .test(1), at: Self.noon, isBigMoment: false))
    let tomorrow = Self.noon.advanced(milliseconds: 86_400_000)
    #expect(tell(&account, .test(1), at: tomorrow, isBigMoment: false))
  }

  @Test("Of too many devices the one that was told longest ago is forgotten")
  func manyDevices() {
    var book = ReloadBook()
    let day = CivilDay(number: 20_000)
    for number in 0..<UInt64(AuthorityLimits.reloadedDevicesMax) {
      book.tell(.test(number + 1), on: day)
    }
    book.tell(.test(5), on: day.advanced(days: 1))
    book.put(ReloadBook.Told(device: .test(9), day: day.advanced(days: -1), count: 3))
    book.tell(.test(9_999), on: day)
    #expect(book.all.count == AuthorityLimits.reloadedDevicesMax)
    #expect(book.count(of: .test(9), on: day.advanced(days: -1)) == 0)
    #expect(book.count(of: .test(5), on: day) == 1)
  }
}
