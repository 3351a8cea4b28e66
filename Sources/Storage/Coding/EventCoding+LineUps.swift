internal import Authority
internal import Guards
internal import WatchTransfer

extension Event {
  /// Tags 40 to 47, and of buttons 120 to 127.
  func encodeOfLineUps(into writer: inout ByteWriter) {
    switch self {
    case .extraTimeAgreed(let match, let halfMilliseconds):
      writer.byte(40)
      writer.identifier(match)
      writer.signed(halfMilliseconds)
    case .clockTakenOver(let match, let by):
      writer.byte(41)
      writer.identifier(match)
      by.encode(into: &writer)
    case .squadSet(let match, let team, let players, let by):
      writer.byte(42)
      writer.identifier(match)
      writer.byte(team.rawValue)
      writer.list(players) { $1.encode(into: &$0) }
      by.encode(into: &writer)
    case .substituted(let match, let id, let team, let off, let on, let deviceName, let by):
      writer.byte(43)
      writer.identifier(match)
      writer.identifier(id)
      writer.byte(team.rawValue)
      writer.identifier(off)
      writer.identifier(on)
      writer.text(deviceName)
      by.encode(into: &writer)
    case .substitutionUndone(let match, let id, let by):
      writer.byte(44)
      writer.identifier(match)
      writer.identifier(id)
      by.encode(into: &writer)
    case .keymapSet(let bindings, let by):
      writer.byte(120)
      writer.list(bindings) { $1.encode(into: &$0) }
      by.encode(into: &writer)
    default:
      invariant(false, "an event of another kind")
    }
  }

  /// Reads the fields of a tag 40 to 47 or 120 to 127.
  static func ofLineUps(_ tag: UInt8, from reader: inout ByteReader) throws(StoredFormError)
    -> Event
  {
    switch tag {
    case 40:
      return .extraTimeAgreed(
        match: try reader.identifier(), halfMilliseconds: try reader.halfLength())
    case 41:
      return .clockTakenOver(match: try reader.identifier(), by: try Occurrence(from: &reader))
    case 42:
      return .squadSet(
        match: try reader.identifier(), team: try reader.choice(of: "team"),
        players: try reader.players(), by: try Occurrence(from: &reader))
    case 43:
      return .substituted(
        match: try reader.identifier(), id: try reader.identifier(),
        team: try reader.choice(of: "team"), off: try reader.identifier(),
        on: try reader.identifier(), deviceName: try reader.text(),
        by: try Occurrence(from: &reader))
    case 44:
      return .substitutionUndone(
        match: try reader.identifier(), id: try reader.identifier(),
        by: try Occurrence(from: &reader))
    case 120:
      return .keymapSet(try reader.bindings(), by: try Occurrence(from: &reader))
    default:
      throw .unknownTag(UInt64(tag), of: "event")
    }
  }
}

extension SquadPlayer {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.identifier(id)
    writer.text(name)
    writer.optional(number) { $0.count($1) }
    writer.flag(starts)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(
      id: try reader.identifier(), name: try reader.text(),
      number: try reader.optional { (reader) throws(StoredFormError) in
        try reader.number(in: ActionLimits.shirtNumbers, of: "shirt")
      }, starts: try reader.flag())
  }
}

extension KeyBinding {
  /// Appends its fields. The commands' tags are those of the wire.
  func encode(into writer: inout ByteWriter) {
    writer.byte(button)
    writer.byte(gesture.rawValue)
    switch command {
    case .point(.home): writer.byte(1)
    case .point(.away): writer.byte(2)
    case .undoPoint: writer.byte(3)
    case .clock(.start): writer.byte(4)
    case .clock(.pause): writer.byte(5)
    case .clock(.reset): writer.byte(6)
    case .clock(.nextHalf): writer.byte(7)
    case .clock(.end): writer.byte(8)
    case .markWorkout(let title):
      writer.byte(9)
      writer.text(title)
    }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    let button = try reader.byte()
    let gesture: Gesture = try reader.choice(of: "gesture")
    let command: KeyCommand
    switch try reader.byte() {
    case 1: command = .point(.home)
    case 2: command = .point(.away)
    case 3: command = .undoPoint
    case 4: command = .clock(.start)
    case 5: command = .clock(.pause)
    case 6: command = .clock(.reset)
    case 7: command = .clock(.nextHalf)
    case 8: command = .clock(.end)
    case 9: command = .markWorkout(title: try reader.text())
    case let tag: throw .unknownTag(UInt64(tag), of: "command")
    }
    self.init(button: button, gesture: gesture, command: command)
  }
}

extension ByteReader {
  /// A squad.
  mutating func players() throws(StoredFormError) -> [SquadPlayer] {
    try list { (reader) throws(StoredFormError) in try SquadPlayer(from: &reader) }
  }

  /// A keymap.
  mutating func bindings() throws(StoredFormError) -> [KeyBinding] {
    try list { (reader) throws(StoredFormError) in try KeyBinding(from: &reader) }
  }
}
