public import WatchTransfer

/// Readings as JSON.
public enum ReadingJSON {
  /// All of `readings`, by name, in the order of their kinds.
  public static func object(of readings: [ReadingKind: Reading]) -> JSONValue {
    .object(
      ReadingKind.allCases.compactMap { kind in
        readings[kind].map { (kind.word, value(of: $0)) }
      })
  }

  /// One reading.
  public static func value(of reading: Reading) -> JSONValue {
    switch reading {
    case .presence(let devices): .array(devices.map(value))
    case .delivery(let delivery): value(of: delivery)
    case .continuity(let continuity):
      .object([
        ("state", .string(continuity.state.word)),
        ("copiedAt", continuity.copiedAt.map { .instant($0) } ?? .null),
        ("text", .string(continuity.text)),
      ])
    case .live(let live): live.map(value) ?? .null
    }
  }

  private static func value(of live: LiveReading) -> JSONValue {
    .object([
      ("session", .string(live.session.description)),
      ("recorder", .string(live.recorder.description)),
      ("observedAt", .instant(live.observedAt)), ("cadenceMs", .whole(live.cadenceMilliseconds)),
      ("staleAt", live.staleAt.map { .instant($0) } ?? .null),
      ("expiresAt", .instant(live.expiresAt)),
      ("heartRate", live.heartRate.map { .number($0) } ?? .null),
      ("energyKcal", live.energyKilocalories.map { .number($0) } ?? .null),
      ("distanceM", live.distanceMeters.map { .number($0) } ?? .null),
      ("text", .string(live.text)), ("spoken", .string(live.spoken)),
    ])
  }

  private static func value(of device: DevicePresence) -> JSONValue {
    .object([
      ("device", .string(device.device.description)), ("name", .string(device.name)),
      ("kind", .string(device.kind.word)), ("present", .bool(device.isPresent)),
      ("pending", .whole(device.pending)),
    ])
  }

  private static func value(of delivery: DeliveryReading) -> JSONValue {
    let newest: [JSONValue] = delivery.newest.map { entry in
      .object([
        ("device", .string(entry.deviceName)), ("number", .whole(entry.number)),
        ("outcome", .string(entry.outcome)), ("reason", .string(entry.reason)),
        ("at", .instant(entry.at)),
      ])
    }
    return .object([
      ("refused", .whole(delivery.refused)), ("expired", .whole(delivery.expired)),
      ("quarantined", .whole(delivery.quarantined)), ("newest", .array(newest)),
    ])
  }
}
