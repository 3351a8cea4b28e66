internal import Dispatch
internal import Guards
internal import Storage
public import WatchTransfer

/// A paired device, as sessions know it.
public struct PairedDevice: Sendable, Hashable {
  public let id: DeviceID
  public let account: AccountID
  public let kind: DeviceKind
  public let name: String

  /// A device of an account.
  package init(id: DeviceID, account: AccountID, kind: DeviceKind, name: String) {
    self.id = id
    self.account = account
    self.kind = kind
    self.name = name
  }
}

/// An account of the list.
public struct ListedAccount: Sendable, Hashable {
  public let id: AccountID
  public let name: String
  /// The zone it was made with; the journal knows the present one.
  public let zoneID: String
  public let created: Instant

  /// An account as it is listed.
  package init(id: AccountID, name: String, zoneID: String, created: Instant) {
    self.id = id
    self.name = name
    self.zoneID = zoneID
    self.created = created
  }
}

/// Who a token belongs to.
enum Authentication: Sendable {
  case device(PairedDevice)
  case revoked
  case unknown
}

/// Why the list did not change.
public enum RegistryError: Error, Sendable, Hashable {
  case noSuchAccount(String)
  case noSuchDevice(String)
  /// Several have the name: these.
  case ambiguousDevice(String, [PairedDevice])
  case accountExists(String)
  case invalidName
  /// The account has as many devices as it may.
  case tooManyDevices(max: Int)
  /// There are as many live pairing codes as there may be.
  case tooManyCodes(max: Int)
  case storage(String)
}

/// The accounts and devices of `devices.db`, kept in memory: looked up by the lobby and by the
/// partitions, changed by admin commands. Changes are durable before they are seen.
package final class DeviceRegistry: Sendable {
  /// A token's hash and whose it is.
  struct Holder {
    let hash: TokenHash
    let device: DeviceID
  }

  struct Lists {
    var accounts: [AccountID: ListedAccount] = [:]
    var accountsByName: [[UInt8]: AccountID] = [:]
    var devices: [DeviceID: PairedDevice] = [:]
    var devicesOfAccount: [AccountID: [DeviceID]] = [:]
    /// Of each account, how many are not revoked.
    var liveDevices: [AccountID: Int] = [:]
    /// By the selectors of their hashes; two that share one are as rare as a lucky guess.
    var holders: [UInt64: [Holder]] = [:]
    var revoked: Set<DeviceID> = []
    var erased: Set<AccountID> = []
  }

  let lists: Lock<Lists>
  private let writing = DispatchQueue(label: "wristwire.devices")
  /// Held while a change is written; never together with work on `lists` by a reader. nil: closed,
  /// or there is none.
  private let store: Lock<DeviceStore?>
  private let hasStore: Bool
  /// Held from counting an account's devices until one more is among them.
  private let adding = Lock<Void>(())

  private let onFailure: @Sendable (StorageError) -> Void
  /// Compared when nobody has a token, so that it takes as long as when somebody does.
  private let nobody = Holder(hash: Token().hash, device: .random())
  /// What was left out of the lists because it is damaged or unknown, a line each.
  let damage: [String]
  /// What takes down the changes that commands make; nil: nothing.
  let tape = Lock<Tape?>(nil)

  /// Reads the lists. `onFailure` as the committer's: a change whose outcome is unknown ends the
  /// process.
  init(
    directory: DataDirectory, onFailure: @escaping @Sendable (StorageError) -> Void
  ) throws(StorageError) {
    self.onFailure = onFailure
    let store = try DeviceStore.open(directory: directory)
    var lists = Lists()
    let stored = try store.list()
    var damage = stored.damage.map(\.description)
    for account in stored.accounts {
      if account.isErased {
        lists.erased.insert(account.id)
        continue
      }
      lists.add(
        ListedAccount(
          id: account.id,
          name: String(decoding: account.name, as: UTF8.self), zoneID: account.zone,
          created: Instant(milliseconds: account.createdMilliseconds)))
    }
    for device in stored.devices {
      guard let kind = DeviceKind(rawValue: device.kind) else {
        damage.append("device \(device.id) of devices.db is of an unknown kind and left out")
        continue
      }
      let paired = PairedDevice(
        id: device.id,
        account: device.account, kind: kind,
        name: String(decoding: device.name, as: UTF8.self))
      lists.add(paired, hash: TokenHash(stored: device.tokenHash))
      if device.revokedMilliseconds != nil { lists.revoke(paired) }
    }
    self.damage = damage
    self.lists = Lock(lists)
    self.store = Lock(store)
    hasStore = true
  }

  /// Lists without a database; for a replay.
  init(_ lists: Lists) {
    self.lists = Lock(lists)
    store = Lock(nil)
    hasStore = false
    damage = []
    onFailure = { _ in }
  }

  /// A list without a database, of devices and their tokens; for the fault simulator.
  package init(
    accounts: [ListedAccount], devices: [(device: PairedDevice, token: Token)]
  ) {
    var lists = Lists()
    for account in accounts { lists.add(account) }
    for (device, token) in devices { lists.add(device, hash: token.hash) }
    self.lists = Lock(lists)
    store = Lock(nil)
    hasStore = false
    damage = []
    onFailure = { _ in }
  }

  /// Copies the database into a new file, in one go: it is small.
  ///
  /// - Throws: `copyFailed`; `outcomeUnknown` when it is closed already.
  func copy(to path: String) throws(StorageError) {
    let error: StorageError? = store.withLock { store in
      guard let store else { return .outcomeUnknown(code: 0) }
      do throws(StorageError) {
        try store.copy(to: path)
        return nil
      } catch {
        return error
      }
    }
    if let error { throw error }
  }

  /// Who presents `token`. A token that nobody has, one that was revoked and a good one take the
  /// same steps.
  func authenticate(_ token: Token) -> Authentication {
    let hash = token.hash
    let nobody = nobody
    return lists.withLock { lists in
      var found: DeviceID?
      for holder in lists.holders[hash.selector] ?? [nobody] where holder.hash.isSame(as: hash) {
        found = holder.device
      }
      guard let found, let device = lists.devices[found] else { return .unknown }
      return lists.revoked.contains(found) ? .revoked : .device(device)
    }
  }

  /// Whether the device's token is good no more.
  func isRevoked(_ device: DeviceID) -> Bool {
    lists.withLock { $0.revoked.contains(device) || $0.devices[device] == nil }
  }

  /// The account of that name, compared as bytes.
  func account(named name: String) throws(RegistryError) -> ListedAccount {
    let found = lists.withLock { lists in
      lists.accountsByName[Array(name.utf8)].flatMap { lists.accounts[$0] }
    }
    guard let found else { throw .noSuchAccount(name) }
    return found
  }

  /// Whether the account is, or was, on the list.
  func knows(_ id: AccountID) -> Bool {
    lists.withLock { $0.accounts[id] != nil || $0.erased.contains(id) }
  }

  /// Whether the account was erased.
  func isErased(_ id: AccountID) -> Bool { lists.withLock { $0.erased.contains(id) } }

  /// The account of that id.
  func account(_ id: AccountID) -> ListedAccount? { lists.withLock { $0.accounts[id] } }

  /// All accounts, in order of their names' bytes.
  var accounts: [ListedAccount] {
    lists.withLock { lists in
      lists.accounts.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
  }

  /// How many accounts and devices that are not revoked there are.
  var counts: (accounts: Int, devices: Int) {
    lists.withLock { ($0.accounts.count, $0.devices.count - $0.revoked.count) }
  }

  /// How many of the account's devices are not revoked.
  func deviceCount(of account: AccountID) -> Int {
    lists.withLock { $0.liveDevices[account] ?? 0 }
  }

  /// The devices, revoked ones left out, of the account that has most.
  var mostDevices: Int { lists.withLock { $0.liveDevices.values.max() ?? 0 } }

  /// The account's devices that are not revoked, in order of their ids.
  func devices(of account: AccountID) -> [PairedDevice] {
    lists.withLock { lists in
      (lists.devicesOfAccount[account] ?? []).compactMap { id in
        lists.revoked.contains(id) ? nil : lists.devices[id]
      }
    }.sorted { $0.id < $1.id }
  }

  /// Adds an account; the caller has checked the zone.
  func addAccount(name: String, zoneID: String, at now: Instant) throws(RegistryError)
    -> ListedAccount
  {
    let account = ListedAccount(
      id: .random(), name: name, zoneID: zoneID, created: now)
    try change { (store) throws(StorageError) in
      try store.addAccount(
        StoredAccount(
          id: account.id, name: Array(name.utf8), zone: zoneID,
          createdMilliseconds: now.milliseconds))
    }
    apply(.account(account))
    return account
  }

  /// Pairs a device with a token drawn here, or with the secret it drew itself; the token is told
  /// once and never stored. At most `devicesMax` of an account's devices are not revoked.
  func addDevice(
    account: AccountID, kind: DeviceKind, name: String, token: Token = Token(), devicesMax: Int,
    at now: Instant
  ) throws(RegistryError) -> (device: PairedDevice, token: Token) {
    let hash = token.hash
    let device = PairedDevice(
      id: .random(), account: account, kind: kind, name: name)
    try adding.withLock { (_) throws(RegistryError) in
      if deviceCount(of: account) >= devicesMax { throw .tooManyDevices(max: devicesMax) }
      try change { (store) throws(StorageError) in
        try store.addDevice(
          StoredDevice(
            id: device.id, account: account, kind: kind.rawValue,
            name: Array(name.utf8), tokenHash: hash.bytes, createdMilliseconds: now.milliseconds))
      }
      apply(.device(device, hash))
    }
    return (device, token)
  }

  private func devices(of account: AccountID, called idOrName: String) -> [PairedDevice] {
    let id = DeviceID(hex: idOrName)
    return devices(of: account).filter {
      $0.id == id || Array($0.name.utf8) == Array(idOrName.utf8)
    }
  }

  /// Revokes a device, found by its id or by its name within the account.
  func revoke(_ idOrName: String, of account: AccountID, at now: Instant) throws(RegistryError)
    -> PairedDevice
  {
    let found = devices(of: account, called: idOrName)
    guard let device = found.first else { throw .noSuchDevice(idOrName) }
    guard found.count == 1 else { throw .ambiguousDevice(idOrName, found) }
    try change { (store) throws(StorageError) in
      try store.revoke(device.id, at: now.milliseconds)
    }
    apply(.revoked(device.id))
    return device
  }

  /// Forgets an account, its devices and its name, which is free again. Its id stays known as
  /// erased: a restored journal may bring it back.
  func erase(_ account: ListedAccount) throws(RegistryError) {
    try change { (store) throws(StorageError) in try store.markErased(account.id) }
    apply(.erased(account.id))
  }

  /// Notes the zone an account is in, if the list has another; returns at once.
  func zoneMayHaveChanged(of account: AccountID, to zoneID: String) {
    let isKnown = lists.withLock { lists in
      guard let listed = lists.accounts[account] else { return true }
      if Array(listed.zoneID.utf8) == Array(zoneID.utf8) { return true }
      lists.accounts[account] = ListedAccount(
        id: account, name: listed.name, zoneID: zoneID, created: listed.created)
      return false
    }
    if isKnown || !hasStore { return }
    writing.async {
      // Nothing depends on it but an account that has to be made again.
      try? self.change { (store) throws(StorageError) in
        try store.updateZone(of: account, to: zoneID)
      }
    }
  }

  /// Lets go of the database.
  func close() {
    writing.sync {}
    store.withLock { store in
      try? store?.close()
      store = nil
    }
  }

  private func change(_ body: (DeviceStore) throws(StorageError) -> Void) throws(RegistryError) {
    let error: StorageError? = store.withLock { store in
      guard let store else { return hasStore ? .outcomeUnknown(code: 0) : nil }
      do throws(StorageError) {
        try body(store)
        return nil
      } catch {
        return error
      }
    }
    if case .outcomeUnknown(let code) = error, code != 0 { error.map(onFailure) }
    if let error { throw .storage(String(describing: error)) }
  }
}

extension DeviceRegistry.Lists {
  mutating func add(_ account: ListedAccount) {
    accounts[account.id] = account
    accountsByName[Array(account.name.utf8)] = account.id
  }

  mutating func add(_ device: PairedDevice, hash: TokenHash) {
    devices[device.id] = device
    devicesOfAccount[device.account, default: []].append(device.id)
    liveDevices[device.account, default: 0] += 1
    holders[hash.selector, default: []].append(.init(hash: hash, device: device.id))
  }

  mutating func erase(_ id: AccountID) {
    if let account = accounts.removeValue(forKey: id) {
      accountsByName[Array(account.name.utf8)] = nil
    }
    let gone = Set(devicesOfAccount.removeValue(forKey: id) ?? [])
    for device in gone { devices[device] = nil }
    revoked.subtract(gone)
    liveDevices[id] = nil
    for (selector, found) in holders where found.contains(where: { gone.contains($0.device) }) {
      let rest = found.filter { !gone.contains($0.device) }
      holders[selector] = rest.isEmpty ? nil : rest
    }
    erased.insert(id)
  }

  mutating func revoke(_ device: PairedDevice) {
    if revoked.insert(device.id).inserted { liveDevices[device.account, default: 1] -= 1 }
  }
}
