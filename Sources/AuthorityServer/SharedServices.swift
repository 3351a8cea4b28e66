internal import Guards
internal import Transport
internal import WatchTransfer

/// What all parts of one server share.
final class SharedServices: Sendable {
  let machine: any Machine
  let limits: ServerLimits
  let clock: AuthorityClock
  let zones: any ZoneRulesSource
  let registry: DeviceRegistry
  let committer: Committer
  let counters: Counters
  /// This start of the server.
  let epoch: EpochID
  /// Names what facet rows are made by: see `facetBuild`.
  let build: String
  let connectionsMax: Int
  let space: any SpaceGauge
  let folded: FoldedRows
  let poison: PoisonGuard
  let continuity: Continuity
  /// Accounts that cannot be read, and must not be made again as if they were new.
  let withheld: Set<AccountID>
  let startedAt: Instant
  let audit: AuditLog
  let pairing: PairingDesk
  /// What records the run; nil: nothing.
  let tape: Tape?
  /// Met by the lobby and, when a connection of a limited address ends, by its partition.
  let addresses = Lock(AddressBook())

  init(
    _ parts: ServerParts, committer: Committer, folded: FoldedRows, withheld: Set<AccountID>
  ) {
    machine = parts.machine
    limits = parts.limits
    clock = parts.clock
    zones = parts.zones
    registry = parts.registry
    self.committer = committer
    counters = parts.counters
    epoch = parts.epoch
    build = facetBuild(parts.zones)
    connectionsMax = parts.connectionsMax
    space = parts.space
    self.folded = folded
    audit = parts.audit
    pairing = PairingDesk(parts)
    poison = parts.poison
    continuity = parts.continuity
    self.withheld = withheld
    startedAt = parts.startedAt ?? parts.clock.now()
    tape = parts.tape
  }

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
