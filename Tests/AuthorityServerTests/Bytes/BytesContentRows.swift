import Foundation
import TestSupport
import WatchTransfer
import WireFormat

// Part B of the catalogue, first half: encodings. What is wrong with an envelope closes; what is
// wrong with a body is a refusal.
extension BytesRow {
  static let envelopeRule = "Only an unreadable envelope closes."
  static let bodyRule =
    "Whatever is wrong with a body is a refusal that consumes the number: invalid(field), forbidden, "
    + "unsupported."
  private static let unknownRule = "Unknown fields are skipped (at most 16 a message)."
  private static let notReadable = Reaction.refused(.invalid(field: "body"))

  static let content: [BytesRow] =
    encodings + floods + choices + values + queries + strength + photos + pulses

  private static let encodings: [BytesRow] =
    broken.flatMap { name, message, bodyBytes in
      [
        BytesRow("B1 \(name) before Hello", .first(frame(message)), .goodbye(.malformed)),
        BytesRow("B1 \(name) after Hello", .welcomed(frame(message)), .goodbye(.malformed)),
        BytesRow("B1 \(name) in a body", .body(bodyBytes), notReadable, by: bodyRule),
      ]
    } + [
      BytesRow("B1 empty body", .body([]), notReadable, by: bodyRule),
      BytesRow(
        "B1 body over its limit", .body(blob(60, repeated([0], FrameLimits.actionBodyBytesMax))),
        notReadable, by: bodyRule),
      BytesRow("B2 16 unknown fields", .welcomed(ping(7, unknown(16))), .pong(7)),
      BytesRow(
        "B2 17 unknown fields", .welcomed(ping(7, unknown(17))), .goodbye(.malformed),
        by: unknownRule),
      BytesRow(
        "B2 16 unknown fields of a Hello", .greeting { hello(token: $0, unknown(16)) }, .welcome),
      BytesRow(
        "B2 17 unknown fields of a Hello", .greeting { hello(token: $0, unknown(17)) },
        .goodbye(.malformed), by: unknownRule),
      BytesRow("B2 16 unknown fields in a body", .body(theme(2) + unknown(16)), .applied),
      BytesRow(
        "B2 17 unknown fields in a body", .body(theme(2) + unknown(17)), notReadable, by: bodyRule),
      BytesRow("B2 never shown again", .script(unknownIsNotEchoed)),
      BytesRow(
        "B16 long varint in an envelope",
        .welcomed(frame(blob(MessageField.ping, tag(1, wireType: 0) + [0x87, 0x00]))),
        .goodbye(.malformed)),
      BytesRow(
        "B16 long varint in a body",
        .body(body(ActionField.setTheme, tag(1, wireType: 0) + [0x82, 0x80, 0x00])), notReadable,
        by: bodyRule),
      BytesRow(
        "B16 long tag",
        .welcomed(frame(blob(MessageField.ping, [0x88, 0x00, 7]))), .goodbye(.malformed)),
      BytesRow(
        "B16 varint of eleven bytes",
        .welcomed(
          frame(blob(MessageField.ping, tag(1, wireType: 0) + repeated([0xFF], 10) + [1]))),
        .goodbye(.malformed)),
      BytesRow(
        "B16 bool of 2", .body(body(ActionField.addPoint, point + number(4, 2))), notReadable,
        by: bodyRule),
      BytesRow(
        "B16 bool of two bytes",
        .body(body(ActionField.addPoint, point + tag(4, wireType: 0) + [0x81, 0x00])),
        notReadable, by: bodyRule),
    ]

  /// What no encoding has: as a message, and in a body.
  private static let broken: [(String, message: [UInt8], body: [UInt8])] = [
    ("field past the end", [0x72, 5, 8], theme(2) + [0xE2, 3, 5, 8]),
    ("varint past the end", [0x72, 2, 8, 0x80], theme(2) + [0xE0, 3, 0x80]),
    ("double past the end", [0xE1, 3, 1, 2, 3], theme(2) + [0xE1, 3, 1, 2, 3]),
    ("wire type 6", [0x72, 2, 0x0E, 1], theme(2) + [0xE6, 3, 1]),
    ("wire type 7", [0x72, 2, 0x0F, 1], theme(2) + [0xE7, 3, 1]),
    ("wire type of another field", [0x70, 1], body(ActionField.setTheme, blob(1, [2]))),
    ("start of a group", [0x73, 8, 1, 0x74], theme(2) + [0xE3, 3, 8, 1, 0xE4, 3]),
    ("end of a group", [0x74], theme(2) + [0xE4, 3]),
    ("field number 0", [0x02, 1, 0], theme(2) + [0x02, 1, 0]),
    (
      "field number 2^29", [0x80, 0x80, 0x80, 0x80, 0x10, 0],
      theme(2) + [0x80, 0x80, 0x80, 0x80, 0x10, 0]
    ),
  ]

  private static let floods: [BytesRow] = [
    BytesRow(
      "B3 32,000 unknown fields", .welcomed(frame(repeated([0xE0, 3, 0], 21_000))),
      .goodbye(.malformed)),
    BytesRow(
      "B3 32,000 unknown fields before Hello", .first(frame(repeated([0xE0, 3, 0], 340))),
      .goodbye(.malformed)),
    BytesRow(
      "B3 32,000 unknown fields in a body", .body(repeated([0xE0, 3, 0], 10_900)), notReadable,
      by: bodyRule),
    BytesRow(
      "B3 32,000 empty messages",
      .welcomed(frame(blob(MessageField.ofServer[5], repeated([0x22, 0], 32_000)))),
      .goodbye(.malformed)),
    BytesRow(
      "B3 16,000 empty texts in a body",
      .body(
        body(ActionField.defineWorkout, blob(1, id(1)) + blob(3, repeated([0x0A, 0], 16_000)))),
      notReadable, by: bodyRule),
    BytesRow(
      "B4 16,000 times the same message",
      .welcomed(frame(repeated(blob(MessageField.ping, number(1, 1)), 16_000))),
      .goodbye(.malformed)),
    BytesRow(
      "B4 a cursor twice",
      .greeting { hello(token: $0, repeated(blob(4, cursor), 2)) }, .goodbye(.malformed)),
    BytesRow(
      "B4 a number twice", .welcomed(ping(1, number(1, 2))), .goodbye(.malformed)),
    BytesRow(
      "B4 16,000 times the same message in a body",
      .body(repeated(blob(1, [8, 2]), 8_000)), notReadable, by: bodyRule),
    BytesRow(
      "B5 two messages in a frame",
      .welcomed(
        frame(blob(MessageField.ping, number(1, 1)) + blob(MessageField.pong, number(1, 1)))),
      .goodbye(.malformed)),
    BytesRow(
      "B5 two actions in a body", .body(theme(2) + blob(ActionField.setZone, text(1, "UTC"))),
      notReadable, by: bodyRule),
    BytesRow(
      "B5 no message this version knows", .welcomed(frame(blob(40, [1, 2, 3]))),
      .goodbye(.malformed), by: "Hello and Welcome negotiate the version."),
    BytesRow(
      "B5 no message before Hello", .first(frame(blob(40, [1, 2, 3]))), .goodbye(.malformed),
      by: "Hello and Welcome negotiate the version."),
    BytesRow(
      "B5 no action", .body(blob(1, signed(1, bodyMoment))), .refused(.unsupported),
      by: "An unknown action is refused unsupported."),
    BytesRow("B5 an action of a later version", .body(body(900, [8, 1])), .refused(.unsupported)),
    BytesRow(
      "B6 10,000 messages deep, unknown", .welcomed(ping(8, nested(60, 10_000))), .pong(8),
      by: unknownRule),
    BytesRow(
      "B6 10,000 messages deep, known", .welcomed(frame(nested(MessageField.act, 10_000))),
      .goodbye(.malformed)),
    BytesRow(
      "B6 10,000 groups deep", .welcomed(frame(repeated([0x73], 10_000))), .goodbye(.malformed)),
    BytesRow(
      "B6 8,000 messages deep in a body", .body(nested(ActionField.markWorkout, 8_000)),
      .refused(.invalid(field: "occurred")), by: bodyRule),
  ]

  /// Fields that no version has.
  static func unknown(_ count: Int) -> [UInt8] { repeated(number(901, 5), count) }

  /// Messages in messages, `depth` of them as far as `FrameLimits.actionBodyBytesMax` has room.
  private static func nested(_ field: UInt64, _ depth: Int) -> [UInt8] {
    // From the inside out; an append costs less than an insert.
    var reversed: [UInt8] = []
    for _ in 0..<depth {
      let header = tag(field, wireType: 2) + varint(UInt64(reversed.count))
      if reversed.count + header.count > FrameLimits.actionBodyBytesMax { break }
      reversed += header.reversed()
    }
    return reversed.reversed()
  }

  private static let cursor: [UInt8] = blob(1, id(9)) + number(2, 1) + number(3, 257)
  static let point: [UInt8] = blob(1, id(3)) + blob(2, id(4)) + number(3, 1)
}

/// What the server does not know, no surface is sent.
private func unknownIsNotEchoed(_ stage: BytesStage) throws {
  let client = try stage.welcomed(stage.watch)
  let mark = Array("never shown".utf8)
  let definition = blob(1, id(1)) + text(2, "Legs") + blob(60, mark)
  try client.send(
    bytes: act(body: body(ActionField.defineWorkout, definition) + blob(901, mark)))
  _ = try client.receipt()
  try client.send(
    bytes: act(
      number: 2, confirmed: 1,
      body: body(ActionField.markWorkout, blob(1, id(2)) + blob(2, blob(1, id(1)) + blob(60, mark)))
    ))
  let receipt = try client.receipt()
  stage.check(receipt.outcome == .applied(3), "\(receipt.outcome)")
  for (kind, bytes) in try stage.view().facets {
    let shown = Data(bytes).range(of: Data(mark)) != nil
    stage.check(!shown, "\(kind) shows an unknown field")
  }
  try stage.leave(client)
}
