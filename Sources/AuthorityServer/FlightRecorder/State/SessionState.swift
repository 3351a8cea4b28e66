internal import Authority
internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// The build that stands in a segment's facet tables: theirs is the segment's own.
private let tableBuild = ""

extension Account {
  /// Appends what is kept of it, its devices included; its connections are their sessions'.
  func encode(into writer: inout ByteWriter) {
    writer.identifier(id)
    writer.optional(record) { writer, record in
      writer.blob(record.encodedState)
      writer.blob(record.encodedLedger)
    }
    writer.optional(turnedBeforeLeaving) { $0.instant($1) }
    writer.blob(published.encoded(build: tableBuild))
    writer.optional(projected == published ? nil : projected) {
      $0.blob($1.encoded(build: tableBuild))
    }
    writer.unsigned(publishedRevision)
    writer.optional(publishedEpoch) { $0.identifier($1) }
    writer.optional(dirtySinceRow) { $0.signed($1) }
    writer.signed(dirtySince)
    writer.list(settled.sorted { ($0.incarnation, $0.number) < ($1.incarnation, $1.number) }) {
      $0.identifier($1.incarnation)
      $0.unsigned($1.number)
    }
    writer.signed(usedAt)
    writer.optional(live) { $1.encode(into: &$0) }
    writer.list(devices.values.sorted { $0.device.id < $1.device.id }) { $1.encode(into: &$0) }
  }

  /// Reads what `encode` wrote.
  convenience init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(id: try reader.identifier())
    if try reader.flag() {
      record = HeldRecord(
        try AccountRecord(state: try reader.blob(), ledger: try reader.blob()))
    }
    turnedBeforeLeaving = try reader.optional { (reader) throws(StoredFormError) in
      try reader.instant()
    }
    published = try Self.table(try reader.blob())
    projected = try reader.flag() ? try Self.table(try reader.blob()) : published
    publishedRevision = try reader.unsigned()
    publishedEpoch = try reader.optional { (reader) throws(StoredFormError) in
      try reader.identifier()
    }
    dirtySinceRow = try reader.optional { (reader) throws(StoredFormError) in try reader.signed() }
    dirtySince = try reader.signed()
    for _ in 0..<(try reader.count()) {
      settled.insert(
        IncarnationNumber(incarnation: try reader.identifier(), number: try reader.unsigned()))
    }
    usedAt = try reader.signed()
    live = try reader.optional { (reader) throws(StoredFormError) in
      try LivePulse(from: &reader)
    }
    for _ in 0..<(try reader.count()) {
      let state = try DeviceState(from: &reader)
      devices[state.device.id] = state
    }
  }

  private static func table(_ bytes: [UInt8]) throws(StoredFormError) -> FacetTable {
    try FacetTable.decoded(bytes, build: tableBuild) ?? FacetTable()
  }
}

extension DeviceState {
  /// Appends what is known of it.
  func encode(into writer: inout ByteWriter) {
    writer.device(device)
    clock.encode(into: &writer)
    writer.unsigned(pending)
    writer.signed(heardAt)
    acts.encode(into: &writer)
    fetches.encode(into: &writer)
    queries.encode(into: &writer)
    chunks.encode(into: &writer)
    resumes.encode(into: &writer)
    pings.encode(into: &writer)
    pulses.encode(into: &writer)
    replacements.encode(into: &writer)
    writer.flag(isShownPresent)
    writer.unsigned(shownPending)
  }

  /// Reads what `encode` wrote.
  convenience init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(device: try reader.device())
    clock = try ClockEstimator(from: &reader)
    pending = try reader.unsigned()
    heardAt = try reader.signed()
    acts = try TokenBucket(from: &reader)
    fetches = try TokenBucket(from: &reader)
    queries = try TokenBucket(from: &reader)
    chunks = try TokenBucket(from: &reader)
    resumes = try TokenBucket(from: &reader)
    pings = try TokenBucket(from: &reader)
    pulses = try TokenBucket(from: &reader)
    replacements = try TokenBucket(from: &reader)
    isShownPresent = try reader.flag()
    shownPending = try reader.unsigned()
  }
}

extension TokenBucket {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.optional(level) { $0.signed(Int64($1)) }
    writer.signed(filledAt)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init()
    let level = try reader.optional { (reader) throws(StoredFormError) in try reader.signed() }
    self.level = level.map { Int($0) }
    filledAt = try reader.signed()
  }
}

extension ClockEstimator {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.optional(boot) { $0.identifier($1) }
    writer.list(samples) {
      $0.signed($1.offset)
      $0.signed($1.roundTrip)
    }
    writer.optional(greeting) {
      $0.identifier($1.boot)
      $0.signed($1.offset)
    }
    writer.optional(newest) {
      $0.identifier($1.reading.id)
      $0.signed($1.reading.milliseconds)
      $0.signed($1.instant.milliseconds)
    }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init()
    boot = try reader.optional { (reader) throws(StoredFormError) in try reader.identifier() }
    samples = try reader.list { (reader) throws(StoredFormError) in
      Sample(offset: try reader.signed(), roundTrip: try reader.signed())
    }
    if try reader.flag() {
      greeting = (boot: try reader.identifier(), offset: try reader.signed())
    }
    if try reader.flag() {
      let reading = BootReading(
        id: try reader.identifier(), milliseconds: try reader.signed())
      newest = (reading: reading, instant: Instant(milliseconds: try reader.signed()))
    }
  }
}

extension Session {
  /// Whether nothing of it waits.
  var isQuiet: Bool { waiting == 0 && dismissal == nil && !hasReadingsWaiting }

  /// Appends what is kept of it. Acts and views go as the frames that a client sends.
  func encode(into writer: inout ByteWriter, _ encoder: MessageEncoder) {
    writer.connection(connection)
    writer.device(device)
    writer.signed(minimumInterval)
    writer.signed(heardAt)
    writer.flag(isWelcomed)
    writer.unsigned(sent)
    writer.optional(resumeFrom) { $0.unsigned($1) }
    writer.signed(nextUpdateAt)
    writer.list(dirtyReadings.sorted { $0.rawValue < $1.rawValue }) { $0.byte($1.rawValue) }
    writer.signed(readingsSentAt)
    writer.flag(showsLive)
    writer.flag(isPaused)
    writer.flag(isThrottled)
    writer.flag(hasEnded)
    writer.list(ignored.sorted()) { $0.identifier($1) }
    writer.list(heldAt.sorted { $0.key < $1.key }) {
      $0.identifier($1.key)
      $0.unsigned($1.value)
    }
    writer.list(unmeasured) { $0.blob(encoder.frame(.act($1))) }
    writer.signed(measureDeadline)
    writer.optional(ping) {
      $0.unsigned($1.nonce)
      $0.signed($1.sentAt)
    }
    writer.signed(sampledAt)
    let views = fetched.map { encoder.frame(.fetch(Fetch(view: $0.key, knownHash: $0.value))) }
    writer.list(views.sorted { $0.lexicographicallyPrecedes($1) }) { $0.blob($1) }
    writer.list(reloads.sorted { $0.key.rawValue < $1.key.rawValue }) { writer, owed in
      writer.byte(owed.key.rawValue)
      writer.signed(owed.value.dueAt)
      writer.optional(owed.value.toldAt) { $0.signed($1) }
      writer.byte(UInt8(owed.value.told))
      writer.flag(owed.value.isBigMoment)
    }
    writer.flag(deviceState.session === self)
  }

  /// Reads what `encode` wrote, from `isWelcomed` on and but for the last flag.
  func restore(
    _ reader: inout ByteReader, _ decoder: MessageDecoder
  ) throws(StoredFormError) {
    isWelcomed = try reader.flag()
    sent = try reader.unsigned()
    resumeFrom = try reader.optional { (reader) throws(StoredFormError) in try reader.unsigned() }
    nextUpdateAt = try reader.signed()
    for _ in 0..<(try reader.count()) { dirtyReadings.insert(try reader.choice(of: "reading")) }
    readingsSentAt = try reader.signed()
    showsLive = try reader.flag()
    isPaused = try reader.flag()
    isThrottled = try reader.flag()
    hasEnded = try reader.flag()
    for _ in 0..<(try reader.count()) { ignored.insert(try reader.identifier()) }
    for _ in 0..<(try reader.count()) {
      let incarnation: IncarnationID = try reader.identifier()
      heldAt[incarnation] = try reader.unsigned()
    }
    for _ in 0..<(try reader.count()) {
      guard case .act(let act) = try Self.message(try reader.blob(), decoder) else {
        throw .outOfRange(of: "act")
      }
      unmeasured.append(act)
    }
    measureDeadline = try reader.signed()
    if try reader.flag() { ping = (nonce: try reader.unsigned(), sentAt: try reader.signed()) }
    sampledAt = try reader.signed()
    for _ in 0..<(try reader.count()) {
      guard case .fetch(let fetch) = try Self.message(try reader.blob(), decoder) else {
        throw .outOfRange(of: "view")
      }
      fetched[fetch.view] = fetch.knownHash
    }
    for _ in 0..<(try reader.count()) {
      let kind: WidgetKind = try reader.choice(of: "widget")
      var owed = OwedReload(at: try reader.signed(), isBigMoment: false)
      owed.toldAt = try reader.optional { (reader) throws(StoredFormError) in try reader.signed() }
      owed.told = Int(try reader.byte())
      guard OwedReload.toldRange.contains(owed.told) else { throw .outOfRange(of: "told") }
      owed.isBigMoment = try reader.flag()
      reloads[kind] = owed
    }
  }

  private static func message(
    _ frame: [UInt8], _ decoder: MessageDecoder
  ) throws(StoredFormError) -> ClientMessage {
    let payload = frame.dropFirst(4)
    let message = payload.withUnsafeBytes { try? decoder.decodeClientMessage($0) }
    guard let message else { throw .outOfRange(of: "frame") }
    return message
  }
}
