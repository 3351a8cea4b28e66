import AuthorityServer
import TestSupport
import WatchTransfer
import WireFormat

// Part A of the catalogue: frames. Deadlines (A5 to A7) and noise (A14) have tests of their own.
extension BytesRow {
  private static let lengthRule =
    "A frame is a 4-byte big-endian unsigned length N, then N bytes. Anything else: a typed Goodbye."
  private static let countedRule = "A typed Goodbye(reason) and close, counted by reason."
  private static let greetingMax = FrameLimits.greetingFrameBytesMax
  private static let frameMax = FrameLimits.clientFrameBytesMax

  static let framing: [BytesRow] = lengths + otherProtocols + streams

  private static let lengths: [BytesRow] = [
    BytesRow("A1 before Hello", .first(prefix(0)), .goodbye(.malformed)),
    BytesRow("A1 after Hello", .welcomed(prefix(0)), .goodbye(.malformed)),
    BytesRow(
      "A2 limit before Hello", .greeting { padded(hello(token: $0), to: greetingMax) }, .welcome),
    BytesRow(
      "A2 limit + 1 before Hello", .first(prefix(greetingMax + 1)), .goodbye(.frameTooLarge)),
    BytesRow(
      "A2 limit + 1 before Hello, whole",
      .greeting { padded(hello(token: $0), to: greetingMax + 1) }, .goodbye(.frameTooLarge)),
    BytesRow(
      "A2 limit after Hello",
      .welcomed(frame(padded(blob(MessageField.ping, number(1, 9)), to: frameMax))), .pong(9)),
    BytesRow("A2 limit + 1 after Hello", .welcomed(prefix(frameMax + 1)), .goodbye(.frameTooLarge)),
    BytesRow(
      "A2 limit + 1 after Hello, whole",
      .welcomed(frame(padded(blob(MessageField.ping, number(1, 9)), to: frameMax + 1))),
      .goodbye(.frameTooLarge)),
    BytesRow("A3 all ones before Hello", .first(prefix(0xFFFF_FFFF)), .goodbye(.frameTooLarge)),
    BytesRow("A3 all ones after Hello", .welcomed(prefix(0xFFFF_FFFF)), .goodbye(.frameTooLarge)),
    BytesRow("A3 sign bit before Hello", .first(prefix(0x8000_0000)), .goodbye(.frameTooLarge)),
    BytesRow("A3 sign bit after Hello", .welcomed(prefix(0x8000_0000)), .goodbye(.frameTooLarge)),
    BytesRow(
      "A3 varint of eleven bytes", .first(repeated([0xFF], 11)), .goodbye(.frameTooLarge),
      by: lengthRule),
    BytesRow("A4 large frame before Hello", .first(prefix(frameMax)), .goodbye(.frameTooLarge)),
  ]

  private static let otherProtocols: [BytesRow] = [
    BytesRow(
      "A11 HTTP", .first(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)),
      .goodbye(.frameTooLarge), by: countedRule),
    BytesRow(
      "A11 HTTP/2", .first(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)),
      .goodbye(.frameTooLarge),
      by: countedRule),
    BytesRow(
      "A11 TLS",
      .first([0x16, 3, 1, 0, 0x2F, 1, 0, 0, 0x2B, 3, 3] + repeated([0xAB], 37)),
      .goodbye(.frameTooLarge), by: countedRule),
    BytesRow(
      "A11 SSH", .first(Array("SSH-2.0-OpenSSH_9.2p1\r\n".utf8)), .goodbye(.frameTooLarge),
      by: countedRule),
    BytesRow(
      "A11 MQTT", .first([0x10, 0x0C, 0, 4] + Array("MQTT".utf8) + [4, 2, 0, 60, 0, 0]),
      .goodbye(.frameTooLarge), by: countedRule),
    BytesRow(
      "A11 after Hello", .welcomed(Array("GET / HTTP/1.1\r\n\r\n".utf8)), .goodbye(.frameTooLarge),
      by: countedRule),
    BytesRow(
      "A12 PROXY header", .first(Array("PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n".utf8)),
      .goodbye(.frameTooLarge), by: countedRule),
    BytesRow(
      "A12 PROXY header, binary",
      .first(
        [0x0D, 0x0A, 0x0D, 0x0A, 0, 0x0D, 0x0A] + Array("QUIT\n".utf8) + [0x21, 0x11, 0, 12]),
      .goodbye(.frameTooLarge), by: countedRule),
    BytesRow(
      "A15 gzip stream", .first([0x1F, 0x8B, 8, 0, 0, 0, 0, 0]), .goodbye(.frameTooLarge),
      by: lengthRule),
    BytesRow(
      "A15 gzip payload", .first(frame([0x1F, 0x8B, 8, 0, 0, 0, 0, 0])), .goodbye(.malformed),
      by: "N bytes: one protobuf WatchTransferMessage."),
  ]

  private static let streams: [BytesRow] = [
    BytesRow("A8 byte by byte", .script(byteByByte)),
    BytesRow("A9 10,000 frames in one write", .script(pipelined)),
    BytesRow("A10 two frames in one segment", .script(twoFramesAtOnce)),
    BytesRow("A10 split at every offset", .script(splitEverywhere)),
    BytesRow("A13 garbage after a good Hello", .script(garbageAfterHello)),
    BytesRow("A13 garbage after a good act", .script(garbageAfterAct)),
    BytesRow("A13 garbage after a good ping", .script(garbageAfterPing)),
    BytesRow("A13 end of the stream within a frame", .script(endWithinFrame)),
    BytesRow("A13 end of the stream before Hello", .script(endBeforeHello)),
  ]

  /// A payload made `count` bytes long by an unknown field.
  private static func padded(_ payload: [UInt8], to count: Int) -> [UInt8] {
    // The tag takes two bytes, the length as many as it needs.
    let rest = count - payload.count - 2
    let length = rest - (rest - 1 < 0x80 ? 1 : rest - 2 < 0x4000 ? 2 : 3)
    return payload + blob(60, repeated([0], length))
  }
}

/// Byte by byte.
private func byteByByte(_ stage: BytesStage) throws {
  let client = try stage.connect()
  let bytes = frame(hello(token: stage.watch)) + act(body: theme(2)) + ping(5)
  for byte in bytes { try client.send(bytes: [byte]) }
  _ = try client.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
  let receipt = try client.receipt()
  stage.check(receipt.outcome == .applied(2), "\(receipt.outcome)")
  try stage.leave(client)
}

/// 10,000 frames in one write: pings, fetches and acts, answered in order, each kind for itself; an
/// act waits for its commit, and what follows it does not.
private func pipelined(_ stage: BytesStage) throws {
  let client = try stage.welcomed(stage.watch)
  client.setTimeout(seconds: 20)
  let fetch = frame(blob(MessageField.fetch, number(1, 1) + number(2, 1) + number(3, 3)))
  var bytes: [UInt8] = []
  for index in 0..<2_500 as Range<UInt64> {
    let acted = act(number: index + 1, confirmed: index, body: theme(2 + index % 2))
    bytes += ping(index) + fetch + ping(1_000_000 + index) + acted
  }
  client.sendBeside(bytes: bytes)
  var nonces: [UInt64] = []
  var receipts: [Receipt] = []
  var fetched = 0
  while nonces.count < 5_000 || receipts.count < 2_500 || fetched < 2_500 {
    switch try client.next() {
    case .pong(let pong): nonces.append(pong.nonce)
    case .receipt(let receipt): receipts.append(receipt)
    case .snapshot, .notModified: fetched += 1
    case .ping, .update, .reload, .page, .welcome: break
    case let other: return stage.fail("\(other) came in the middle")
    }
  }
  stage.check(
    nonces == (0..<2_500).flatMap { [$0, 1_000_000 + $0] }, "pongs are out of order")
  stage.check(receipts.map(\.number) == Array(1...2_500), "receipts are out of order")
  let revisions = receipts.compactMap { receipt -> Revision? in
    if case .applied(let revision) = receipt.outcome { revision } else { nil }
  }
  stage.check(revisions.count == 2_500, "not every act was applied")
  // The reloads that the fetches cause are entries, too.
  stage.check(
    zip(revisions, revisions.dropFirst()).allSatisfy(<), "acts are applied out of order")
  try stage.leave(client)
}

private func twoFramesAtOnce(_ stage: BytesStage) throws {
  let client = try stage.connect()
  try client.send(bytes: frame(hello(token: stage.watch)) + act(body: theme(2)))
  let receipt = try client.receipt()
  stage.check(receipt.outcome == .applied(2), "\(receipt.outcome)")
  try stage.leave(client)
}

/// The stream cut in two at each offset, the second part sent when the first was certainly read: a
/// stranger and another device are answered after it.
private func splitEverywhere(_ stage: BytesStage) throws {
  let other = try stage.welcomed(try stage.pair(.phone, name: "other"))
  let bytes = frame(hello(token: stage.watch)) + ping(1) + act(body: theme(2)) + ping(2)
  var expected: Receipt?
  for offset in 1..<bytes.count {
    let client = try stage.connect()
    try client.send(bytes: Array(bytes[..<offset]))
    let stranger = try stage.connect()
    try stranger.send(bytes: prefix(0))
    _ = try stranger.goodbye()
    try other.send(bytes: ping(UInt64(offset)))
    _ = try other.next { if case .pong(let pong) = $0 { pong } else { nil } }
    try client.send(bytes: Array(bytes[offset...]))
    let pong = try client.next { if case .pong(let pong) = $0 { pong } else { nil } }
    stage.check(pong.nonce == 1, "split at \(offset): a pong for \(pong.nonce)")
    // The receipt and the second pong come in either order: the act waits for its commit.
    var last: Pong?
    var receipt: Receipt?
    while last == nil || receipt == nil {
      switch try client.next() {
      case .pong(let pong): last = pong
      case .receipt(let answer): receipt = answer
      default: break
      }
    }
    stage.check(last?.nonce == 2, "split at \(offset): a pong for \(last?.nonce ?? 0)")
    expected = expected ?? receipt
    stage.check(receipt == expected, "split at \(offset): \(receipt as Any)")
    try stage.leave(client)
  }
}

private func garbageAfterHello(_ stage: BytesStage) throws {
  let client = try stage.connect()
  try client.send(bytes: frame(hello(token: stage.watch)) + prefix(0))
  let messages = try client.untilClosed()
  guard case .welcome = messages.first else { return stage.fail("no Welcome first") }
  stage.check(messages.last == .goodbye(Goodbye(.malformed)), "\(messages.last as Any)")
}

private func garbageAfterAct(_ stage: BytesStage) throws {
  let client = try stage.welcomed(stage.watch)
  try client.send(bytes: act(body: theme(2)) + [0, 0, 0, 0, 1, 2, 3])
  let messages = try client.untilClosed()
  let receipts = messages.compactMap { message -> Outcome? in
    if case .receipt(let receipt) = message { receipt.outcome } else { nil }
  }
  stage.check(receipts == [.applied(2)], "the good act was answered \(receipts)")
  stage.check(messages.last == .goodbye(Goodbye(.malformed)), "\(messages.last as Any)")
  stage.check(try stage.view().revision == 2, "the good act was not applied")
}

private func garbageAfterPing(_ stage: BytesStage) throws {
  let client = try stage.welcomed(stage.watch)
  try client.send(bytes: ping(3) + prefix(70_000))
  let messages = try client.untilClosed()
  stage.check(
    messages.contains { if case .pong(let pong) = $0 { pong.nonce == 3 } else { false } },
    "the good ping was not answered")
  stage.check(messages.last == .goodbye(Goodbye(.frameTooLarge)), "\(messages.last as Any)")
}

/// Nothing that could be answered is there; the connection just ends.
private func endWithinFrame(_ stage: BytesStage) throws {
  let before = try stage.status()
  let client = try stage.welcomed(stage.watch)
  try client.send(bytes: Array(act(body: theme(2)).dropLast()))
  client.finish()
  for message in try client.untilClosed() {
    if case .receipt = message { stage.fail("half an act was decided") }
  }
  stage.check(try stage.status().entries == before.entries, "something was written")
}

/// A network that ends the stream within a greeting must not tell the client to stay away.
private func endBeforeHello(_ stage: BytesStage) throws {
  let greeting = frame(hello(token: stage.watch))
  let before = try stage.status().closed["endOfStream"] ?? 0
  let counts = [0, 1, 4, 5, greeting.count - 1]
  for count in counts {
    let client = try stage.connect()
    try client.send(bytes: Array(greeting[..<count]))
    client.finish()
    let messages = try client.untilClosed()
    stage.check(messages.isEmpty, "\(count) bytes of a Hello are answered \(messages)")
  }
  let ended = (try stage.status().closed["endOfStream"] ?? 0) - before
  stage.check(ended == counts.count, "counted \(ended) times")
}

/// A body that sets the theme.
func theme(_ mode: UInt64) -> [UInt8] { body(ActionField.setTheme, number(1, mode)) }
