internal import Authority
internal import Foundation
internal import Storage
internal import WatchTransfer
internal import WireFormat

/// Carries out admin requests; the same whether they come over the socket or from this process.
public final class AdminService: Sendable {
  let shared: SharedServices
  private let partitions: [Partition]
  /// nil: the server has no files.
  let backups: BackupService?

  init(shared: SharedServices, partitions: [Partition], backups: BackupService?) {
    self.shared = shared
    self.backups = backups
    self.partitions = partitions
  }

  /// Carries out one request; what is wrong is a `failed` response.
  public func perform(_ request: AdminRequest) async -> AdminResponse {
    do {
      switch request {
      case .addAccount(let name, let zone): return try await addAccount(name, zone)
      case .listAccounts(let after, let name): return try listAccounts(after: after, named: name)
      case .setZone(let account, let zone): return try await setZone(of: account, to: zone)
      case .eraseAccount(let name): return try await eraseAccount(name)
      case .exportAccount(let name, let path): return try await exportAccount(name, to: path)
      case .pair(let account, let kind, let name): return try pair(account, kind, name)
      case .makeCode(let account, let kind, let name):
        return try makeCode(account, kind, name)
      case .revoke(let account, let device): return try await revoke(account, device)
      case .readmit(let account): return try readmit(account)
      case .status: return .status(status())
      case .check: return await check()
      case .backUp(let target, let keep): return await backUp(to: target, keep: keep)
      case .backupProgress:
        return .progress(
          backups?.progress ?? BackupProgress(phase: "none", pagesDone: 0, pages: 0))
      case .setClock(let to, let by): return await setClock(to: to, by: by)
      case .importWorkouts(let account, let bodies):
        return try await importWorkouts(account, bodies)
      }
    } catch let error as RegistryError {
      return .failed(Self.text(error))
    } catch {
      return .failed("\(error)")
    }
  }

  private func addAccount(_ name: String, _ zone: String) async throws -> AdminResponse {
    let now = shared.clock.now()
    guard isTypedName(name, bytesMax: StorageLimits.nameBytesMax) else {
      return .failed(Self.nameRule("an account", StorageLimits.nameBytesMax))
    }
    guard isZone(zone) else { return Self.unknownZone(zone) }
    if (try? shared.registry.account(named: name)) != nil {
      return .failed("there is an account \(name) already")
    }
    let account = try shared.registry.addAccount(name: name, zoneID: zone, at: now)
    shared.audit.note(.accountAdded(account))
    // Its turn 1 is durable before the command says so.
    let partition = partition(of: account.id)
    let isThere = await withCheckedContinuation { done in
      shared.outside(.whenDurable(account.id)) {
        partition.enter { $0.whenDurable(account.id) { done.resume(returning: $0) } }
      }
    }
    return isThere ? .done : .failed("the account \(name) cannot be read; see wristwire status")
  }

  private func pair(_ account: String, _ kind: String, _ name: String?) throws -> AdminResponse {
    let listed = try shared.registry.account(named: account)
    guard let deviceKind = DeviceKind(word: kind) else { return Self.unknownKind(kind) }
    let deviceName = name ?? kind
    guard isTypedName(deviceName) else {
      return .failed(Self.nameRule("a device", ActionLimits.nameBytesMax))
    }
    do throws(RegistryError) {
      let (device, token) = try shared.registry.addDevice(
        account: listed.id, kind: deviceKind, name: deviceName,
        devicesMax: shared.limits.devicesPerAccountMax, at: shared.clock.now())
      shared.audit.note(.paired(device))
      return .paired(token: token.text, device: device.id.description)
    } catch {
      if case .tooManyDevices = error { shared.counters.reached(.devicesPerAccountMax) }
      throw error
    }
  }

  private func makeCode(
    _ account: String, _ kind: String, _ name: String?
  ) throws -> AdminResponse {
    let listed = try shared.registry.account(named: account)
    guard let deviceKind = DeviceKind(word: kind) else { return Self.unknownKind(kind) }
    if let name, !isTypedName(name) {
      return .failed(Self.nameRule("a device", ActionLimits.nameBytesMax))
    }
    let (code, until) = try shared.pairing.makeCode(
      account: listed, kind: deviceKind, name: name)
    return .code(code.text, until: until.rfc3339)
  }

  private func revoke(_ account: String, _ idOrName: String) async throws -> AdminResponse {
    let listed = try shared.registry.account(named: account)
    let device = try shared.registry.revoke(idOrName, of: listed.id, at: shared.clock.now())
    shared.audit.note(.revoked(device))
    let partition = partition(of: listed.id)
    // Its connections are cut before the command says so.
    await withCheckedContinuation { done in
      shared.outside(.cut(device)) {
        partition.enter {
          $0.revoked(device)
          done.resume()
        }
      }
    }
    return .done
  }

  private func readmit(_ account: String) throws -> AdminResponse {
    let listed = try shared.registry.account(named: account)
    guard try shared.poison.readmit(listed.id) else {
      return .failed(
        "the account \(account) is neither set aside nor left out when backups are verified")
    }
    return .done
  }

  private func check() async -> AdminResponse {
    guard let backups else { return .failed("this server has no files to check") }
    return .findings(await backups.check())
  }

  private func backUp(to target: String, keep: Int?) async -> AdminResponse {
    guard let backups else { return .failed("this server has no files to back up") }
    switch await backups.backUp(to: target, keep: keep) {
    case .success(let report): return .backedUp(report)
    case .failure(let error): return .failed("no backup was made: \(error)")
    }
  }

  private func setClock(to: Int64?, by: Int64?) async -> AdminResponse {
    let target =
      to.map(Instant.init(milliseconds:))
      ?? shared.clock.now().advanced(milliseconds: by ?? 0)
    guard shared.setClock(target) else {
      return .failed("the clock is the machine's: start the server with --test-clock to set it")
    }
    for partition in partitions {
      await withCheckedContinuation { done in
        shared.outside(.clockWasSet(partition: partition.index)) {
          partition.enter {
            $0.clockWasSet()
            done.resume()
          }
        }
      }
    }
    return .done
  }

  /// Numbered acts of a device of the account's own, exempt from rate limits.
  private func importWorkouts(_ account: String, _ bodies: [Data]) async throws -> AdminResponse {
    let listed = try shared.registry.account(named: account)
    let name = "Apple Health import"
    let device =
      try shared.registry.devices(of: listed.id)
      .first { $0.kind == .health && Array($0.name.utf8) == Array(name.utf8) }
      ?? shared.registry.addDevice(
        account: listed.id, kind: .health, name: name, devicesMax: .max, at: shared.clock.now()
      ).device
    let partition = partition(of: listed.id)
    let outcomes = await withCheckedContinuation { done in
      let bodies = bodies.map(Array.init)
      shared.outside(.importBodies(device, bodies)) {
        partition.enter { $0.importBodies(bodies, by: device) { done.resume(returning: $0) } }
      }
    }
    guard let outcomes else {
      return .failed("nothing was imported: no free space, or the account cannot be read")
    }
    var response = (logged: 0, known: 0, refused: [String]())
    for outcome in outcomes {
      switch outcome {
      case .applied: response.logged += 1
      case .refused(.known): response.known += 1
      case .refused(let reason):
        response.refused.append(reason.detail.map { "\(reason.word): \($0)" } ?? reason.word)
      case .expired: response.refused.append("expired")
      }
    }
    return .imported(
      logged: response.logged, known: response.known, refused: response.refused)
  }

  private func status() -> ServerStatus {
    let counters = shared.counters
    let listed = shared.registry.counts
    let continuity = shared.continuity.statusOfAll(at: shared.clock.now())
    return ServerStatus(
      version: "\(protocolVersion)", epoch: shared.epoch.description,
      clock: shared.clock.now().rfc3339, accounts: listed.accounts, devices: listed.devices,
      connections: counters.connections.value,
      commits: counters.commits.value,
      entries: counters.entries.value,
      actions: ServerStatus.Actions(
        received: counters.received.value,
        durable: max(
          0,
          counters.applied.value + counters.refused.value + counters.expired.value
            - counters.waiting.value),
        applied: counters.applied.value,
        refused: counters.refused.value,
        expired: counters.expired.value),
      held: counters.held.value,
      conflicts: counters.conflicts.value, settled: counters.settled.value,
      missing: counters.missing.value,
      fetched: counters.fetched.value,
      updates: counters.updates.value, pulses: counters.pulses.value,
      pulsesDropped: counters.pulsesDropped.value,
      recoveredRows: counters.recoveredRows.value,
      waiting: counters.waiting.value, shown: counters.shown.value,
      owedUpdates: counters.owedUpdates.value,
      unsentBytes: counters.unsentBytes.value,
      closed: counters.closedByReason, alarms: counters.alarms,
      freeBytes: shared.space.freeBytes, acceptsActs: shared.space.acceptsActs,
      continuity: continuity.state.word, backedUpAt: continuity.copiedAt?.rfc3339,
      limits: Dictionary(uniqueKeysWithValues: shared.limits.lines.map { ($0.name, $0.value) }),
      limitUse: shared.limitUse, limitRefusals: shared.limitRefusals)
  }

  func partition(of account: AccountID) -> Partition {
    partitions[Int(account.low % UInt64(partitions.count))]
  }

  private static func unknownKind(_ kind: String) -> AdminResponse {
    let words = DeviceKind.allCases.map(\.word).joined(separator: ", ")
    return .failed("there is no kind \(kind); one of \(words)")
  }

  private static func nameRule(_ whose: String, _ bytesMax: Int) -> String {
    "\(whose)'s name has 1 to \(bytesMax) bytes, something visible in it, and no control "
      + "characters, line breaks or marks that turn the direction of text"
  }

  private static func text(_ error: RegistryError) -> String {
    switch error {
    case .noSuchAccount(let name): "there is no account \(name)"
    case .noSuchDevice(let name): "the account has no device \(name)"
    case .ambiguousDevice(let name, let found):
      "several devices are called \(name): name one by its id: "
        + found.map { "\($0.id) (\($0.kind.word))" }.joined(separator: ", ")
    case .accountExists(let name): "there is an account \(name) already"
    case .invalidName: "a name has 1 to \(StorageLimits.nameBytesMax) bytes"
    case .tooManyDevices(let max):
      "the account has \(max) devices, as many as it may (devicesPerAccountMax): revoke one"
    case .tooManyCodes(let max):
      "\(max) pairing codes live, as many as there may be (codesMax): wait until they expire"
    case .storage(let problem): problem
    }
  }
}
