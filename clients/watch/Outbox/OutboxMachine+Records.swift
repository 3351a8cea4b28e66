internal import WatchTransfer

/// Between the machine and its file.
extension OutboxMachine {
  /// The outbox as records: what a rewritten file holds.
  public var records: [OutboxRecord] {
    var records: [OutboxRecord] = []
    if let account { records.append(.account(account)) }
    if let zone { records.append(.zone(zone)) }
    for lane in lanes {
      records.append(.lane(lane.incarnation, oldest: lane.oldest))
      let numbered = lane.entries.enumerated().map { offset, entry in
        (lane.id(lane.oldest + ActionNumber(offset)), entry)
      }
      for (id, entry) in numbered where entry.body != nil {
        records += Self.records(of: entry, id)
      }
      // The numbers in between exist once those around them are there.
      for (id, entry) in numbered where entry.body == nil {
        records += Self.records(of: entry, id)
      }
    }
    return records
  }

  /// Takes a record of the file. One that does not continue what is there leaves what it can:
  /// numbers before it that are missing are damaged.
  public mutating func restore(_ record: OutboxRecord) {
    switch record {
    case .account(let account):
      self.account = account
    case .zone(let id):
      zone = id
    case .lane(let incarnation, let oldest):
      guard index(of: incarnation) == nil else { return }
      lanes.append(OutboxLane(incarnation: incarnation, oldest: oldest))
    case .submitted(let id, let body):
      let index = indexMaking(id)
      let next = lanes[index].next
      guard id.number >= next else { return }
      // Bounded: a number far ahead is as good as a lane that begins there.
      guard id.number - next <= OutboxLimits.window else {
        lanes[index] = OutboxLane(incarnation: id.incarnation, oldest: id.number)
        _ = lanes[index].append(OutboxEntry(body: body))
        return
      }
      for _ in next..<id.number {
        _ = lanes[index].append(OutboxEntry(body: nil, state: .quarantined(.damaged)))
      }
      _ = lanes[index].append(OutboxEntry(body: body))
    case .receipted(let receipt):
      set(.receipted(receipt.outcome), receipt.incarnation, receipt.number)
    case .quarantined(let id, let reason):
      set(.quarantined(reason), id.incarnation, id.number)
    case .dismissed(let id):
      set(.dismissed, id.incarnation, id.number)
    }
  }

  /// Takes over the incarnations of another outbox of the same account, as older ones than its own.
  public mutating func absorb(_ other: OutboxMachine) {
    // Where the device was when it last told the account.
    if let told = other.zone { zone = told }
    let known = Set(lanes.map(\.incarnation))
    var older = other.lanes.filter { !known.contains($0.incarnation) && !$0.entries.isEmpty }
    // As after any start: whatever they hold may have been sent.
    for index in older.indices { older[index].opened() }
    lanes.insert(contentsOf: older, at: 0)
  }

  private mutating func set(
    _ state: OutboxEntry.State, _ incarnation: IncarnationID, _ number: ActionNumber
  ) {
    guard let index = index(of: incarnation) else { return }
    lanes[index].set(state, of: number)
  }

  private mutating func indexMaking(_ id: IncarnationNumber) -> Int {
    if let index = index(of: id.incarnation) { return index }
    lanes.append(OutboxLane(incarnation: id.incarnation, oldest: id.number))
    return lanes.count - 1
  }

  private func index(of incarnation: IncarnationID) -> Int? {
    lanes.firstIndex { $0.incarnation == incarnation }
  }

  private static func records(of entry: OutboxEntry, _ id: IncarnationNumber) -> [OutboxRecord] {
    var records: [OutboxRecord] = []
    if let body = entry.body { records.append(.submitted(id, body: body)) }
    switch entry.state {
    case .waiting: break
    case .receipted(let outcome):
      records.append(
        .receipted(Receipt(incarnation: id.incarnation, number: id.number, outcome: outcome)))
    case .quarantined(let reason):
      records.append(.quarantined(id, reason))
    case .dismissed, .moved:
      records.append(.dismissed(id))
    }
    return records
  }
}
