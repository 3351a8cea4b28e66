internal import Storage
internal import WatchTransfer

/// The newest pulse of the session that runs, in memory alone.
struct LivePulse {
  let session: SessionID
  /// The device that measured it.
  let recorder: DeviceID
  /// When it was measured, and when it is over, by the monotonic clock: a wall clock that is set
  /// back neither extends it nor holds up the next.
  let measuredAt: Int64
  let deadline: Int64
  /// What surfaces are told; nil: it says that there is nothing.
  let reading: LiveReading?
  /// The batch that has what it speaks of: before that is durable, nobody is told.
  var batch: UInt64

  /// What a surface may be told now; nil: nothing. No moment of it lies in the past.
  func reading(at now: Instant, monotonic: Int64) -> LiveReading? {
    guard var reading, !isOver(at: now, monotonic: monotonic) else { return nil }
    if reading.isStale(at: now) { reading.staleAt = nil }
    return reading
  }

  /// Whether it says nothing any more.
  func isOver(at now: Instant, monotonic: Int64) -> Bool {
    monotonic >= deadline || reading?.isExpired(at: now) ?? false
  }

  /// Appends its fields; at a quiet moment every batch is durable.
  func encode(into writer: inout ByteWriter) {
    writer.identifier(session)
    writer.identifier(recorder)
    writer.signed(measuredAt)
    writer.signed(deadline)
    writer.optional(reading) { writer, reading in
      writer.instant(reading.observedAt)
      writer.signed(reading.cadenceMilliseconds)
      writer.optional(reading.staleAt) { $0.instant($1) }
      writer.instant(reading.expiresAt)
      writer.optional(reading.heartRate) { $0.double($1) }
      writer.optional(reading.energyKilocalories) { $0.double($1) }
      writer.optional(reading.distanceMeters) { $0.double($1) }
      writer.text(reading.text)
      writer.text(reading.spoken)
    }
  }
}

extension LivePulse {
  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    let session: SessionID = try reader.identifier()
    let recorder: DeviceID = try reader.identifier()
    self.session = session
    self.recorder = recorder
    measuredAt = try reader.signed()
    deadline = try reader.signed()
    reading = try reader.optional { (reader) throws(StoredFormError) in
      let observedAt = try reader.instant()
      let cadence = try reader.signed()
      let staleAt = try reader.optional { (reader) throws(StoredFormError) in
        try reader.instant()
      }
      let expiresAt = try reader.instant()
      let figures = [
        try Self.figure(&reader), try Self.figure(&reader), try Self.figure(&reader),
      ]
      var value = LiveReading(
        session: session, recorder: recorder, observedAt: observedAt,
        cadenceMilliseconds: cadence, staleAt: staleAt, expiresAt: expiresAt,
        text: try reader.text(), spoken: try reader.text())
      value.heartRate = figures[0]
      value.energyKilocalories = figures[1]
      value.distanceMeters = figures[2]
      return value
    }
    batch = 0
  }

  private static func figure(_ reader: inout ByteReader) throws(StoredFormError) -> Double? {
    try reader.optional { (reader) throws(StoredFormError) in try reader.double() }
  }
}
