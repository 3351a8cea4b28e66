internal import Guards
internal import Transport
internal import WatchTransfer

/// What all parts of one server share: what it was made of, and what was made of that.
final class SharedServices: Sendable {
  private let parts: ServerParts
  let committer: Committer
  /// Names what facet rows are made by: see `facetBuild`.
  let build: String
  let folded: FoldedRows
  /// Accounts that cannot be read, and must not be made again as if they were new.
  let withheld: Set<AccountID>
  let startedAt: Instant
  let pairing: PairingDesk
  /// What the buffers of all connections may take.
  let budget: BufferBudget
  /// Met by the lobby and, when a connection of a limited address ends, by its partition.
  let addresses = Lock(AddressBook())

  init(
    _ parts: ServerParts, committer: Committer, folded: FoldedRows, withheld: Set<AccountID>
  ) {
    self.parts = parts
    self.committer = committer
    build = facetBuild(parts.zones)
    self.folded = folded
    self.withheld = withheld
    startedAt = parts.startedAt ?? parts.clock.now()
    pairing = PairingDesk(parts)
    budget = BufferBudget(bytesMax: parts.limits.bufferedBytesMax)
  }

  var machine: any Machine { parts.machine }
  var limits: ServerLimits { parts.limits }
  var clock: AuthorityClock { parts.clock }
  var zones: any ZoneRulesSource { parts.zones }
  var registry: DeviceRegistry { parts.registry }
  var counters: Counters { parts.counters }
  var epoch: EpochID { parts.epoch }
  var connectionsMax: Int { parts.connectionsMax }
  var space: any SpaceGauge { parts.space }
  var audit: AuditLog { parts.audit }
  var poison: PoisonGuard { parts.poison }
  var continuity: Continuity { parts.continuity }
  var tape: Tape? { parts.tape }

  /// Does what a command from outside the queues does, and takes it down where the run is recorded.
  func outside(_ command: @autoclosure () -> OutsideCommand, _ body: () -> Void) {
    guard let tape else { return body() }
    tape.outside(command(), body)
  }
}

extension SharedServices {
  /// Has the audit log count a goodbye that tells of something wrong.
  func noteGoodbye(_ reason: Goodbye.Reason, to peer: PeerAddress) {
    switch reason {
    case .malformed, .frameTooLarge, .protocolError, .unsupportedVersion, .unauthenticated,
      .revoked, .forbidden, .replaced, .tooMany, .internalError, .codeRefused:
      audit.count(.goodbye, reason.word, from: peer)
    case .idle, .stalled, .shuttingDown:
      break
    }
  }
}
