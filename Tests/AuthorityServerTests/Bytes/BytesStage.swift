import AuthorityServer
import TestSupport
import WatchTransfer
import WireFormat

/// Where rows are run: a server, reached in one way, and an account with a watch that may misbehave
/// and a phone that sees what came of it; one of its own for each row that writes. Everything
/// blocks.
final class BytesStage {
  let path: BytesPath
  let admin: AdminService
  private let port: UInt16
  private let unixPath: String
  private var rows = 0
  private var row = ""
  private(set) var failures: [String] = []
  /// The row's account and tokens.
  private(set) var account = ""
  private(set) var watch: [UInt8] = []
  private var phone: [UInt8] = []

  init(path: BytesPath, admin: AdminService, port: UInt16, unixPath: String) {
    self.path = path
    self.admin = admin
    self.port = port
    self.unixPath = unixPath
  }

  /// A server that runs, at the moment of the bodies that rows send.
  static func server() throws -> ServerFixture {
    var limits = ServerLimits()
    limits.ballastBytes = 0
    limits.freeSpaceReserveBytes = 0
    let fixture = try ServerFixture(
      limits: limits, testClock: Instant(milliseconds: bodyMoment + 5_000))
    try fixture.start()
    return fixture
  }

  /// What the phone sees: the account's revision, and the bytes of each facet.
  struct View: Equatable {
    let revision: Revision
    let facets: [FacetKind: [UInt8]]
  }

  func connect() throws -> WireClient {
    let client =
      switch path {
      case .tcp: try WireClient(port: port)
      case .unixSocket: try WireClient(unixPath: unixPath)
      }
    client.setTimeout(seconds: 5)
    return client
  }

  /// A connection that has had its Welcome and its first update.
  func welcomed(_ token: [UInt8]) throws -> WireClient {
    let client = try connect()
    _ = try client.greet(Hello(token: token))
    return client
  }

  func fail(_ problem: String) { failures.append("\(row): \(problem)") }

  func check(_ holds: Bool, _ problem: @autoclosure () -> String) {
    if !holds { fail(problem()) }
  }

  // MARK: the server

  func perform(_ request: AdminRequest) throws -> AdminResponse {
    let admin = admin
    return try waiting { await admin.perform(request) }
  }

  func status() throws -> ServerStatus {
    guard case .status(let status) = try perform(.status) else {
      throw WireClient.Failure.unexpected("status")
    }
    return status
  }

  /// Pairs a device with the row's account, or with another.
  func pair(_ kind: DeviceKind, name: String? = nil, account: String? = nil) throws -> [UInt8] {
    let request = AdminRequest.pair(
      account: account ?? self.account, kind: kind.word, name: name)
    guard case .paired(let token, _) = try perform(request),
      let bytes = hexadecimalBytes(of: token)
    else { throw WireClient.Failure.unexpected("pair") }
    return bytes
  }

  func addAccount(_ name: String) throws {
    guard case .done = try perform(.addAccount(name: name, zone: "Europe/Berlin")) else {
      throw WireClient.Failure.unexpected("addAccount")
    }
  }

  /// What a phone that knows nothing is shown of the row's account.
  func view(_ token: [UInt8]? = nil) throws -> View {
    let client = try connect()
    let welcome = try client.greet(Hello(token: token ?? phone))
    let update = try client.update()
    try leave(client)
    return View(
      revision: welcome.revision,
      facets: Dictionary(uniqueKeysWithValues: update.facets.map { ($0.kind, $0.content) }))
  }

  /// Finishes this side and waits until the server has let go.
  func leave(_ client: WireClient) throws {
    client.finish()
    check(client.isClosedByPeer(), "the server does not let go of a finished connection")
  }

  // MARK: a row

  func run(_ row: BytesRow) throws {
    self.row = "\(row.name) over \(path)"
    if rows == 0 || row.mayChange {
      rows += 1
      account = "row \(rows)"
      try addAccount(account)
      watch = try pair(.watch)
      phone = try pair(.phone)
    }
    do {
      if case .script(let script) = row.stimulus {
        try script(self)
      } else {
        try runPlain(row)
      }
    } catch {
      fail("\(error)")
    }
  }

  private func runPlain(_ row: BytesRow) throws {
    let viewBefore = try view()
    let before = try status()
    let client = try send(row.stimulus)
    switch row.reaction {
    case .goodbye(let reason): try expect(reason, on: client, before)
    case .refused(let reason): try expect(.refused(reason), on: client, row.stimulus, before)
    case .applied: try expect(nil, on: client, row.stimulus, before)
    case .welcome:
      _ = try client.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
    case .pong(let nonce): try expectPong(nonce, on: client)
    case .asScripted: fail("a row without a script needs a reaction")
    }
    if case .goodbye = row.reaction {} else { try expectAlive(client) }
    if case .applied = row.reaction { return }
    check(try view() == viewBefore, "the account has changed")
  }

  private func send(_ stimulus: BytesRow.Stimulus) throws -> WireClient {
    switch stimulus {
    case .first(let bytes, let finished):
      let client = try connect()
      // A server that has heard enough may have closed before all was taken.
      try? client.send(bytes: bytes)
      if finished { client.finish() }
      return client
    case .greeting(let payload):
      let client = try connect()
      try client.send(bytes: frame(payload(watch)))
      return client
    case .welcomed(let bytes):
      let client = try welcomed(watch)
      try? client.send(bytes: bytes)
      return client
    case .body(let body):
      let client = try welcomed(watch)
      try client.send(bytes: act(body: body))
      return client
    case .script:
      throw WireClient.Failure.unexpected("a script is run elsewhere")
    }
  }

  /// One Goodbye, the last thing that comes, counted once.
  private func expect(_ reason: Goodbye.Reason, on client: WireClient, _ before: ServerStatus)
    throws
  {
    let messages = try client.untilClosed()
    let goodbyes = messages.compactMap { message -> Goodbye? in
      if case .goodbye(let goodbye) = message { goodbye } else { nil }
    }
    check(goodbyes.map(\.reason) == [reason], "goodbyes \(goodbyes.map(\.reason.word))")
    if case .goodbye = messages.last {} else { fail("something came after the goodbye") }
    for message in messages {
      if case .receipt = message { fail("an act was decided") }
    }
    let after = try status()
    let count = (after.closed[reason.word] ?? 0) - (before.closed[reason.word] ?? 0)
    check(count == 1, "\(reason.word) was counted \(count) times")
    check(after.entries == before.entries, "something was written")
    check(after.connections == before.connections, "the connection is still counted")
  }

  /// The receipt, the same receipt again, and the next number decided.
  private func expect(
    _ refusal: Outcome?, on client: WireClient, _ stimulus: BytesRow.Stimulus,
    _ before: ServerStatus
  ) throws {
    let receipt = try client.receipt()
    check(receipt.number == 1, "a receipt of \(receipt.number)")
    if let refusal {
      check(receipt.outcome == refusal, "\(receipt.outcome)")
    } else {
      check(receipt.outcome.word == "applied", "\(receipt.outcome)")
    }
    let after = try status()
    let counted =
      refusal == nil
      ? after.actions.applied - before.actions.applied
      : after.actions.refused - before.actions.refused
    check(counted == 1, "counted \(counted) times")
    guard case .body(let bytes) = stimulus else { return }
    try client.send(bytes: act(body: bytes))
    check(try client.receipt() == receipt, "another receipt for the same act")
    check(try status().entries == after.entries, "the same act was decided twice")
    if refusal == nil { return }
    // Refused again, so that the state stays as it is; what counts is that the number is decided.
    try client.send(bytes: act(number: 2, confirmed: 1, body: []))
    let next = try client.receipt()
    check(
      next.number == 2 && next.outcome == .refused(.invalid(field: "body")),
      "the number was not consumed: \(next)")
  }

  private func expectPong(_ nonce: UInt64, on client: WireClient) throws {
    let pong = try client.next { if case .pong(let pong) = $0 { pong } else { nil } }
    check(pong.nonce == nonce, "a pong for \(pong.nonce)")
  }

  private func expectAlive(_ client: WireClient) throws {
    try client.send(bytes: ping(4_711))
    try expectPong(4_711, on: client)
    try leave(client)
  }
}

extension WireClient {
  /// Everything until the peer ends the connection; throws when it does not.
  func untilClosed() throws -> [ServerMessage] {
    var messages: [ServerMessage] = []
    while true {
      do {
        messages.append(try next())
      } catch WireClient.Failure.closed {
        return messages
      }
    }
  }
}
