public import WatchTransfer

extension SurfaceText {
  /// A line for each of `readings`, in the order of their kinds.
  public static func lines(of readings: [ReadingKind: Reading], at now: Instant) -> [String] {
    ReadingKind.allCases.compactMap { kind in readings[kind].map { line(of: $0, at: now) } }
  }

  /// One reading at `now`.
  public static func line(of reading: Reading, at now: Instant) -> String {
    switch reading {
    case .presence(let devices): line(of: devices)
    case .delivery(let delivery): line(of: delivery)
    case .continuity(let continuity): printable("backup: \(continuity.text)")
    case .live(let live): line(of: live, at: now)
    }
  }

  /// `devices: Wrist (watch) here, 2 pending; Pocket (phone) away`.
  private static func line(of devices: [DevicePresence]) -> String {
    let texts = devices.map { device in
      "\(device.name) (\(device.kind.word)) \(device.isPresent ? "here" : "away")"
        + (device.pending > 0 ? ", \(device.pending) pending" : "")
    }
    return printable("devices: \(texts.isEmpty ? "none" : texts.joined(separator: "; "))")
  }

  /// `delivery: 1 refused, 0 expired, 0 set aside; last: Wrist, action 7 refused (gone)`.
  private static func line(of delivery: DeliveryReading) -> String {
    var line =
      "delivery: \(delivery.refused) refused, \(delivery.expired) expired, "
      + "\(delivery.quarantined) set aside"
    if let last = delivery.newest.last {
      let reason = last.reason.isEmpty ? "" : " (\(last.reason))"
      line += "; last: \(last.deviceName), action \(last.number) \(last.outcome)\(reason)"
    }
    return printable(line)
  }
}
