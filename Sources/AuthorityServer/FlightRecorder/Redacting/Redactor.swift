internal import Authority
internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// Replaces what a record says of persons and what they keep secret, in everything that the server
/// was told: see `Placeholders` for texts. Numbers, times, ids and the spellings of known zones
/// stay, as do the names of the four measurable goals.
///
/// The bytes of clients are not read and written anew but overwritten in place, leaf by leaf: their
/// lengths, their order, what is unknown and what is broken in them stay what the core has to deal
/// with.
///
/// Unchecked: one thread redacts.
final class Redactor: @unchecked Sendable {
  /// A snapshot's hash that a client names in a fetch. Which one stands for it is known only once
  /// the replay has made the snapshot anew.
  struct HashPlace {
    /// Of its 8 bytes.
    var offset: Int
    var hash: UInt64
    var view: WidgetView
  }

  let placeholders: Placeholders
  private let zones: MachineZones
  private let decoder = MessageDecoder()
  private let encoder = MessageEncoder()
  /// Hashes of redacted bodies, by those of the originals.
  private var bodies: [UInt64: UInt64] = [:]
  /// Hashes of redacted tokens, by those of the originals.
  private var tokens: [TokenHash: TokenHash] = [:]
  /// Hashes of the snapshots that were made anew, by those of the originals.
  private var snapshots: [UInt64: UInt64] = [:]
  /// Ids of imported logs. They are hashes of a source's name and of times that stay, so that names
  /// could be tried until one fits: they are no ids to keep.
  private var importedLogs: Set<[UInt8]> = []

  /// What is being redacted now.
  private var isCutOff = false
  private var hidesIDs = false

  init(random: any RandomNumberGenerator) throws {
    placeholders = Placeholders(random: random)
    zones = try MachineZones()
  }

  /// How many tokens clients came with.
  var tokenCount: Int { tokens.count }

  // Bytes of clients.

  /// The payload of a frame; of one that is cut off, nobody knows what was to come.
  func frame(
    _ payload: [UInt8], isCutOff: Bool = false
  ) -> (bytes: [UInt8], hash: HashPlace?) {
    self.isCutOff = isCutOff
    defer { self.isCutOff = false }
    var bytes = payload
    var place: HashPlace?
    for leaf in wireLeaves(of: payload, as: .frame) {
      if leaf.kind == .field("known_hash"), let fetch = fetch(payload), let hash = fetch.knownHash {
        place = HashPlace(offset: leaf.range.lowerBound, hash: hash, view: fetch.view)
      }
      bytes.replaceSubrange(leaf.range, with: replacement(leaf.kind, Array(payload[leaf.range])))
    }
    return (bytes, place)
  }

  /// An encoded action. Ledgers know it by its hash: see `bodyHash`.
  func body(_ body: [UInt8]) -> [UInt8] {
    var bytes = body
    let leaves = wireLeaves(of: body, as: .body)
    noteImport(in: body, leaves)
    // Of what cannot be read to its end, or has fields of no such action, nobody knows whether it
    // was an import: a damaged tag makes any id of one.
    hidesIDs = isCutOff || leaves.contains { $0.kind == .broken || $0.kind == .unknown }
    defer { hidesIDs = false }
    for leaf in leaves {
      bytes.replaceSubrange(leaf.range, with: replacement(leaf.kind, Array(body[leaf.range])))
    }
    bodies[contentHash(body)] = contentHash(bytes)
    return bytes
  }

  /// Notes the ids of imported logs, before anything is redacted, so that they are replaced all
  /// over.
  func noteImports(inFrame payload: [UInt8]) {
    for leaf in wireLeaves(of: payload, as: .frame) where leaf.kind == .field("body") {
      noteImports(inBody: Array(payload[leaf.range]))
    }
  }

  /// See `noteImports(inFrame:)`.
  func noteImports(inBody body: [UInt8]) {
    noteImport(in: body, wireLeaves(of: body, as: .body))
  }

  private func noteImport(in body: [UInt8], _ leaves: [WireLeaf]) {
    guard leaves.contains(where: { $0.kind == .field("source_name") }) else { return }
    for leaf in leaves where leaf.kind == .field("log_id") {
      importedLogs.insert(Array(body[leaf.range]))
    }
  }

  /// See `noteImports(inFrame:)`.
  func noteImports(of state: AccountState) {
    for day in state.logs.days {
      for log in day.logs where log.sourceName != nil { importedLogs.insert(log.id.bytes) }
    }
  }

  /// A log's id.
  func log(_ id: LogID) -> LogID {
    importedLogs.contains(id.bytes) ? LogID(bytes: placeholders.noise(id.bytes)) ?? id : id
  }

  private func fetch(_ payload: [UInt8]) -> Fetch? {
    let message = payload.withUnsafeBytes { try? decoder.decodeClientMessage($0) }
    if case .fetch(let fetch)? = message { return fetch }
    return nil
  }

  /// What stands for a leaf: as many bytes. What this build does not know says nothing any more.
  private func replacement(_ kind: WireLeaf.Kind, _ bytes: [UInt8]) -> [UInt8] {
    guard case .field(let name) = kind else { return placeholders.noise(bytes) }
    switch name {
    case "token": return token(bytes)
    case "body": return body(bytes)
    case "log_id":
      let isKept = bytes.count == 16 && !hidesIDs && !importedLogs.contains(bytes)
      return isKept ? bytes : placeholders.noise(bytes)
    // One that is no hash stays none.
    case "content_hash" where bytes.allSatisfy { $0 == 0 }: return bytes
    case "boot_id": return bytes.count == 16 ? bytes : placeholders.noise(bytes)
    case "id", "match_id", "entry_id", "workout_id", "incarnation", "epoch", "account",
      "device", "device_id", "recorder", "session_id", "set_id", "exercise_id", "routine_id", "off",
      "on":
      return bytes.count == 16 && !hidesIDs ? bytes : placeholders.noise(bytes)
    case "title", "activity_type": return placeholders.text(bytes, as: .title)
    case "zone_id": return Array(zone(String(decoding: bytes, as: UTF8.self), bytes))
    case "name": return Self.isMeasurable(bytes) ? bytes : placeholders.text(bytes, as: .name)
    case "names", "notes", "text", "device_name", "home", "away", "source_name", "external_uuid",
      "code", "by":
      return placeholders.text(bytes, as: .name)
    case "detail":
      return Self.isDetail(String(decoding: bytes, as: UTF8.self))
        ? bytes : placeholders.text(bytes, as: .name)
    default: return placeholders.noise(bytes)
    }
  }

  private func token(_ bytes: [UInt8]) -> [UInt8] {
    let replaced = placeholders.token(bytes)
    tokens[TokenHash(of: bytes)] = TokenHash(of: replaced)
    return replaced
  }

  private static func isMeasurable(_ name: [UInt8]) -> Bool {
    measurableGoals.contains { Array($0.name.utf8) == name } || Array(weightGoal.utf8) == name
  }

  /// What the server itself says is wrong; a client may claim anything in a first receipt.
  private static let details: Set<String> = wireFieldNames.union([
    "active", "activityType", "averageHeartRate", "distance", "energy", "firstWeekday",
    "halfLength", "extraHalf", "number", "players", "bindings", "substitutions", "takeovers",
    "maximumHeartRate", "onboardingStep", "start", "end", "at", "value", "zone",
    "body", "exercises", "controls", "entries", "goals", "ids", "logs", "matches", "schedules",
    "workouts", "heartRate", "moves", "points", "position", "reps", "routines", "samples",
    "seconds", "sessions", "sets",
    "workouts", "timeOfDay", "firstDay", "weekdays", "weight", "day", "from", "notes", "tags",
    "streakDays", "edits", "weights", "freezes", "pauses", "photos",
  ])

  private static func isDetail(_ text: String) -> Bool {
    details.contains(text) || isRoutineDetail(text)
  }

  // Hashes.

  /// The hash of the body that stands for the one with `hash`. One that is not in the record is
  /// compared with nothing: it gets a number that says nothing, since a short body can be guessed
  /// from its hash.
  func bodyHash(_ hash: UInt64) -> UInt64 { bodies[hash] ?? placeholders.number(hash) }

  /// The hash of the token that stands for the one with `hash`.
  func tokenHash(_ hash: TokenHash) -> TokenHash {
    tokens[hash] ?? TokenHash(stored: placeholders.noise(hash.bytes))
  }

  /// A snapshot was made anew; whether that is news.
  @discardableResult
  func learn(snapshot hash: UInt64, is made: UInt64) -> Bool {
    snapshots.updateValue(made, forKey: hash) != made
  }

  /// The hash of the snapshot that stands for the one with `hash`; nil: it was not made yet.
  func snapshotHash(_ hash: UInt64) -> UInt64? { snapshots[hash] }

  // Values.

  /// A zone's spelling: what the machine knows stays.
  func zone(_ id: String) -> String { String(decoding: zone(id, Array(id.utf8)), as: UTF8.self) }

  private func zone(_ id: String, _ bytes: [UInt8]) -> [UInt8] {
    let moment = Instant(milliseconds: 0)
    return zones.rules(for: id, from: moment, to: moment) != nil
      ? bytes : placeholders.text(bytes, as: .zone)
  }

  /// A device with another name.
  func device(_ device: PairedDevice) -> PairedDevice {
    PairedDevice(
      id: device.id, account: device.account, kind: device.kind,
      name: placeholders.text(device.name))
  }

  /// An account with another name.
  func account(_ account: ListedAccount) -> ListedAccount {
    ListedAccount(
      id: account.id, name: placeholders.text(account.name), zoneID: zone(account.zoneID),
      created: account.created)
  }

  /// A goal's name.
  func goal(_ name: String) -> String {
    Self.isMeasurable(Array(name.utf8)) ? name : placeholders.text(name)
  }

  /// An outcome: a refusal that was brought by a client may name anything.
  func outcome(_ outcome: Outcome) -> Outcome {
    switch outcome {
    case .refused(.invalid(let field)) where !Self.isDetail(field):
      .refused(.invalid(field: placeholders.text(field)))
    case .refused(.limit(let what)) where !Self.isDetail(what):
      .refused(.limit(of: placeholders.text(what)))
    default: outcome
    }
  }

  /// What somebody outside did.
  func command(_ command: OutsideCommand) -> OutsideCommand {
    switch command {
    case .receive(let peer): .receive(placeholders.peer(peer))
    case .redeemed(let id, .device(let device)): .redeemed(id, .device(self.device(device)))
    case .registry(.account(let account)): .registry(.account(self.account(account)))
    case .registry(.device(let device, let hash)):
      .registry(.device(self.device(device), tokenHash(hash)))
    case .importBodies(let device, let bodies):
      .importBodies(self.device(device), bodies.map { body($0) })
    case .cut(let device): .cut(self.device(device))
    case .redeemed, .registry(.revoked), .registry(.erased), .setClock, .clockWasSet, .whenDurable,
      .mend, .backups, .erase, .export, .setZone:
      command
    }
  }

  /// Whom the server had crashed on.
  func crashes(_ record: CrashRecord) -> CrashRecord {
    var record = record
    record.suspects = record.suspects.mapValues { suspect in
      var suspect = suspect
      suspect.actions = Dictionary(
        suspect.actions.map { action, times in
          var action = action
          action.bodyHash = bodyHash(action.bodyHash)
          return (action, times)
        }, uniquingKeysWith: max)
      return suspect
    }
    return record
  }

  /// A frame of the server that a replay does not make: what it holds says nothing any more.
  func sent(_ frame: [UInt8]) -> [UInt8] {
    guard frame.count > 4 else { return frame }
    return Array(frame[..<4]) + self.frame(Array(frame[4...])).bytes
  }

  /// What stands for an attachment: its hash would tell who has the same photo.
  func attachment(_ hash: AttachmentHash) -> AttachmentHash {
    AttachmentHash(bytes: placeholders.noise(hash.bytes)) ?? hash
  }

  /// The same, with whose it is.
  func key(_ key: AttachmentKey) -> AttachmentKey {
    AttachmentKey(account: key.account, hash: attachment(key.hash))
  }

  // What is derived from an account.

  /// The facets of `state`, made anew of what stands for it.
  ///
  /// - Throws: `RedactionError.otherFacets` for a table that is not what this build makes of it.
  func table(
    _ table: FacetTable, of state: AccountState, redacted: AccountState, account: AccountID
  ) throws(RedactionError) -> FacetTable {
    var result = FacetTable()
    for kind in FacetKind.allCases {
      guard let facet = table[kind] else { continue }
      guard facet.content == encoder.encode(project(state, kind)) else {
        throw .otherFacets(account: account, kind)
      }
      result.putRecovered(
        kind, content: encoder.encode(project(redacted, kind)), revision: facet.revision)
    }
    return result
  }

  /// What stands for the hash of a snapshot that a client fetched before the record began.
  func fetched(
    _ hash: UInt64, _ view: WidgetView, of state: AccountState?, redacted: AccountState?
  ) -> UInt64 {
    if let known = snapshots[hash] { return known }
    if let state, let redacted, contentHash(encoder.encode(timeline(state, view))) == hash {
      let made = contentHash(encoder.encode(timeline(redacted, view)))
      learn(snapshot: hash, is: made)
      return made
    }
    return placeholders.number(hash)
  }
}
