import CProtobufC
import CWireProto
import WatchTransfer

extension MessageEncoder {
  /// Facets, readings and cues.
  func update(_ value: Update) -> UnsafeMutablePointer<Wristwire__V1__Update> {
    let update = arena.make(wristwire__v1__update__init)
    put(arena.id(value.epoch), &update.pointee.has_epoch, &update.pointee.epoch)
    put(value.from, &update.pointee.has_from, &update.pointee.from)
    put(value.to, &update.pointee.has_to, &update.pointee.to)
    update.pointee.n_facets = value.facets.count
    update.pointee.facets = arena.messages(value.facets, facet)
    update.pointee.n_readings = value.readings.count
    update.pointee.readings = arena.messages(value.readings, reading)
    update.pointee.n_cues = value.cues.count
    update.pointee.cues = arena.messages(value.cues, cue)
    return update
  }

  private func facet(_ value: EncodedFacet) -> UnsafeMutablePointer<Wristwire__V1__Facet> {
    let facet = arena.make(wristwire__v1__facet__init)
    put(choice: value.kind, &facet.pointee.has_kind, &facet.pointee.kind)
    put(value.revision, &facet.pointee.has_revision, &facet.pointee.revision)
    put(arena.bytes(value.content), &facet.pointee.has_content, &facet.pointee.content)
    return facet
  }

  private func cue(_ value: Cue) -> UnsafeMutablePointer<Wristwire__V1__Cue> {
    let cue = arena.make(wristwire__v1__cue__init)
    put(choice: value.kind, &cue.pointee.has_kind, &cue.pointee.kind)
    put(value.at.milliseconds, &cue.pointee.has_at_ms, &cue.pointee.at_ms)
    return cue
  }

  /// A reading's content is bytes of its own, so that a client can step over a kind it does not
  /// know.
  private func reading(_ value: Reading) -> UnsafeMutablePointer<Wristwire__V1__Reading> {
    let reading = arena.make(wristwire__v1__reading__init)
    put(choice: value.kind, &reading.pointee.has_kind, &reading.pointee.kind)
    let content: UnsafeRawBufferPointer
    switch value {
    case .presence(let devices): content = packed(presence(devices))
    case .delivery(let value): content = packed(delivery(value))
    case .continuity(let value): content = packed(continuity(value))
    // A message without fields has no bytes.
    case .live(nil): content = UnsafeRawBufferPointer(start: nil, count: 0)
    case .live(let value?): content = packed(live(value))
    }
    // The field only reads what the arena holds.
    let start = UnsafeMutableRawPointer(mutating: content.baseAddress)
    let data = ProtobufCBinaryData(
      len: content.count, data: start?.assumingMemoryBound(to: UInt8.self))
    put(data, &reading.pointee.has_content, &reading.pointee.content)
    return reading
  }

  private func presence(
    _ devices: [DevicePresence]
  ) -> UnsafeMutablePointer<Wristwire__V1__PresenceReading> {
    let reading = arena.make(wristwire__v1__presence_reading__init)
    reading.pointee.n_devices = devices.count
    reading.pointee.devices = arena.messages(devices) { value in
      let device = arena.make(wristwire__v1__device_presence__init)
      put(arena.id(value.device), &device.pointee.has_device_id, &device.pointee.device_id)
      put(arena.text(value.name), &device.pointee.has_name, &device.pointee.name)
      put(choice: value.kind, &device.pointee.has_kind, &device.pointee.kind)
      put(flag: value.isPresent, &device.pointee.has_present, &device.pointee.present)
      put(value.pending, &device.pointee.has_pending, &device.pointee.pending)
      return device
    }
    return reading
  }

  private func continuity(
    _ value: ContinuityReading
  ) -> UnsafeMutablePointer<Wristwire__V1__ContinuityReading> {
    let reading = arena.make(wristwire__v1__continuity_reading__init)
    put(choice: value.state, &reading.pointee.has_state, &reading.pointee.state)
    if let copiedAt = value.copiedAt {
      put(copiedAt.milliseconds, &reading.pointee.has_copied_at_ms, &reading.pointee.copied_at_ms)
    }
    put(arena.text(value.text), &reading.pointee.has_text, &reading.pointee.text)
    return reading
  }

  private func delivery(
    _ value: DeliveryReading
  ) -> UnsafeMutablePointer<Wristwire__V1__DeliveryReading> {
    let reading = arena.make(wristwire__v1__delivery_reading__init)
    put(value.refused, &reading.pointee.has_refused, &reading.pointee.refused)
    put(value.expired, &reading.pointee.has_expired, &reading.pointee.expired)
    put(value.quarantined, &reading.pointee.has_quarantined, &reading.pointee.quarantined)
    reading.pointee.n_newest = value.newest.count
    reading.pointee.newest = arena.messages(value.newest) { value in
      let entry = arena.make(wristwire__v1__delivery_entry__init)
      put(
        arena.text(value.deviceName), &entry.pointee.has_device_name,
        &entry.pointee.device_name)
      put(value.number, &entry.pointee.has_number, &entry.pointee.number)
      put(arena.text(value.outcome), &entry.pointee.has_outcome, &entry.pointee.outcome)
      put(arena.text(value.reason), &entry.pointee.has_reason, &entry.pointee.reason)
      put(value.at.milliseconds, &entry.pointee.has_at_ms, &entry.pointee.at_ms)
      return entry
    }
    return reading
  }
}
