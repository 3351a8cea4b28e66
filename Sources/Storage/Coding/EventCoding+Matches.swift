internal import Authority
internal import Guards
internal import WatchTransfer

extension Event {
  /// Tags 32 to 39.
  func encodeOfMatches(into writer: inout ByteWriter) {
    switch self {
    case .matchMade(let id, let home, let away, let halfLength, let by):
      writer.byte(32)
      writer.identifier(id)
      writer.text(home)
      writer.text(away)
      writer.signed(halfLength)
      by.encode(into: &writer)
    case .matchStubOpened(let id, let by):
      writer.byte(33)
      writer.identifier(id)
      by.encode(into: &writer)
    case .matchStubClosed(let id, let at):
      writer.byte(34)
      writer.identifier(id)
      writer.instant(at)
    case .matchDropped(let id):
      writer.byte(35)
      writer.identifier(id)
    case .teamNamed(let match, let team, let name, let by):
      writer.byte(36)
      writer.identifier(match)
      writer.byte(team.rawValue)
      writer.text(name)
      by.encode(into: &writer)
    case .pointAdded(let match, let entry, let team, let deviceName, let by):
      writer.byte(37)
      writer.identifier(match)
      writer.identifier(entry)
      writer.byte(team.rawValue)
      writer.text(deviceName)
      by.encode(into: &writer)
    case .pointUndone(let match, let entry, let by):
      writer.byte(38)
      writer.identifier(match)
      writer.identifier(entry)
      by.encode(into: &writer)
    case .clockControlled(let match, let control, let by):
      writer.byte(39)
      writer.identifier(match)
      writer.byte(control.rawValue)
      by.encode(into: &writer)
    default:
      invariant(false, "an event of another kind")
    }
  }

  /// Reads the fields of a tag 32 to 39.
  static func ofMatches(_ tag: UInt8, from reader: inout ByteReader) throws(StoredFormError)
    -> Event
  {
    switch tag {
    case 32:
      return .matchMade(
        id: try reader.identifier(), home: try reader.text(), away: try reader.text(),
        halfLengthMilliseconds: try reader.halfLength(), by: try Occurrence(from: &reader))
    case 33:
      return .matchStubOpened(id: try reader.identifier(), by: try Occurrence(from: &reader))
    case 34:
      return .matchStubClosed(id: try reader.identifier(), at: try reader.instant())
    case 35:
      return .matchDropped(id: try reader.identifier())
    case 36:
      return .teamNamed(
        match: try reader.identifier(), team: try reader.choice(of: "team"),
        name: try reader.text(), by: try Occurrence(from: &reader))
    case 37:
      return .pointAdded(
        match: try reader.identifier(), entry: try reader.identifier(),
        team: try reader.choice(of: "team"), deviceName: try reader.text(),
        by: try Occurrence(from: &reader))
    case 38:
      return .pointUndone(
        match: try reader.identifier(), entry: try reader.identifier(),
        by: try Occurrence(from: &reader))
    case 39:
      return .clockControlled(
        match: try reader.identifier(), control: try reader.choice(of: "control"),
        by: try Occurrence(from: &reader))
    default:
      throw .unknownTag(UInt64(tag), of: "event")
    }
  }
}

extension ByteReader {
  /// Milliseconds, within `ActionLimits`.
  mutating func halfLength() throws(StoredFormError) -> Int64 {
    let length = try signed()
    guard ActionLimits.halfLengthMilliseconds.contains(length) else {
      throw .outOfRange(of: "half length")
    }
    return length
  }
}
