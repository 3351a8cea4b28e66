import CProtobufC
import CWireProto
import WatchTransfer

extension MessageDecoder {
  /// An update; kinds that this version does not know are left out.
  func update(_ update: Wristwire__V1__Update) throws(WireError) -> Update {
    var value = Update(
      epoch: try Check.id(update.has_epoch, update.epoch, "epoch"),
      from: try Check.number(update.has_from, update.from, "from"),
      to: try Check.number(update.has_to, update.to, "to"))
    guard value.from <= value.to else { throw Check.invalid("to") }
    for pointer in UnsafeBufferPointer(start: update.facets, count: update.n_facets) {
      guard let facet = try encodedFacet(try Check.message(pointer, "facets")) else { continue }
      guard !value.facets.contains(where: { $0.kind == facet.kind }) else {
        throw Check.invalid("facets")
      }
      value.facets.append(facet)
    }
    for pointer in UnsafeBufferPointer(start: update.readings, count: update.n_readings) {
      guard let reading = try reading(try Check.message(pointer, "readings")) else { continue }
      guard !value.readings.contains(where: { $0.kind == reading.kind }) else {
        throw Check.invalid("readings")
      }
      value.readings.append(reading)
    }
    for pointer in UnsafeBufferPointer(start: update.cues, count: update.n_cues) {
      let cue = try Check.message(pointer, "cues")
      guard let kind: Cue.Kind = known(cue.has_kind, cue.kind.rawValue) else { continue }
      value.cues.append(Cue(kind: kind, at: try Check.instant(cue.has_at_ms, cue.at_ms, "at_ms")))
    }
    return value
  }

  /// The case of an enum, or nil when this version does not know it.
  func known<Choice: RawRepresentable>(
    _ has: protobuf_c_boolean, _ raw: UInt32
  ) -> Choice? where Choice.RawValue == UInt8 {
    guard has != 0, let small = UInt8(exactly: raw) else { return nil }
    return Choice(rawValue: small)
  }

  private func encodedFacet(_ facet: Wristwire__V1__Facet) throws(WireError) -> EncodedFacet? {
    guard let kind: FacetKind = known(facet.has_kind, facet.kind.rawValue) else { return nil }
    return EncodedFacet(
      kind: kind, revision: try Check.number(facet.has_revision, facet.revision, "facet.revision"),
      content: Check.bytes(facet.has_content, facet.content))
  }

  private func reading(_ reading: Wristwire__V1__Reading) throws(WireError) -> Reading? {
    guard let kind: ReadingKind = known(reading.has_kind, reading.kind.rawValue) else { return nil }
    switch kind {
    case .presence: return .presence(try presence(try unpack(roots.presence, reading.content)))
    case .delivery: return .delivery(try delivery(try unpack(roots.delivery, reading.content)))
    case .continuity:
      return try continuity(try unpack(roots.continuity, reading.content)).map {
        .continuity($0)
      }
    case .live:
      if reading.content.len == 0 { return .live(nil) }
      return .live(try live(try unpack(roots.live, reading.content)))
    }
  }

  /// nil: a state that this version does not know.
  private func continuity(
    _ reading: Wristwire__V1__ContinuityReading
  ) throws(WireError) -> ContinuityReading? {
    guard let state: ContinuityState = known(reading.has_state, reading.state.rawValue) else {
      return nil
    }
    return ContinuityReading(
      state: state,
      copiedAt: reading.has_copied_at_ms == 0
        ? nil : try Check.instant(reading.has_copied_at_ms, reading.copied_at_ms, "copied_at_ms"),
      text: try Check.text(reading.has_text, reading.text, "text"))
  }

  /// Devices of a kind that this version does not know are left out.
  private func presence(
    _ reading: Wristwire__V1__PresenceReading
  ) throws(WireError) -> [DevicePresence] {
    var devices: [DevicePresence] = []
    for pointer in UnsafeBufferPointer(start: reading.devices, count: reading.n_devices) {
      let device = try Check.message(pointer, "devices")
      guard let kind: DeviceKind = known(device.has_kind, device.kind.rawValue) else { continue }
      devices.append(
        DevicePresence(
          device: try Check.id(device.has_device_id, device.device_id, "device_id"),
          name: try Check.text(device.has_name, device.name, "name"), kind: kind,
          isPresent: device.has_present != 0 && device.present != 0,
          pending: device.has_pending == 0 ? 0 : device.pending))
    }
    return devices
  }

  private func delivery(
    _ reading: Wristwire__V1__DeliveryReading
  ) throws(WireError) -> DeliveryReading {
    var value = DeliveryReading(
      refused: reading.has_refused == 0 ? 0 : reading.refused,
      expired: reading.has_expired == 0 ? 0 : reading.expired,
      quarantined: reading.has_quarantined == 0 ? 0 : reading.quarantined)
    for pointer in UnsafeBufferPointer(start: reading.newest, count: reading.n_newest) {
      let entry = try Check.message(pointer, "newest")
      value.newest.append(
        DeliveryReading.Entry(
          deviceName: try Check.text(entry.has_device_name, entry.device_name, "device_name"),
          number: try Check.number(entry.has_number, entry.number, "number"),
          outcome: try Check.text(entry.has_outcome, entry.outcome, "outcome"),
          reason: try Check.text(entry.has_reason, entry.reason, "reason"),
          at: try Check.instant(entry.has_at_ms, entry.at_ms, "at_ms")))
    }
    return value
  }
}
