internal import WatchTransfer

/// Most bytes that a timeline takes as a `WidgetTimeline` of `proto/wristwire/v1/widgets.proto`:
/// one byte a tag, and every optional number as if it were there. `WireFormat` writes no more.
func encodedBytesMax(of timeline: WidgetTimeline) -> Int {
  let palette = 2 + 4 * (1 + 4)
  var bytes = 2 + 2 + 1 + varintBytes(zigzag(timeline.reloadAfter.milliseconds)) + 2 * palette
  if let maximum = timeline.domainMaximum { bytes += 1 + varintBytes(UInt64(maximum)) }
  for entry in timeline.entries {
    let content = entryBytesMax(of: entry)
    bytes += 1 + varintBytes(UInt64(content)) + content
  }
  return bytes
}

private func entryBytesMax(of entry: WidgetTimeline.Entry) -> Int {
  var bytes = 1 + varintBytes(zigzag(entry.from.milliseconds))
  for line in entry.lines { bytes += textBytes(line) }
  bytes += textBytes(entry.spoken) + textBytes(entry.symbol)
  bytes += 1 + varintBytes(zigzag(Int64(entry.number ?? 0)))
  bytes += 3 + 2 + 2
  if let since = entry.timerSince { bytes += 1 + varintBytes(zigzag(since.milliseconds)) }
  if let elapsed = entry.timerElapsedMilliseconds {
    bytes += 1 + varintBytes(UInt64(bitPattern: elapsed))
  }
  if !entry.points.isEmpty {
    let points = entry.points.reduce(0) { $0 + varintBytes(UInt64(max(0, $1))) }
    bytes += 1 + varintBytes(UInt64(points)) + points
  }
  return bytes
}

private func textBytes(_ text: String) -> Int {
  let count = text.utf8.count
  return 1 + varintBytes(UInt64(count)) + count
}

private func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

private func varintBytes(_ value: UInt64) -> Int {
  max(1, (64 - value.leadingZeroBitCount + 6) / 7)
}
