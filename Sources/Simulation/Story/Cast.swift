internal import AuthorityLink
internal import AuthorityServer
internal import WatchTransfer

/// Who takes part.
struct Cast {
  var accounts: [ListedAccount] = []
  var members: [Member] = []
  var widgets: [Member] = []

  /// A device with its pairing, and one for later.
  struct Member {
    let device: PairedDevice
    let token: Token
    let spare: (device: PairedDevice, token: Token)
  }

  /// All pairings, those for later too.
  var pairings: [(device: PairedDevice, token: Token)] {
    (members + widgets).flatMap { [($0.device, $0.token), $0.spare] }
  }

  init(_ world: World) {
    for number in 1...world.pick(1...2) {
      accounts.append(
        ListedAccount(
          id: Self.id(world), name: "account \(number)", zoneID: "Europe/Berlin",
          created: Instant(milliseconds: SimulatedMachine.epochMilliseconds)))
    }
    for (index, account) in accounts.enumerated() {
      let number = index + 1
      // Somebody may get a device that was another's.
      let next = world.chance(oneIn: 3) ? accounts[accounts.count - number] : account
      for member in 1...world.pick(1...3) {
        let kind: DeviceKind = world.chance(oneIn: 2) ? .phone : .watch
        add(kind, named: "\(kind) \(number).\(member)", of: account, next, world, to: \.members)
      }
      if world.chance(oneIn: 3) {
        let kinds: [DeviceKind] = [.controller, .controller, .activity, .health]
        let kind = kinds[Int(world.pick(0...3))]
        add(kind, named: "\(kind) \(number)", of: account, next, world, to: \.members)
      }
      if world.chance(oneIn: 2) {
        add(.widget, named: "widget \(number)", of: account, account, world, to: \.widgets)
      }
    }
  }

  private mutating func add(
    _ kind: DeviceKind, named name: String, of account: ListedAccount, _ next: ListedAccount,
    _ world: World, to list: WritableKeyPath<Cast, [Member]>
  ) {
    func pairing(_ account: ListedAccount) -> (device: PairedDevice, token: Token)? {
      let bytes = (0..<32).map { _ in UInt8(truncatingIfNeeded: world.random.next()) }
      let device = PairedDevice(id: Self.id(world), account: account.id, kind: kind, name: name)
      return Token(bytes: bytes).map { (device, $0) }
    }
    if let first = pairing(account), let spare = pairing(next) {
      self[keyPath: list].append(Member(device: first.device, token: first.token, spare: spare))
    }
  }

  private static func id<Tag>(_ world: World) -> Identifier<Tag> {
    Identifier(high: world.random.next() | 1, low: world.random.next())
  }
}
