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
  case storage(String)
}

/// The accounts and devices of `devices.db`, kept in memory: looked up by the lobby and by the
/// partitions, changed by admin commands. Changes are durable before they are seen.
package final class DeviceRegistry: Sendable {
  fileprivate struct Lists {
    var accounts: [AccountID: ListedAccount] = [:]
    var accountsByName: [[UInt8]: AccountID] = [:]
    var devices: [DeviceID: PairedDevice] = [:]
    var devicesOfAccount: [AccountID: [DeviceID]] = [:]
    var hashes: [TokenHash: DeviceID] = [:]
    var revoked: Set<DeviceID> = []
    var erased: Set<AccountID> = []
  }

  private let lists: Lock<Lists>
  private let writing = DispatchQueue(label: "wristwire.devices")
  /// Held while a change is written; never together with work on `lists` by a reader. nil: closed,
  /// or there is none.
  private let store: Lock<DeviceStore?>
  private let hasStore: Bool

  private let onFailure: @Sendable (StorageError) -> Void

  /// Reads the lists. `onFailure` as the committer's: a change whose outcome is unknown ends the
  /// process.
  init(
    directory: DataDirectory, onFailure: @escaping @Sendable (StorageError) -> Void
  ) throws(StorageError) {
    self.onFailure = onFailure
    let store = try DeviceStore.open(directory: directory)
    var lists = Lists()
    for account in try store.accounts() {
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
    for device in try store.devices() {
      guard let kind = DeviceKind(rawValue: device.kind) else { continue }
      let paired = PairedDevice(
        id: device.id,
        account: device.account, kind: kind,
        name: String(decoding: device.name, as: UTF8.self))
      lists.add(paired, hash: TokenHash(stored: device.tokenHash))
      if device.revokedMilliseconds != nil { lists.revoked.insert(paired.id) }
    }
    self.lists = Lock(lists)
    self.store = Lock(store)
    hasStore = true
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
    onFailure = { _ in }
  }

  /// Damage of the database.
  func findings() -> [Finding] { store.withLock { $0?.findings() ?? [] } }

  /// Who presents `token`.
  func authenticate(_ token: Token) -> Authentication {
    let hash = token.hash
    return lists.withLock { lists in
      guard let id = lists.hashes[hash], let device = lists.devices[id] else { return .unknown }
      return lists.revoked.contains(id) ? .revoked : .device(device)
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
    lists.withLock { $0.add(account) }
    return account
  }

  /// Pairs a device; the token is told once and never stored.
  func addDevice(account: AccountID, kind: DeviceKind, name: String, at now: Instant)
    throws(RegistryError) -> (device: PairedDevice, token: Token)
  {
    let token = Token()
    let hash = token.hash
    let device = PairedDevice(
      id: .random(), account: account, kind: kind, name: name)
    try change { (store) throws(StorageError) in
      try store.addDevice(
        StoredDevice(
          id: device.id, account: account, kind: kind.rawValue,
          name: Array(name.utf8), tokenHash: hash.bytes, createdMilliseconds: now.milliseconds))
    }
    lists.withLock { $0.add(device, hash: hash) }
    return (device, token)
  }

  /// Revokes a device, found by its id or by its name within the account.
  func revoke(_ idOrName: String, of account: AccountID, at now: Instant) throws(RegistryError)
    -> PairedDevice
  {
    let id = DeviceID(hex: idOrName)
    let found = devices(of: account).filter {
      $0.id == id || Array($0.name.utf8) == Array(idOrName.utf8)
    }
    guard let device = found.first else { throw .noSuchDevice(idOrName) }
    guard found.count == 1 else { throw .ambiguousDevice(idOrName, found) }
    try change { (store) throws(StorageError) in
      try store.revoke(device.id, at: now.milliseconds)
    }
    lists.withLock { _ = $0.revoked.insert(device.id) }
    return device
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
  fileprivate mutating func add(_ account: ListedAccount) {
    accounts[account.id] = account
    accountsByName[Array(account.name.utf8)] = account.id
  }

  fileprivate mutating func add(_ device: PairedDevice, hash: TokenHash) {
    devices[device.id] = device
    devicesOfAccount[device.account, default: []].append(device.id)
    hashes[hash] = device.id
  }
}
