internal import Authority
internal import WatchTransfer

/// Section 4 of a stored state: what matches have beside the record that every form has, by their
/// ids. Section 5: the keymap.
extension AccountState {
  /// Appends what section 4 holds.
  func encodeLineUps(into writer: inout ByteWriter) {
    writer.list(matches.all.filter(\.hasLineUp)) { writer, match in
      writer.identifier(match.id)
      writer.optional(match.halves.extra) { $0.signed($1) }
      writer.list(match.takeovers) { $1.encode(into: &$0) }
      for team in Team.allCases {
        match.lineUp.squad(of: team).encode(into: &writer) { writer, players in
          writer.list(players) { $1.encode(into: &$0) }
        }
      }
      writer.list(match.lineUp.substitutions) { $1.encode(into: &$0) }
      writer.list(match.lineUp.undoneAhead) { $0.identifier($1) }
    }
  }

  /// Reads section 4; the matches are there already.
  mutating func readLineUps(from reader: inout ByteReader) throws(StoredFormError) {
    for _ in 0..<(try reader.count()) {
      guard var match = matches[try reader.identifier()] else {
        throw .outOfRange(of: "line-up")
      }
      match.halves.extra = try reader.optional { (reader) throws(StoredFormError) in
        try reader.halfLength()
      }
      match.takeovers = try reader.list { (reader) throws(StoredFormError) in
        try FieldStamp(from: &reader)
      }
      match.lineUp.home = try Stamped(from: &reader) { (reader) throws(StoredFormError) in
        try reader.players()
      }
      match.lineUp.away = try Stamped(from: &reader) { (reader) throws(StoredFormError) in
        try reader.players()
      }
      match.lineUp.substitutions = try reader.list { (reader) throws(StoredFormError) in
        try SubstitutionEntry(from: &reader)
      }
      match.lineUp.undoneAhead = try reader.list { (reader) throws(StoredFormError) in
        try reader.identifier()
      }
      matches[match.id] = match
    }
  }

  /// Appends what section 5 holds.
  func encodeKeymap(into writer: inout ByteWriter) {
    keymap.encode(into: &writer) { writer, bindings in
      writer.list(bindings) { $1.encode(into: &$0) }
    }
  }

  /// Reads section 5.
  mutating func readKeymap(from reader: inout ByteReader) throws(StoredFormError) {
    keymap = try Stamped(from: &reader) { (reader) throws(StoredFormError) in
      try reader.bindings()
    }
  }
}

extension Match {
  /// Whether section 4 has anything of it.
  var hasLineUp: Bool { halves.extra != nil || !takeovers.isEmpty || lineUp != LineUp() }
}

extension SubstitutionEntry {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.identifier(id)
    writer.byte(team.rawValue)
    writer.identifier(off)
    writer.identifier(on)
    writer.instant(at)
    writer.identifier(device)
    writer.text(deviceName)
    writer.flag(isUndone)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(
      id: try reader.identifier(), team: try reader.choice(of: "team"),
      off: try reader.identifier(), on: try reader.identifier(), at: try reader.instant(),
      device: try reader.identifier(), deviceName: try reader.text(),
      isUndone: try reader.flag())
  }
}
