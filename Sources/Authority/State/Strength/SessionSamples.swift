package import WatchTransfer

/// A block of samples with who measured it; its moments are corrected.
package struct RecordedBlock: Sendable, Equatable {
  package let device: DeviceID
  package let block: SampleBlock

  /// A block.
  package init(device: DeviceID, block: SampleBlock) {
    self.device = device
    self.block = block
  }

  /// The clock went back to `moment`: nothing was measured later than that.
  func broughtBack(to moment: Instant) -> RecordedBlock {
    func clamped(_ point: SamplePoint) -> SamplePoint {
      SamplePoint(at: min(point.at, moment), value: point.value)
    }
    return RecordedBlock(
      device: device,
      block: SampleBlock(
        number: block.number, heartRate: block.heartRate.map(clamped),
        energy: block.energy.map(clamped)))
  }

  /// How many points it holds.
  var pointCount: Int { block.heartRate.count + block.energy.count }
}

/// What the samples of a session add up to; absent is not 0.
package struct SampleFigures: Sendable, Equatable {
  /// Kilocalories.
  package var energy: Double?
  /// Beats a minute.
  package var averageHeartRate: Double?
  /// Beats a minute.
  package var maximumHeartRate: Double?

  /// No figures, or as stored.
  package init(
    energy: Double? = nil, averageHeartRate: Double? = nil, maximumHeartRate: Double? = nil
  ) {
    self.energy = energy
    self.averageHeartRate = averageHeartRate
    self.maximumHeartRate = maximumHeartRate
  }

  /// The figures of `blocks` over a session's timer up to `end` (DESIGN section 6, rule 7): only
  /// what the recorder of its moment measured, from the start on. A heart rate holds until the next
  /// value or the end; pauses weigh nothing; 0 says that there is no value from then on.
  init(of blocks: [RecordedBlock], clock: SessionClock, from start: Instant, to end: Instant) {
    func points(_ kind: KeyPath<SampleBlock, [SamplePoint]>) -> [SamplePoint] {
      blocks.flatMap { block in
        block.block[keyPath: kind].filter { point in
          (start...max(start, end)).contains(point.at)
            && (clock.tenures.isEmpty || clock.recorder(at: point.at) == block.device)
        }
      }
    }
    let energies = points(\.energy)
    if !energies.isEmpty { energy = energies.reduce(0) { $0 + $1.value } }
    // Blocks are in order of device and number; of equal moments the later number counts.
    let rates = points(\.heartRate).enumerated().sorted {
      $0.element.at == $1.element.at ? $0.offset < $1.offset : $0.element.at < $1.element.at
    }.map(\.element)
    var spans = clock.spans
    if let since = clock.runningSince { spans.append(ActiveSpan(start: since, end: end)) }
    if clock.startedAt == nil { spans = [ActiveSpan(start: start, end: end)] }
    var sum = 0.0
    var weight: Int64 = 0
    var span = 0
    for (index, rate) in rates.enumerated() where rate.value > 0 {
      maximumHeartRate = max(maximumHeartRate ?? 0, rate.value)
      let until = index + 1 < rates.count ? rates[index + 1].at : end
      while span < spans.count, spans[span].end <= rate.at { span += 1 }
      var held: Int64 = 0
      for active in spans[span...] {
        if active.start >= until { break }
        held += max(0, min(active.end, until).milliseconds(since: max(active.start, rate.at)))
      }
      sum += rate.value * Double(held)
      weight += held
    }
    if weight > 0 { averageHeartRate = sum / Double(weight) }
  }
}
