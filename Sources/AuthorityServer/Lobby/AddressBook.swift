internal import Transport

/// What addresses have done lately: how many connections they have, in the lobby and behind it, and
/// how often they came with a wrong token. Bounded; times by the monotonic clock, in milliseconds.
struct AddressBook {
  struct Page {
    var connections = 0
    var wrongTokens = 0
    var since: Int64 = 0
  }

  var pages: [PeerAddress: Page] = [:]

  /// Addresses that are remembered; beyond, those without connections are forgotten.
  static let pagesMax = 16_384

  /// Whether an address may have one more connection, which is counted then.
  mutating func mayConnect(
    _ address: PeerAddress, connectionsMax: Int, wrongTokensMax: Int, now: Int64
  ) -> Bool {
    var page = present(address, now)
    page.connections += 1
    pages[address] = page
    if pages.count > Self.pagesMax { pages = pages.filter { $0.value.connections > 0 } }
    return page.connections <= connectionsMax && page.wrongTokens < wrongTokensMax
  }

  /// Whether a connection of an address may still greet: others may have brought wrong tokens since
  /// it was accepted.
  func mayGreet(_ address: PeerAddress, wrongTokensMax: Int, now: Int64) -> Bool {
    present(address, now).wrongTokens < wrongTokensMax
  }

  private func present(_ address: PeerAddress, _ now: Int64) -> Page {
    var page = pages[address] ?? Page()
    if now - page.since > 60_000 {
      page.wrongTokens = 0
      page.since = now
    }
    return page
  }

  /// Whether it is its connections that keep an address from having more, and not wrong tokens.
  func hasTooManyConnections(_ address: PeerAddress, connectionsMax: Int) -> Bool {
    (pages[address]?.connections ?? 0) > connectionsMax
  }

  /// Connections of the address that has most.
  var mostConnections: Int { pages.values.lazy.map(\.connections).max() ?? 0 }

  /// Wrong tokens, in its present minute, of the address that came with most.
  var mostWrongTokens: Int { pages.values.lazy.map(\.wrongTokens).max() ?? 0 }

  /// A connection has ended.
  mutating func left(_ address: PeerAddress) {
    pages[address]?.connections -= 1
  }

  /// An address came with a token that nobody has.
  mutating func wrongToken(from address: PeerAddress, now: Int64) {
    var page = present(address, now)
    page.wrongTokens += 1
    pages[address] = page
  }

  /// What was counted as a wrong token has proved to be a good one.
  mutating func rightToken(from address: PeerAddress) {
    if let count = pages[address]?.wrongTokens, count > 0 {
      pages[address]?.wrongTokens = count - 1
    }
  }

  /// Forgets addresses without connections whose minute is over.
  mutating func forget(before time: Int64) {
    for (address, page) in pages where page.connections <= 0 && page.since < time {
      pages[address] = nil
    }
  }
}
