internal import Transport
internal import WatchTransfer

/// The pairing codes that live, and how often addresses came with a wrong one. Bounded; in memory
/// alone: no code outlives the server.
///
/// Somebody without a code cannot name one, so a wrong try is taken from every code that lives: the
/// last of a code's tries kills it. With k live codes, each with `triesMax` tries, everything that
/// is tried until all are dead hits one with a chance of at most k x triesMax / 10^8 (16 x 5: 1 in
/// 1,250,000). So that one address cannot kill every code as soon as it is made, it waits longer
/// and longer between its wrong tries, and while it waits its codes are not even looked at.
struct CodeBook {
  /// What a code gives.
  struct Grant: Hashable, Sendable {
    let id: UInt64
    let account: AccountID
    let kind: DeviceKind
    /// As the person called the device; nil: as it calls itself.
    let name: String?
    /// When it dies, by the wall clock.
    let until: Instant
    /// When it dies, by the monotonic clock: a wall clock that is set back must not extend it.
    let deadline: Int64
  }

  /// What comes of a try.
  enum Verdict: Hashable {
    case granted(Grant)
    /// There is no such code, any more or at all.
    case refused
    /// The address has to wait, in milliseconds; nothing was looked at.
    case delayed(Int64)
  }

  /// Why codes are gone.
  enum End: String, Hashable {
    case expired
    case triesSpent
  }

  private struct Live {
    let salt: [UInt8]
    let hash: TokenHash
    let grant: Grant
    var triesLeft: Int
  }

  /// How an address has fared with wrong codes.
  private struct Trouble {
    var wrongTries = 0
    var waitsUntil: Int64 = 0
    var lastAt: Int64 = 0
  }

  private var live: [Live] = []
  private var troubles: [PeerAddress: Trouble] = [:]
  private var lastID: UInt64 = 0

  /// Addresses in trouble that are remembered; the one whose wait is over first gives way.
  static let troublesMax = 4_096
  /// The longest wait of an address, in milliseconds.
  static let waitMax: Int64 = 60_000
  /// How long after its last wrong try an address is remembered, in milliseconds.
  static let memoryMilliseconds: Int64 = 600_000

  /// How many codes live, as far as was looked.
  var count: Int { live.count }

  /// Whether a code lives; a new one must be another.
  func has(_ code: PairingCode) -> Bool { match(code) != nil }

  /// Takes a new code in. The caller keeps to the limit on live codes.
  mutating func add(
    _ code: PairingCode, salt: [UInt8], account: AccountID, kind: DeviceKind, name: String?,
    until: Instant, deadline: Int64, tries: Int
  ) -> Grant {
    lastID += 1
    let grant = Grant(
      id: lastID, account: account, kind: kind, name: name, until: until, deadline: deadline)
    live.append(
      Live(salt: salt, hash: Self.hash(of: code, salt), grant: grant, triesLeft: tries))
    return grant
  }

  /// Somebody at `peer` comes with a code. A wrong one costs every live code one of its tries, and
  /// the address `delay` milliseconds, twice as many each time.
  mutating func judge(
    _ code: PairingCode, from peer: PeerAddress, delay: Int64, at monotonic: Int64
  ) -> (verdict: Verdict, killed: [Grant]) {
    let key = peer.network
    if let trouble = troubles[key], monotonic < trouble.waitsUntil {
      return (.delayed(trouble.waitsUntil - monotonic), [])
    }
    if let found = match(code) {
      troubles[key] = nil
      return (.granted(live[found].grant), [])
    }
    note(key, delay: delay, at: monotonic)
    for index in live.indices { live[index].triesLeft -= 1 }
    return (.refused, remove { $0.triesLeft <= 0 })
  }

  /// A code was used: it is good no more.
  mutating func spend(_ grant: Grant) { live.removeAll { $0.grant.id == grant.id } }

  /// Removes the codes whose time is over by either clock, and forgets addresses that have been
  /// quiet.
  mutating func expire(at now: Instant, monotonic: Int64) -> [Grant] {
    troubles = troubles.filter { monotonic - $0.value.lastAt < Self.memoryMilliseconds }
    return remove { now >= $0.grant.until || monotonic >= $0.grant.deadline }
  }

  private mutating func remove(where isOver: (Live) -> Bool) -> [Grant] {
    let over = live.filter(isOver)
    if !over.isEmpty { live.removeAll(where: isOver) }
    return over.map(\.grant)
  }

  /// Every live code is compared, each in constant time, whichever matches.
  private func match(_ code: PairingCode) -> Int? {
    var found: Int?
    for (index, known) in live.enumerated()
    where known.hash.isSame(as: Self.hash(of: code, known.salt)) {
      found = index
    }
    return found
  }

  private mutating func note(_ key: PeerAddress, delay: Int64, at monotonic: Int64) {
    if troubles[key] == nil, troubles.count >= Self.troublesMax,
      let calmest = troubles.min(by: { $0.value.waitsUntil < $1.value.waitsUntil })
    {
      troubles[calmest.key] = nil
    }
    var trouble = troubles[key] ?? Trouble()
    let wait = min(delay << Int64(min(trouble.wrongTries, 16)), Self.waitMax)
    trouble.wrongTries += 1
    trouble.lastAt = monotonic
    trouble.waitsUntil = monotonic + wait
    troubles[key] = trouble
  }

  private static func hash(of code: PairingCode, _ salt: [UInt8]) -> TokenHash {
    TokenHash(of: salt + code.digits)
  }
}

extension PeerAddress {
  /// Whoever has one address of it has all: a Unix user, an IPv4 address, a /64 of IPv6 (RFC 6177).
  var network: PeerAddress {
    guard let address = ipAddress, !address.isIPv4 else { return self }
    return .internet(address.network64)
  }
}
