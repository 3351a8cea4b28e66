internal import WatchTransfer
internal import WireFormat

/// Compares frames of the server but for what a redaction replaces in them: contents of facets,
/// readings and snapshots.
final class FrameShape {
  /// How a frame of the redacted run relates to the recorded one.
  enum Verdict: Equatable {
    case same
    /// The same snapshot, made anew.
    case snapshot(recorded: UInt64, made: UInt64)
    /// The client had this snapshot, but named it by a hash that nobody knew yet.
    case unknownHash(view: WidgetView, made: UInt64)
    case other
  }

  private let decoder = MessageDecoder(limits: .fromServer)

  /// Compares two frames with their prefixes.
  func compare(recorded: [UInt8], made: [UInt8], by redactor: Redactor) -> Verdict {
    if recorded == made { return .same }
    guard let old = message(recorded), let new = message(made) else { return .other }
    switch (old, new) {
    case (.update(let old), .update(let new)): return Self.isSame(old, new) ? .same : .other
    case (.snapshot(let old), .snapshot(let new)):
      return old.view == new.view && old.revision == new.revision
        ? .snapshot(recorded: old.hash, made: new.hash) : .other
    case (.notModified(let old), .snapshot(let new)):
      return old.view == new.view && old.revision == new.revision
        ? .unknownHash(view: new.view, made: new.hash) : .other
    case (.receipt(let old), .receipt(let new)), (.conflict(let old), .conflict(let new)):
      var expected = old
      expected.outcome = redactor.outcome(old.outcome)
      return expected == new ? .same : .other
    case (.page(let old), .page(let new)):
      return Self.isSame(old, new, by: redactor) ? .same : .other
    case (.chunkState(let old), .chunkState(let new)):
      var expected = old
      expected.hash = redactor.attachment(old.hash)
      return expected == new ? .same : .other
    default: return .other
    }
  }

  /// The same answer but for texts, and for ids of imported logs, by which logs of one moment are
  /// ordered.
  private static func isSame(_ old: Page, _ new: Page, by redactor: Redactor) -> Bool {
    guard old.id == new.id, old.revision == new.revision else { return false }
    switch (old.answer, new.answer) {
    case (.history(let old, let oldNext), .history(let new, let newNext)):
      return old.map(\.key.day) == new.map(\.key.day)
        && old.map(\.key.end) == new.map(\.key.end) && (oldNext == nil) == (newNext == nil)
    case (.deletion(let old), .deletion(let new)):
      return old.goes.count == new.goes.count && old.stays.count == new.stays.count
    case (.attachment(let old), .attachment(let new)):
      return new.hash == redactor.attachment(old.hash) && new.totalBytes == old.totalBytes
        && new.offset == old.offset && new.bytes.count == old.bytes.count
    case (.streakTrace(let old), .streakTrace(let new)):
      return old.policy == new.policy && old.days.map(\.day) == new.days.map(\.day)
        && old.days.map(\.status.word) == new.days.map(\.status.word)
        && old.totals.workouts == new.totals.workouts
        && old.totals.milliseconds == new.totals.milliseconds
    case (.exercises, .exercises), (.records, .records), (.workouts, .workouts):
      // What is found by name, and where a page is cut, goes by the names.
      return true
    case (.refused(let old), .refused(let new)): return old == new
    default: return false
    }
  }

  private func message(_ frame: [UInt8]) -> ServerMessage? {
    frame.dropFirst(4).withUnsafeBytes { try? decoder.decodeServerMessage($0) }
  }

  private static func isSame(_ old: Update, _ new: Update) -> Bool {
    old.epoch == new.epoch && old.from == new.from && old.to == new.to && old.cues == new.cues
      && old.facets.map(\.kind) == new.facets.map(\.kind)
      && old.facets.map(\.revision) == new.facets.map(\.revision)
      && old.readings.map(\.kind) == new.readings.map(\.kind)
      // Nothing that a person wrote is in it.
      && live(old) == live(new)
  }

  private static func live(_ update: Update) -> Reading? {
    update.readings.first { $0.kind == .live }
  }
}
