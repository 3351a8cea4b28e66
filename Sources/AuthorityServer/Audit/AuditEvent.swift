internal import Transport
internal import WatchTransfer

/// One line of the audit log: what happened, and to whom. Never a token, a code or a payload.
struct AuditEvent: Sendable, Equatable {
  /// The name of what happened, and its fields, in the order they are written.
  let name: String
  var fields: [(name: String, value: Value)]

  /// A field's value.
  enum Value: Sendable, Equatable {
    case text(String)
    case number(Int)
  }

  private init(_ name: String, _ fields: [(String, Value)] = []) {
    self.name = name
    self.fields = fields.map { (name: $0.0, value: $0.1) }
  }

  static func == (left: AuditEvent, right: AuditEvent) -> Bool {
    left.name == right.name
      && left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
  }

  /// The server begins to serve.
  static func started(epoch: EpochID) -> Self {
    Self("started", [("epoch", .text(epoch.description))])
  }

  /// The server has been stopped; a server that is killed does not say so.
  static let stopped = Self("stopped")

  /// An account was added.
  static func accountAdded(_ account: ListedAccount) -> Self {
    Self(
      "accountAdded",
      [("account", .text(account.id.description)), ("name", .text(account.name))])
  }

  /// An account was erased.
  static func accountErased(_ account: ListedAccount) -> Self {
    Self(
      "accountErased",
      [("account", .text(account.id.description)), ("name", .text(account.name))])
  }

  /// A device was paired by a command.
  static func paired(_ device: PairedDevice) -> Self { Self("paired", fields(of: device)) }

  /// A code was made.
  static func codeMade(account: ListedAccount, kind: DeviceKind, until: Instant) -> Self {
    Self(
      "codeMade",
      [
        ("account", .text(account.id.description)), ("kind", .text(kind.word)),
        ("until", .text(until.rfc3339)),
      ])
  }

  /// A device was paired by a code.
  static func codeRedeemed(_ device: PairedDevice, from peer: PeerAddress) -> Self {
    Self("codeRedeemed", fields(of: device) + [("from", .text(peer.description))])
  }

  /// A code is gone without having been used.
  static func codeEnded(account: AccountID, kind: DeviceKind, _ end: CodeBook.End) -> Self {
    Self(
      end == .expired ? "codeExpired" : "codeKilled",
      [("account", .text(account.description)), ("kind", .text(kind.word))])
  }

  /// A device's token was revoked.
  static func revoked(_ device: PairedDevice) -> Self { Self("revoked", fields(of: device)) }

  /// Things of one sort that came from one address, so many of them since the last such line.
  static func counted(_ key: AuditTally.Key, _ count: Int) -> Self {
    Self(
      key.sort.rawValue,
      [
        ("reason", .text(key.reason)), ("from", .text(key.peer?.description ?? "others")),
        ("count", .number(count)),
      ])
  }

  /// Lines that could not be written, because the disk was full or they came too fast.
  static func lost(_ count: Int) -> Self { Self("lost", [("count", .number(count))]) }

  private static func fields(of device: PairedDevice) -> [(String, Value)] {
    [
      ("account", .text(device.account.description)), ("device", .text(device.id.description)),
      ("kind", .text(device.kind.word)), ("name", .text(device.name)),
    ]
  }

  /// The line, a JSON object in ASCII (RFC 8259), with its line feed.
  func line(at moment: Instant) -> [UInt8] {
    var line = "{\"at\":\"\(moment.rfc3339)\",\"event\":\"\(name)\""
    for (name, value) in fields {
      line += ",\"\(name)\":"
      switch value {
      case .text(let text): line += Self.quoted(text)
      case .number(let number): line += "\(number)"
      }
    }
    return Array(line.utf8) + Array("}\n".utf8)
  }

  /// Characters of a text that are written; more become an ellipsis.
  static let textCharactersMax = 64

  /// Everything but printable ASCII is escaped: a name that a peer chose must neither forge a line
  /// nor move a terminal's cursor.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars.prefix(textCharactersMax) {
      switch scalar.value {
      case 0x22, 0x5C: quoted += "\\\(scalar)"
      case 0x20...0x7E: quoted.unicodeScalars.append(scalar)
      default: for unit in String(scalar).utf16 { quoted += escape(unit) }
      }
    }
    if text.unicodeScalars.count > textCharactersMax { quoted += "\\u2026" }
    return quoted + "\""
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
