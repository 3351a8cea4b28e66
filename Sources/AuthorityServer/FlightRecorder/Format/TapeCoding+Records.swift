internal import Storage
internal import Transport
internal import WatchTransfer

extension TapeRecord {
  /// Appends its kind and its fields.
  func encode(into writer: inout ByteWriter, _ context: inout TapeContext) {
    switch self {
    case .begin(let state):
      writer.byte(1)
      writer.blob(state)
    case .event(let event):
      writer.byte(2)
      event.encode(into: &writer, &context)
    case .command(let command):
      writer.byte(3)
      command.encode(into: &writer)
    case .loaded(let account, let checkpoint):
      writer.byte(4)
      writer.identifier(account)
      writer.optional(checkpoint) { writer, checkpoint in
        writer.signed(checkpoint.throughRow)
        writer.blob(checkpoint.state)
        writer.blob(checkpoint.ledger)
        writer.blob(checkpoint.facets)
      }
    case .unreadable(let account):
      writer.byte(5)
      writer.identifier(account)
    case .appended(let first, let hashes):
      writer.byte(6)
      writer.signed(first)
      writer.list(hashes) { $0.unsigned($1) }
    case .checkpointed(let isStored):
      writer.byte(7)
      writer.flag(isStored)
    case .ended: writer.byte(8)
    case .attachment(let key, let range, let bytes, let isRead):
      writer.byte(9)
      writer.key(key)
      writer.signed(range.lowerBound)
      writer.signed(range.upperBound)
      writer.optional(bytes) { $0.blob($1) }
      writer.flag(isRead)
    case .compared(let key, let isSame):
      writer.byte(10)
      writer.key(key)
      writer.optional(isSame) { $0.flag($1) }
    }
  }

  /// Reads what `encode` wrote, and nothing more.
  init(_ bytes: [UInt8], _ context: inout TapeContext) throws(StoredFormError) {
    var reader = ByteReader(bytes)
    switch try reader.byte() {
    case 1: self = .begin(try reader.blob())
    case 2: self = .event(try TapeEvent(from: &reader, &context))
    case 3: self = .command(try OutsideCommand(from: &reader))
    case 4:
      let account: AccountID = try reader.identifier()
      self = .loaded(
        account,
        try reader.optional { (reader) throws(StoredFormError) in
          AccountCheckpoint(
            account: account, throughRow: try reader.signed(), state: try reader.blob(),
            ledger: try reader.blob(), facets: try reader.blob())
        })
    case 5: self = .unreadable(try reader.identifier())
    case 6:
      self = .appended(
        first: try reader.signed(),
        try reader.list { (reader) throws(StoredFormError) in try reader.unsigned() })
    case 7: self = .checkpointed(try reader.flag())
    case 8: self = .ended
    case 9:
      self = .attachment(
        try reader.key(), try reader.range(),
        try reader.optional { (reader) throws(StoredFormError) in try reader.blob() },
        isRead: try reader.flag())
    case 10:
      self = .compared(
        try reader.key(),
        try reader.optional { (reader) throws(StoredFormError) in try reader.flag() })
    case let other: throw .unknownTag(UInt64(other), of: "record")
    }
    try reader.expectEnd()
  }
}

extension OutsideCommand {
  /// Appends its kind and its fields.
  func encode(into writer: inout ByteWriter) {
    switch self {
    case .receive(let peer):
      writer.byte(1)
      writer.peer(peer)
    case .registry(.account(let account)):
      writer.byte(2)
      writer.listed(account)
    case .registry(.device(let device, let hash)):
      writer.byte(3)
      writer.device(device)
      writer.blob(hash.bytes)
    case .registry(.revoked(let device)):
      writer.byte(4)
      writer.identifier(device)
    case .registry(.erased(let account)):
      writer.byte(13)
      writer.identifier(account)
    case .erase(let account):
      writer.byte(14)
      writer.identifier(account)
    case .export(let account):
      writer.byte(16)
      writer.identifier(account)
    case .setZone(let account, let zone):
      writer.byte(15)
      writer.identifier(account)
      writer.text(zone)
    case .setClock(let offset):
      writer.byte(5)
      writer.signed(offset)
    case .clockWasSet(let partition):
      writer.byte(6)
      writer.count(partition)
    case .whenDurable(let account):
      writer.byte(7)
      writer.identifier(account)
    case .importBodies(let device, let bodies):
      writer.byte(8)
      writer.device(device)
      writer.list(bodies) { $0.blob($1) }
    case .cut(let device):
      writer.byte(9)
      writer.device(device)
    case .backups(let bytes):
      writer.byte(11)
      writer.blob(bytes)
    case .mend(let account):
      writer.byte(12)
      writer.identifier(account)
    case .redeemed(let connection, let outcome):
      writer.byte(10)
      writer.connection(connection)
      writer.outcome(outcome)
    }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    switch try reader.byte() {
    case 1: self = .receive(try reader.peer())
    case 2: self = .registry(.account(try reader.listed()))
    case 3: self = .registry(.device(try reader.device(), TokenHash(stored: try reader.blob())))
    case 4: self = .registry(.revoked(try reader.identifier()))
    case 5: self = .setClock(offset: try reader.signed())
    case 6: self = .clockWasSet(partition: try reader.whole())
    case 7: self = .whenDurable(try reader.identifier())
    case 8:
      self = .importBodies(
        try reader.device(),
        try reader.list { (reader) throws(StoredFormError) in try reader.blob() })
    case 9: self = .cut(try reader.device())
    case 10: self = .redeemed(try reader.connection(), try reader.outcome())
    case 11: self = .backups(try reader.blob())
    case 12: self = .mend(try reader.identifier())
    case 13: self = .registry(.erased(try reader.identifier()))
    case 14: self = .erase(try reader.identifier())
    case 16: self = .export(try reader.identifier())
    case 15: self = .setZone(try reader.identifier(), try reader.text())
    case let other: throw .unknownTag(UInt64(other), of: "command")
    }
  }
}

extension ByteWriter {
  /// A peer: its kind, then its user or the 16 bytes of its address.
  mutating func peer(_ peer: PeerAddress) {
    switch peer {
    case .unix(let user):
      byte(0)
      unsigned(UInt64(user))
    case .internet(let address):
      byte(1)
      blob(address.bytes)
    }
  }

  /// Whose attachment, and its hash.
  mutating func key(_ key: AttachmentKey) {
    identifier(key.account)
    blob(key.hash.bytes)
  }

  /// What came of a code.
  mutating func outcome(_ outcome: PairingDesk.Outcome) {
    switch outcome {
    case .device(let device):
      byte(0)
      self.device(device)
    case .revoked: byte(1)
    case .refused: byte(2)
    case .delayed(let milliseconds):
      byte(3)
      signed(milliseconds)
    case .noRoom: byte(4)
    case .failed: byte(5)
    }
  }

  /// A device and whose it is.
  mutating func device(_ device: PairedDevice) {
    identifier(device.id)
    identifier(device.account)
    byte(device.kind.rawValue)
    text(device.name)
  }

  /// An account of the list.
  mutating func listed(_ account: ListedAccount) {
    identifier(account.id)
    text(account.name)
    text(account.zoneID)
    instant(account.created)
  }
}

extension ByteReader {
  /// What `peer` wrote.
  mutating func peer() throws(StoredFormError) -> PeerAddress {
    switch try byte() {
    case 0:
      guard let user = UInt32(exactly: try unsigned()) else { throw .outOfRange(of: "user") }
      return .unix(user: user)
    case 1:
      guard let address = IPAddress(bytes: try blob()) else { throw .outOfRange(of: "address") }
      return .internet(address)
    case let other: throw .unknownTag(UInt64(other), of: "peer")
    }
  }

  /// What `key` wrote.
  mutating func key() throws(StoredFormError) -> AttachmentKey {
    let account: AccountID = try identifier()
    guard let hash = AttachmentHash(bytes: try blob()) else { throw .outOfRange(of: "hash") }
    return AttachmentKey(account: account, hash: hash)
  }

  /// Two bounds in order.
  mutating func range() throws(StoredFormError) -> Range<Int64> {
    let (start, end) = (try signed(), try signed())
    guard start <= end else { throw .outOfRange(of: "range") }
    return start..<end
  }

  /// What `outcome` wrote.
  mutating func outcome() throws(StoredFormError) -> PairingDesk.Outcome {
    switch try byte() {
    case 0: return .device(try device())
    case 1: return .revoked
    case 2: return .refused
    case 3: return .delayed(try signed())
    case 4: return .noRoom
    case 5: return .failed
    case let other: throw .unknownTag(UInt64(other), of: "outcome of a code")
    }
  }

  /// What `device` wrote.
  mutating func device() throws(StoredFormError) -> PairedDevice {
    PairedDevice(
      id: try identifier(), account: try identifier(), kind: try choice(of: "device kind"),
      name: try text())
  }

  /// What `listed` wrote.
  mutating func listed() throws(StoredFormError) -> ListedAccount {
    ListedAccount(
      id: try identifier(), name: try text(), zoneID: try text(), created: try instant())
  }
}
