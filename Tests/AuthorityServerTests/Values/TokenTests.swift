import Testing
import WatchTransfer

@testable import AuthorityServer

@Suite struct TokenTests {
  @Test func `hashes are the same only in every byte`() {
    let hash = Token().hash
    #expect(hash.isSame(as: TokenHash(stored: hash.bytes)))
    for index in hash.bytes.indices {
      var bytes = hash.bytes
      bytes[index] ^= 1
      #expect(!hash.isSame(as: TokenHash(stored: bytes)))
    }
    #expect(!hash.isSame(as: TokenHash(stored: Array(hash.bytes.dropLast()))))
    #expect(!hash.isSame(as: TokenHash(stored: [])))
  }

  @Test func `a token prints nothing of itself`() {
    let token = Token()
    var dumped = "\(token) \(String(reflecting: token))"
    dump(token, to: &dumped)
    #expect(!dumped.contains(token.text))
    #expect(!dumped.contains("\(token.bytes[0])"))
  }

  @Test(arguments: [(1, true), (7, true), (8, false), (32, false)])
  func `a secret that nobody draws is weak`(values: Int, isWeak: Bool) throws {
    let bytes = (0..<32).map { UInt8($0 % values) }
    #expect(try #require(Token(bytes: bytes)).isWeak == isWeak)
    #expect(!Token().isWeak)
  }

  @Test func `a list tells good, revoked and unknown tokens apart, whatever their hashes share`()
    throws
  {
    let account = ListedAccount(
      id: .random(), name: "a", zoneID: "UTC", created: Instant(milliseconds: 0))
    let pairs = (1...100).map { number in
      (
        device: PairedDevice(id: .random(), account: account.id, kind: .watch, name: "\(number)"),
        token: Token()
      )
    }
    let registry = DeviceRegistry(accounts: [account], devices: pairs)
    for (device, token) in pairs {
      guard case .device(device) = registry.authenticate(token) else {
        Issue.record("\(device.name) is not known")
        continue
      }
    }
    _ = try registry.revoke("7", of: account.id, at: Instant(milliseconds: 1))
    guard case .revoked = registry.authenticate(pairs[6].token) else {
      Issue.record("it is not revoked")
      return
    }
    guard case .unknown = registry.authenticate(Token()) else {
      Issue.record("a token of nobody is known")
      return
    }
    #expect(registry.deviceCount(of: account.id) == 99)
  }
}
