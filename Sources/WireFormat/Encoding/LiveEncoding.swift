import CProtobufC
import CWireProto
import WatchTransfer

extension MessageEncoder {
  /// A live value, on its way to the server.
  func pulse(_ value: Pulse) -> UnsafeMutablePointer<Wristwire__V1__Pulse> {
    let pulse = arena.make(wristwire__v1__pulse__init)
    put(arena.id(value.session), &pulse.pointee.has_session_id, &pulse.pointee.session_id)
    pulse.pointee.measured = clock(value.measured)
    put(value.heartRate, &pulse.pointee.has_heart_rate, &pulse.pointee.heart_rate)
    put(value.energyKilocalories, &pulse.pointee.has_energy_kcal, &pulse.pointee.energy_kcal)
    put(value.distanceMeters, &pulse.pointee.has_distance_m, &pulse.pointee.distance_m)
    put(value.cadenceMilliseconds, &pulse.pointee.has_cadence_ms, &pulse.pointee.cadence_ms)
    return pulse
  }

  /// The newest of them, on its way to a surface.
  func live(_ value: LiveReading) -> UnsafeMutablePointer<Wristwire__V1__LiveReading> {
    let reading = arena.make(wristwire__v1__live_reading__init)
    put(arena.id(value.session), &reading.pointee.has_session_id, &reading.pointee.session_id)
    put(arena.id(value.recorder), &reading.pointee.has_recorder, &reading.pointee.recorder)
    put(
      value.observedAt.milliseconds, &reading.pointee.has_observed_at_ms,
      &reading.pointee.observed_at_ms)
    put(
      UInt32(clamping: value.cadenceMilliseconds), &reading.pointee.has_cadence_ms,
      &reading.pointee.cadence_ms)
    put(
      value.staleAt?.milliseconds, &reading.pointee.has_stale_at_ms, &reading.pointee.stale_at_ms)
    put(
      value.expiresAt.milliseconds, &reading.pointee.has_expires_at_ms,
      &reading.pointee.expires_at_ms)
    put(value.heartRate, &reading.pointee.has_heart_rate, &reading.pointee.heart_rate)
    put(value.energyKilocalories, &reading.pointee.has_energy_kcal, &reading.pointee.energy_kcal)
    put(value.distanceMeters, &reading.pointee.has_distance_m, &reading.pointee.distance_m)
    put(arena.text(value.text), &reading.pointee.has_text, &reading.pointee.text)
    put(arena.text(value.spoken), &reading.pointee.has_spoken, &reading.pointee.spoken)
    return reading
  }
}
