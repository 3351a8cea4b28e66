internal import Storage
internal import WatchTransfer

/// Requests about whole accounts.
extension AdminService {
  /// A page of accounts, or one with its devices.
  func listAccounts(after: String?, named name: String?) throws -> AdminResponse {
    if let name {
      let listed = try shared.registry.account(named: name)
      var summary = summary(of: listed)
      summary.devices = shared.registry.devices(of: listed.id).map {
        AccountSummary.Device(id: $0.id.description, name: $0.name, kind: $0.kind.word)
      }
      return .accounts([summary])
    }
    let all = shared.registry.accounts
    let rest = all.drop { account in
      after.map { !$0.utf8.lexicographicallyPrecedes(account.name.utf8) } ?? false
    }
    return .accounts(rest.prefix(AccountSummary.pageMax).map(summary))
  }

  private func summary(of account: ListedAccount) -> AccountSummary {
    AccountSummary(
      name: account.name, id: account.id.description, zone: account.zoneID,
      created: account.created.rfc3339,
      deviceCount: shared.registry.deviceCount(of: account.id), devices: nil)
  }

  /// Moves an account to a zone that there is.
  func setZone(of name: String, to zone: String) async throws -> AdminResponse {
    let listed = try shared.registry.account(named: name)
    guard isZone(zone) else { return Self.unknownZone(zone) }
    let partition = partition(of: listed.id)
    let problem = await withCheckedContinuation { done in
      shared.outside(.setZone(listed.id, zone)) {
        partition.enter { $0.setZone(of: listed.id, to: zone) { done.resume(returning: $0) } }
      }
    }
    return problem.map { .failed("the account \(name) stays in its zone: \($0)") } ?? .done
  }

  /// Erases an account: first from the list, which is durable when it returns, then from the
  /// journal. What is left of it when that fails goes at the next start.
  func eraseAccount(_ name: String) async throws -> AdminResponse {
    let listed = try shared.registry.account(named: name)
    try shared.registry.erase(listed)
    shared.audit.note(.accountErased(listed))
    let partition = partition(of: listed.id)
    let error = await withCheckedContinuation { done in
      shared.outside(.erase(listed.id)) {
        partition.enter { $0.erase(listed.id) { done.resume(returning: $0) } }
      }
    }
    guard let error else { return .done }
    return .failed(
      "the account \(name) and its devices are gone from the list, but the journal still has some "
        + "of it, which goes at the server's next start: \(error)")
  }

  /// Whether the zone database knows `zone`.
  func isZone(_ zone: String) -> Bool {
    let now = shared.clock.now()
    return shared.zones.rules(for: zone, from: now, to: now) != nil
  }

  /// What is said of a zone that there is not.
  static func unknownZone(_ zone: String) -> AdminResponse {
    .failed("there is no time zone \(zone); an IANA id is needed, such as Europe/Berlin")
  }
}
