internal import AuthorityServer
internal import WatchTransfer

/// Who talks to a server in a `PeerTalk`: four devices of one account, two of another.
enum PeerCast {
  static let accounts = [account(1), account(2)]

  static let members: [(device: PairedDevice, token: [UInt8])] = [
    member(1, account: 0, .watch), member(2, account: 0, .phone), member(3, account: 0, .widget),
    member(4, account: 1, .watch), member(5, account: 1, .health), member(6, account: 0, .activity),
  ]

  /// A title that only devices of this account use, unless somebody else's bytes happen to name it.
  static func secretTitle(of account: AccountID) -> String {
    "Only \(account.description.prefix(12))"
  }

  static var registry: DeviceRegistry {
    DeviceRegistry(
      accounts: accounts,
      devices: members.compactMap { member in
        Token(bytes: member.token).map { (member.device, $0) }
      })
  }

  private static func account(_ number: UInt64) -> ListedAccount {
    ListedAccount(
      id: AccountID(high: mixed(number), low: mixed(number + 100)), name: "account \(number)",
      zoneID: "Europe/Berlin", created: Instant(milliseconds: SimulatedMachine.epochMilliseconds))
  }

  private static func member(
    _ number: UInt64, account: Int, _ kind: DeviceKind
  ) -> (device: PairedDevice, token: [UInt8]) {
    let token = (0..<32).map { UInt8(truncatingIfNeeded: mixed(number * 1_000 + $0)) }
    let device = PairedDevice(
      id: DeviceID(high: mixed(number + 200), low: mixed(number + 300)),
      account: accounts[account].id, kind: kind, name: "\(kind.word) \(number)")
    return (device, token)
  }

  /// Numbers that nobody writes by accident (SplitMix64's mixing step).
  private static func mixed(_ number: UInt64) -> UInt64 {
    var value = (number &+ 1) &* 0x9E37_79B9_7F4A_7C15
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    return value ^ value >> 31
  }
}
