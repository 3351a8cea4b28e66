internal import WatchTransfer

/// Entries from `start` on, each unlike the one before: the last one before `start` holds from it.
func inForce<Entry: Timed>(
  _ entries: [Entry], from start: Instant, isSame: (Entry, Entry) -> Bool,
  at moved: (Entry, Instant) -> Entry
) -> [Entry] {
  var kept: [Entry] = []
  for entry in entries {
    if entry.from <= start {
      kept = [moved(entry, start)]
    } else if let last = kept.last, isSame(last, entry) {
      continue
    } else {
      kept.append(entry)
    }
  }
  return kept
}
