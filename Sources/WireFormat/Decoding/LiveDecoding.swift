import CProtobufC
import CWireProto
import WatchTransfer

extension MessageDecoder {
  /// A live value; at least one is there.
  func pulse(_ pulse: Wristwire__V1__Pulse) throws(WireError) -> Pulse {
    var value = Pulse(
      session: try Check.id(pulse.has_session_id, pulse.session_id, "session_id"),
      measured: try clock(try Check.message(pulse.measured, "measured")))
    value.heartRate = try heartRate(pulse.has_heart_rate, pulse.heart_rate)
    value.energyKilocalories = try Check.optionalFigure(
      pulse.has_energy_kcal, pulse.energy_kcal, "energy_kcal")
    value.distanceMeters = try Check.optionalFigure(
      pulse.has_distance_m, pulse.distance_m, "distance_m")
    if pulse.has_cadence_ms != 0 {
      value.cadenceMilliseconds = try Check.within(
        Pulse.cadences, pulse.has_cadence_ms, pulse.cadence_ms, "cadence_ms")
    }
    guard value.saysSomething else { throw Check.invalid("heart_rate") }
    return value
  }

  /// The newest pulse, as a surface is sent it.
  func live(_ reading: Wristwire__V1__LiveReading) throws(WireError) -> LiveReading {
    var value = LiveReading(
      session: try Check.id(reading.has_session_id, reading.session_id, "session_id"),
      recorder: try Check.id(reading.has_recorder, reading.recorder, "recorder"),
      observedAt: try Check.instant(
        reading.has_observed_at_ms, reading.observed_at_ms, "observed_at_ms"),
      cadenceMilliseconds: Int64(
        try Check.present(reading.has_cadence_ms, reading.cadence_ms, "cadence_ms")),
      staleAt: Check.optionalInstant(reading.has_stale_at_ms, reading.stale_at_ms),
      expiresAt: try Check.instant(
        reading.has_expires_at_ms, reading.expires_at_ms, "expires_at_ms"),
      text: try Check.text(reading.has_text, reading.text, "text"),
      spoken: try Check.text(reading.has_spoken, reading.spoken, "spoken"))
    value.heartRate = try heartRate(reading.has_heart_rate, reading.heart_rate)
    value.energyKilocalories = try Check.optionalFigure(
      reading.has_energy_kcal, reading.energy_kcal, "energy_kcal")
    value.distanceMeters = try Check.optionalFigure(
      reading.has_distance_m, reading.distance_m, "distance_m")
    return value
  }

  private func heartRate(
    _ has: protobuf_c_boolean, _ value: Double
  ) throws(WireError) -> Double? {
    if has == 0 { return nil }
    return try Check.within(ActionLimits.heartRate, has, value, "heart_rate") + 0
  }
}
