internal import Guards
internal import Transport

/// A limit that can turn somebody away or make him wait; named as in a limits file.
enum ReachedLimit: String, CaseIterable, Sendable {
  case clientFrameBytesMax
  case greetingFrameBytesMax
  case greetingMilliseconds
  case frameMilliseconds
  case bufferedBytesMax
  case idleMilliseconds
  case inFlightMax
  case stalledMilliseconds
  case connectionsMax
  case greetingConnectionsMax
  case connectionsPerAccountMax
  case connectionsPerAddressMax
  case wrongTokensPerAddressMax
  case actsPerSecond
  case fetchesPerSecond
  case queriesPerSecond
  case chunksPerSecond
  case resumesPerSecond
  case pingsPerSecond
  case pulsesPerSecond
  case replacementsPerSecond
  case reloadsPerDay
  case commitQueueMax
  case freeSpaceReserveBytes
  case devicesPerAccountMax
  case codesMax
  case codeTriesMax
  case codeDelayMilliseconds
}

/// What a partition holds that limits are about, as of its last look.
struct PartitionUse: Sendable {
  /// Connections of the account that has most.
  var connectionsOfOneAccount = 0
  /// Accounts in memory that nobody uses.
  var unusedAccounts = 0
}

extension SharedServices {
  /// How often each limit was reached since the start, by its name; all that can be.
  var limitRefusals: [String: Int] {
    let reached = counters.reachedLimits
    return Dictionary(
      uniqueKeysWithValues: ReachedLimit.allCases.map { ($0.rawValue, reached[$0] ?? 0) })
  }

  /// How much of each limit is used now, by its name, where it is about something that is there:
  /// of limits by account or address, the one that uses most.
  var limitUse: [String: Int] {
    let held = counters.heldByPartitions
    return [
      "connectionsMax": counters.connections.value + counters.greeting.value,
      "greetingConnectionsMax": counters.greeting.value,
      "bufferedBytesMax": budget.bytes,
      "connectionsPerAccountMax": held.connectionsOfOneAccount,
      "connectionsPerAddressMax": addresses.withLock { $0.mostConnections },
      "wrongTokensPerAddressMax": addresses.withLock { $0.mostWrongTokens },
      "devicesPerAccountMax": registry.mostDevices,
      "commitQueueMax": counters.waiting.value,
      "idleAccountsMax": held.unusedAccounts,
      "codesMax": pairing.liveCount,
      "auditFileBytes": audit.bytes,
    ]
  }
}
