internal import Authority
internal import WatchTransfer

/// A part of a stored state that came with a later release: written only when it holds something,
/// so that what was there before keeps its form. Tags are never used for another section.
struct StoredSection {
  let tag: UInt8
  let bytes: [UInt8]

  /// What `write` writes; nil when there is nothing to write.
  init?(_ tag: UInt8, isEmpty: Bool, _ write: (inout ByteWriter) -> Void) {
    if isEmpty { return nil }
    var writer = ByteWriter()
    write(&writer)
    self.tag = tag
    bytes = writer.bytes
  }
}

extension AccountState {
  /// The sections that hold something, in order of their tags.
  var storedSections: [StoredSection] {
    [
      StoredSection(1, isEmpty: exercises == ExerciseBook()) { exercises.encode(into: &$0) },
      StoredSection(2, isEmpty: routines == RoutineBook()) { routines.encode(into: &$0) },
      StoredSection(3, isEmpty: sessions == SessionBook()) { sessions.encode(into: &$0) },
      StoredSection(4, isEmpty: !matches.all.contains(where: \.hasLineUp)) {
        encodeLineUps(into: &$0)
      },
      StoredSection(5, isEmpty: keymap.stamp == nil) { encodeKeymap(into: &$0) },
      StoredSection(6, isEmpty: !hasSchedulesToStore, encodeSchedules),
      StoredSection(7, isEmpty: !hasNotesToStore, encodeNotes),
      StoredSection(8, isEmpty: weights.all.isEmpty, encodeWeights),
      StoredSection(9, isEmpty: !hasStreaksToStore, encodeStreaks),
      StoredSection(10, isEmpty: settings.palette.stamp == nil) { writer in
        settings.palette.encode(into: &writer) { $0.byte($1.rawValue) }
      },
      StoredSection(11, isEmpty: attachments == AttachmentBook()) {
        attachments.encode(into: &$0)
      },
      StoredSection(12, isEmpty: reloads.all.isEmpty, encodeReloads),
    ].compactMap(\.self)
  }

  /// Takes what a section holds into the state.
  mutating func takeSection(
    _ tag: UInt8, from reader: inout ByteReader
  ) throws(StoredFormError) {
    switch tag {
    case 1: exercises = try ExerciseBook(from: &reader)
    case 2: routines = try RoutineBook(from: &reader)
    case 3: sessions = try SessionBook(from: &reader)
    case 4: try readLineUps(from: &reader)
    case 5: try readKeymap(from: &reader)
    case 6: try readSchedules(from: &reader)
    case 7: try readNotes(from: &reader)
    case 8: try readWeights(from: &reader)
    case 9: try readStreaks(from: &reader)
    case 10:
      settings.palette = try Stamped(from: &reader) { (reader) throws(StoredFormError) in
        try reader.choice(of: "palette")
      }
    case 11: attachments = try AttachmentBook(from: &reader)
    case 12: try readReloads(from: &reader)
    default: throw .unknownTag(UInt64(tag), of: "state section")
    }
  }

  private func encodeReloads(into writer: inout ByteWriter) {
    writer.list(reloads.all) {
      $0.identifier($1.device)
      $0.day($1.day)
      $0.unsigned(UInt64($1.count))
    }
  }

  private mutating func readReloads(from reader: inout ByteReader) throws(StoredFormError) {
    for _ in 0..<(try reader.count()) {
      reloads.put(
        ReloadBook.Told(
          device: try reader.identifier(), day: try reader.day(),
          count: try reader.number(in: 0...Int(Int32.max), of: "reloads")))
    }
  }
}
