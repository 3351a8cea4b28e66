internal import Guards
internal import Transport
internal import WatchTransfer

/// Makes pairing codes and redeems them. What it does comes one after the other on a queue of its
/// own, so that no code is redeemed twice, and no disk is waited for by the lobby.
final class PairingDesk: Sendable {
  /// What a greeting with a code comes to.
  enum Outcome: Sendable {
    /// The device whose token the secret is, now or since an earlier try.
    case device(PairedDevice)
    /// The secret is a revoked token.
    case revoked
    /// There is no such code, any more or at all.
    case refused
    /// The address has to wait, in milliseconds.
    case delayed(Int64)
    /// The code is good, and stays so, but the device could not be taken in: its account is full.
    case noRoom
    /// The same, as the list of devices could not be written.
    case failed
  }

  private let registry: DeviceRegistry
  private let limits: ServerLimits
  private let clock: AuthorityClock
  private let machine: any Machine
  private let counters: Counters
  private let audit: AuditLog
  private let queue: any WorkQueue
  private let book = Lock(CodeBook())

  /// What its queue is called.
  static let queueLabel = "wristwire.pairing"

  init(_ parts: ServerParts) {
    registry = parts.registry
    limits = parts.limits
    clock = parts.clock
    machine = parts.machine
    counters = parts.counters
    audit = parts.audit
    queue = parts.machine.queue(label: Self.queueLabel)
  }

  /// How many codes live.
  var liveCount: Int { book.withLock { $0.count } }

  /// Makes a code that pairs one device of `kind`, and says until when.
  func makeCode(
    account: ListedAccount, kind: DeviceKind, name: String?
  ) throws(RegistryError) -> (code: PairingCode, until: Instant) {
    expire()
    if registry.deviceCount(of: account.id) >= limits.devicesPerAccountMax {
      counters.reached(.devicesPerAccountMax)
      throw .tooManyDevices(max: limits.devicesPerAccountMax)
    }
    let now = clock.now()
    let span = Int64(limits.codeSeconds) * 1_000
    let until = now.advanced(milliseconds: span)
    let deadline = clock.monotonic() + span
    let made = book.withLock { book -> PairingCode? in
      guard book.count < limits.codesMax else { return nil }
      var code = PairingCode(number: machine.random())
      while book.has(code) { code = PairingCode(number: machine.random()) }
      _ = book.add(
        code, salt: salt(), account: account.id, kind: kind, name: name, until: until,
        deadline: deadline, tries: limits.codeTriesMax)
      return code
    }
    guard let made else {
      counters.reached(.codesMax)
      throw .tooManyCodes(max: limits.codesMax)
    }
    audit.note(.codeMade(account: account, kind: kind, until: until))
    return (made, until)
  }

  /// Redeems a code for the device that greets with `token` as its secret; `done` may be called on
  /// any queue. A token that is known already needs no code: so a device whose Welcome was lost
  /// greets again as it did before.
  func redeem(
    _ code: PairingCode, token: Token, deviceName: String?, from peer: PeerAddress,
    _ done: @escaping @Sendable (Outcome) -> Void
  ) {
    queue.async { done(self.redeem(code, token, deviceName, peer)) }
  }

  private func redeem(
    _ code: PairingCode, _ token: Token, _ deviceName: String?, _ peer: PeerAddress
  ) -> Outcome {
    switch registry.authenticate(token) {
    case .device(let device): return .device(device)
    case .revoked: return .revoked
    case .unknown: break
    }
    expire()
    let (verdict, killed) = book.withLock {
      $0.judge(
        code, from: peer, delay: Int64(limits.codeDelayMilliseconds), at: clock.monotonic())
    }
    tell(killed, .triesSpent)
    switch verdict {
    case .granted(let grant):
      return pair(grant, token, deviceName, peer)
    case .refused:
      return .refused
    case .delayed(let milliseconds):
      counters.reached(.codeDelayMilliseconds)
      return .delayed(milliseconds)
    }
  }

  private func pair(
    _ grant: CodeBook.Grant, _ token: Token, _ deviceName: String?, _ peer: PeerAddress
  ) -> Outcome {
    do throws(RegistryError) {
      let device = try registry.addDevice(
        account: grant.account, kind: grant.kind,
        name: grant.name ?? deviceName ?? grant.kind.word, token: token,
        devicesMax: limits.devicesPerAccountMax, at: clock.now()
      ).device
      book.withLock { $0.spend(grant) }
      audit.note(.codeRedeemed(device, from: peer))
      return .device(device)
    } catch {
      if case .tooManyDevices = error {
        counters.reached(.devicesPerAccountMax)
        return .noRoom
      }
      counters.alarm("a code could not be redeemed: the list of devices cannot be written")
      return .failed
    }
  }

  /// Removes codes whose time is over, and says so; returns at once.
  func sweep() { queue.async { self.expire() } }

  private func expire() {
    let over = book.withLock { $0.expire(at: clock.now(), monotonic: clock.monotonic()) }
    tell(over, .expired)
  }

  private func tell(_ grants: [CodeBook.Grant], _ end: CodeBook.End) {
    for grant in grants {
      if end == .triesSpent { counters.reached(.codeTriesMax) }
      audit.note(.codeEnded(account: grant.account, kind: grant.kind, end))
    }
  }

  private func salt() -> [UInt8] {
    [machine.random(), machine.random()].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
    }
  }
}
