package import WatchTransfer

extension AccountState {
  /// Whether `device` drives `session`, and that is the one that surfaces show as running: nobody
  /// else's pulses are heard.
  package func isRecorded(_ session: SessionID, by device: DeviceID) -> Bool {
    guard let shown = sessions.shown, shown.id == session, shown.isRunning else { return false }
    return shown.clock.recorder == device
  }

  /// What surfaces are told of a pulse, in the person's units; nil: it says that there is nothing.
  package func live(
    _ pulse: Pulse, by device: DeviceID, observedAt: Instant
  ) -> LiveReading? {
    var texts: [String] = []
    var spoken: [String] = []
    // 0 is no value (DESIGN section 6, rule 7).
    let heartRate = pulse.heartRate.flatMap { $0 > 0 ? $0 : nil }
    if let heartRate {
      texts.append("\(wholeFigure(heartRate)) bpm")
      spoken.append("\(counted(wholeFigure(heartRate), "beat")) a minute")
    }
    if let energy = pulse.energyKilocalories {
      texts.append("\(wholeFigure(energy)) kcal")
      spoken.append(counted(wholeFigure(energy), "kilocalorie"))
    }
    if let meters = pulse.distanceMeters {
      texts.append(distanceText(meters))
      spoken.append(
        isMetric
          ? counted(figure(meters / 1_000), "kilometer")
          : counted(figure(meters / metersPerMile), "mile"))
    }
    if texts.isEmpty { return nil }
    let cadence = Int64(pulse.cadenceMilliseconds)
    var reading = LiveReading(
      session: pulse.session, recorder: device, observedAt: observedAt,
      cadenceMilliseconds: cadence,
      staleAt: observedAt.advanced(milliseconds: LiveSpan.stale(cadence)),
      expiresAt: observedAt.advanced(milliseconds: LiveSpan.expiry(cadence)),
      text: texts.joined(separator: ", "), spoken: spoken.joined(separator: ", "))
    reading.heartRate = heartRate
    reading.energyKilocalories = pulse.energyKilocalories
    reading.distanceMeters = pulse.distanceMeters
    return reading
  }

  /// A distance in the person's units: `7.4 km`.
  func distanceText(_ meters: Double) -> String {
    isMetric ? "\(figure(meters / 1_000)) km" : "\(figure(meters / metersPerMile)) mi"
  }

  private var isMetric: Bool { settings.units.value == .metric }
}

/// How long a pulse is good, by how often to expect another; milliseconds.
package enum LiveSpan {
  /// Stale when two more should have come. A surface that is updated every 5 s is never sent a
  /// moment that has passed by the time the next one comes.
  package static func stale(_ cadence: Int64) -> Int64 { max(15_000, 3 * cadence) }

  /// Over when five more should have come.
  package static func expiry(_ cadence: Int64) -> Int64 { max(30_000, 6 * cadence) }
}

private let metersPerMile = 1_609.344

/// `1 mile`, `7.4 miles`.
private func counted(_ figure: String, _ noun: String) -> String {
  "\(figure) \(noun)\(figure == "1" ? "" : "s")"
}
