import AuthorityServer
import TestSupport
import WatchTransfer
import WireFormat

// Part C of the catalogue: who speaks, and for whom. The flood of wrong tokens (C4) has a test of
// its own.
extension BytesRow {
  private static let tokenRule = "The account comes from the token alone."

  static let identity: [BytesRow] = beforeHello + greetings + owners

  private static let beforeHello: [BytesRow] = [
    ("act", act(body: theme(2))),
    ("ping", ping(1)),
    ("pong", frame(blob(MessageField.pong, number(1, 1)))),
    ("fetch", frame(blob(MessageField.fetch, number(1, 1) + number(2, 1) + number(3, 1)))),
    ("resume", frame(blob(MessageField.resume, []))),
    ("goodbye", frame(blob(MessageField.goodbye, number(1, 12)))),
  ].map { BytesRow("C1 \($0)", .first($1), .goodbye(.unauthenticated)) }

  private static let greetings: [BytesRow] = [
    BytesRow("C2 second Hello", .script(secondHello)),
    BytesRow("C3 version 0", .script { try refusesVersion(0, $0) }),
    BytesRow("C3 version 2", .script { try refusesVersion(2, $0) }),
    BytesRow("C3 version 2^32 - 1", .script { try refusesVersion(1 << 32 - 1, $0) }),
    BytesRow(
      "C3 version 2^32", .greeting { hello(version: 1 << 32, token: $0) }, .goodbye(.malformed)),
    BytesRow(
      "C4 wrong token", .first(frame(hello(token: repeated([0xA5], 32)))),
      .goodbye(.unauthenticated)),
    BytesRow(
      "C4 token of zeros", .first(frame(hello(token: repeated([0], 32)))),
      .goodbye(.unauthenticated)),
    BytesRow(
      "C4 one bit off",
      .greeting { token in hello(token: Array(token.dropLast()) + [token[31] ^ 1]) },
      .goodbye(.unauthenticated)),
    BytesRow(
      "C4 31 bytes", .greeting { hello(token: Array($0.dropLast())) }, .goodbye(.malformed)),
    BytesRow("C4 33 bytes", .greeting { hello(token: $0 + [0]) }, .goodbye(.malformed)),
    BytesRow("C4 no bytes", .first(frame(hello(token: []))), .goodbye(.malformed)),
    BytesRow(
      "C4 hexadecimal", .greeting { hello(token: Array(hexadecimal(of: $0).utf8)) },
      .goodbye(.malformed)),
    BytesRow("C5 revoked before Hello", .script(revokedBeforeHello)),
    BytesRow(
      "C5 revoked while connected", .script(revokedWhileConnected),
      by: "Revoking cuts live connections at once."),
  ]

  private static let owners: [BytesRow] = [
    BytesRow(
      "C7 another account's id beside the token", .script(otherAccountBesideToken), by: tokenRule),
    BytesRow("C7 another account's id in a body", .script(otherAccountInBody), by: tokenRule),
    BytesRow("C8 another device's id", .script(otherDevice), by: tokenRule),
    BytesRow(
      "C8 a widget that acts", .script(widgetActs),
      by: "Kinds without actions get Goodbye(forbidden)."),
    BytesRow(
      "C8 a controller that fetches", .script(controllerFetches),
      by: "One authorisation function for every path."),
    BytesRow("C8 a controller that defines", .script(controllerDefines), by: envelopeRule),
    BytesRow("C9 another account's things", .script(otherAccountsThings)),
    BytesRow("C9 another account's cursor", .script(otherAccountsCursor)),
    BytesRow("C11 watch, phone and widget at once", .script(threeAtOnce)),
    BytesRow(
      "C9 facts about another account's things", .script(factsAboutOthers),
      by: "A set, point or finish is never refused because its start has not arrived."),
  ]
}

private func secondHello(_ stage: BytesStage) throws {
  let before = try stage.status()
  let client = try stage.welcomed(stage.watch)
  try client.send(bytes: frame(hello(token: stage.watch)))
  let messages = try client.untilClosed()
  stage.check(messages.last == .goodbye(Goodbye(.protocolError)), "\(messages.last as Any)")
  let after = try stage.status()
  stage.check(
    (after.closed["protocol"] ?? 0) == (before.closed["protocol"] ?? 0) + 1, "not counted")
}

/// The range that is spoken comes with it.
private func refusesVersion(_ version: UInt64, _ stage: BytesStage) throws {
  let client = try stage.connect()
  try client.send(bytes: frame(hello(version: version, token: stage.watch)))
  let goodbye = try client.goodbye()
  stage.check(goodbye.reason == .unsupportedVersion, goodbye.reason.word)
  stage.check(goodbye.versions == protocolVersion...protocolVersion, "\(goodbye.versions as Any)")
  stage.check(!goodbye.comeBack, "it should not come back by itself")
  stage.check(client.isClosedByPeer(), "it stays open")
}

private func revokedBeforeHello(_ stage: BytesStage) throws {
  let token = try stage.pair(.watch, name: "lost")
  try stage.revoke("lost")
  let client = try stage.connect()
  try client.send(bytes: frame(hello(token: token)))
  let messages = try client.untilClosed()
  stage.check(messages == [.goodbye(Goodbye(.revoked))], "\(messages)")
}

private func revokedWhileConnected(_ stage: BytesStage) throws {
  let token = try stage.pair(.watch, name: "lost")
  let client = try stage.welcomed(token)
  let other = try stage.welcomed(stage.watch)
  try stage.revoke("lost")
  let messages = try client.untilClosed()
  stage.check(messages.last == .goodbye(Goodbye(.revoked)), "\(messages.last as Any)")
  try other.send(bytes: ping(1))
  _ = try other.next { if case .pong(let pong) = $0 { pong } else { nil } }
  try stage.leave(other)
}

/// No field of the protocol names an account; one that a peer makes up is skipped.
private func otherAccountBesideToken(_ stage: BytesStage) throws {
  let other = try stage.neighbour()
  let client = try stage.connect()
  try client.send(
    bytes: frame(hello(token: stage.watch, blob(15, other.welcome.account.bytes))))
  let welcome = try client.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
  stage.check(welcome.account != other.welcome.account, "welcomed to another account")
  try stage.leave(client)
}

private func otherAccountInBody(_ stage: BytesStage) throws {
  let other = try stage.neighbour()
  let before = try stage.view(other.phone)
  let client = try stage.welcomed(stage.watch)
  try client.send(bytes: act(body: theme(3) + blob(902, other.welcome.account.bytes)))
  let receipt = try client.receipt()
  stage.check(receipt.outcome == .applied(2), "\(receipt.outcome)")
  stage.check(try stage.view(other.phone) == before, "the other account has changed")
  try stage.leave(client)
}

/// An act is its connection's device's, whatever it says.
private func otherDevice(_ stage: BytesStage) throws {
  let other = try stage.neighbour()
  let client = try stage.connect()
  try client.send(bytes: frame(hello(token: stage.watch, blob(16, other.welcome.device.bytes))))
  let welcome = try client.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
  stage.check(welcome.device != other.welcome.device, "welcomed as another device")
  stage.check(welcome.kind == .watch, welcome.kind.word)
  try stage.leave(client)
}

private func widgetActs(_ stage: BytesStage) throws {
  let before = try stage.status()
  let client = try stage.welcomed(try stage.pair(.widget))
  try client.send(bytes: act(body: theme(2)))
  let messages = try client.untilClosed()
  stage.check(messages.last == .goodbye(Goodbye(.forbidden)), "\(messages.last as Any)")
  stage.check(try stage.status().entries == before.entries, "something was written")
}

private func controllerFetches(_ stage: BytesStage) throws {
  let client = try stage.welcomed(try stage.pair(.controller))
  try client.send(
    bytes: frame(blob(MessageField.fetch, number(1, 1) + number(2, 1) + number(3, 1))))
  let messages = try client.untilClosed()
  stage.check(messages.last == .goodbye(Goodbye(.forbidden)), "\(messages.last as Any)")
}

/// What a kind may not do is a refusal that consumes the number.
private func controllerDefines(_ stage: BytesStage) throws {
  let client = try stage.welcomed(try stage.pair(.controller))
  let definition = body(ActionField.defineWorkout, blob(1, id(1)) + text(2, "Legs"))
  try client.send(bytes: act(body: definition))
  let receipt = try client.receipt()
  stage.check(receipt.outcome == .refused(.forbidden), "\(receipt.outcome)")
  try stage.leave(client)
}

/// Another account's ids are answered exactly like ids of nothing.
private func otherAccountsThings(_ stage: BytesStage) throws {
  let other = try stage.neighbour()
  let before = try stage.view(other.phone)
  let (known, missing) = (other.thing, id(0xEE))
  let bodies: [(String, ([UInt8]) -> [UInt8])] = [
    ("edit", { body(17, blob(1, $0) + text(2, "Mine")) }),
    ("delete", { body(ActionField.deleteWorkout, blob(1, $0)) }),
    (
      "schedule",
      {
        body(
          ActionField.scheduleWorkout, blob(1, id(5)) + blob(2, blob(1, $0)) + signed(3, bodyMoment)
        )
      }
    ),
    ("unschedule", { body(20, blob(1, $0)) }),
    ("unmark", { body(22, blob(1, blob(1, $0))) }),
    ("name a team", { body(29, blob(1, $0) + number(2, 1) + text(3, "Mine")) }),
    ("undo", { body(31, blob(1, $0) + blob(2, id(6))) }),
    (
      "pause",
      { body(ActionField.controlClock, blob(1, $0) + number(2, 2), at: bodyMoment - 3_600_000) }
    ),
  ]
  let client = try stage.welcomed(stage.watch)
  for (index, (name, make)) in bodies.enumerated() {
    var answers: [[UInt8]] = []
    for (incarnation, thing) in [(id(1), known), (id(2), missing)] {
      try client.send(
        bytes: act(
          incarnation: incarnation, number: UInt64(index) + 1, confirmed: UInt64(index),
          body: make(thing)))
      let receipt = try client.receipt()
      // Compared as the bytes that travel, under one incarnation.
      let same = Receipt(incarnation: .zero, number: 1, outcome: receipt.outcome)
      answers.append(MessageEncoder().frame(ServerMessage.receipt(same)))
      stage.check(receipt.outcome.word != "applied", "\(name): \(receipt.outcome)")
    }
    stage.check(answers[0] == answers[1], "\(name) tells the ids apart")
  }
  stage.check(try stage.view(other.phone) == before, "the other account has changed")
  try stage.leave(client)
}

private func otherAccountsCursor(_ stage: BytesStage) throws {
  let other = try stage.neighbour()
  let client = try stage.welcomed(stage.watch)
  _ = try client.update()
  try client.send(
    .resume(Cursor(epoch: .random(), revision: 1, facetSet: DeviceKind.watch.facetSet)))
  let unknown = try client.update()
  try client.send(
    .resume(
      Cursor(
        epoch: other.welcome.epoch, revision: other.welcome.revision,
        facetSet: DeviceKind.watch.facetSet)))
  let others = try client.update()
  stage.check(unknown.from == 0, "an unknown cursor was resumed from \(unknown.from)")
  // One start of the server is one epoch for all its accounts: the cursor counts as one's own.
  stage.check(others.epoch == unknown.epoch, "another account's epoch")
  let own = try stage.view()
  for facet in others.facets {
    stage.check(own.facets[facet.kind] == facet.content, "\(facet.kind) is not one's own")
  }
  try stage.leave(client)
}

/// A fact opens a stub in one's own account; the other's thing of the same id is another thing.
private func factsAboutOthers(_ stage: BytesStage) throws {
  let other = try stage.neighbour()
  let before = try stage.view(other.phone)
  let client = try stage.welcomed(stage.watch)
  let mark = body(ActionField.markWorkout, blob(1, id(7)) + blob(2, blob(1, other.thing)))
  let point = body(ActionField.addPoint, blob(1, id(8)) + blob(2, id(9)) + number(3, 1))
  for (index, body) in [mark, point].enumerated() {
    try client.send(
      bytes: act(number: UInt64(index) + 1, confirmed: UInt64(index), body: body))
    let receipt = try client.receipt()
    stage.check(receipt.outcome.word == "applied", "\(receipt.outcome)")
  }
  stage.check(try stage.view(other.phone) == before, "the other account has changed")
  try stage.leave(client)
}

extension BytesStage {
  /// Another account, with a phone and one workout.
  struct Neighbour {
    let phone: [UInt8]
    let welcome: Welcome
    let thing: [UInt8]
  }

  fileprivate func neighbour() throws -> Neighbour {
    let name = "beside \(account)"
    try addAccount(name)
    let watch = try pair(.watch, account: name)
    let client = try connect()
    let welcome = try client.greet(Hello(token: watch))
    let thing = id(0xB0)
    try client.send(
      bytes: act(body: body(ActionField.defineWorkout, blob(1, thing) + text(2, "Theirs"))))
    _ = try client.receipt()
    try leave(client)
    return Neighbour(phone: try pair(.phone, account: name), welcome: welcome, thing: thing)
  }

  fileprivate func revoke(_ name: String) throws {
    guard case .done = try perform(.revoke(account: account, device: name)) else {
      throw WireClient.Failure.unexpected("revoke")
    }
  }
}

extension Identifier {
  fileprivate static var zero: Self { Self(high: 0, low: 0) }
}
