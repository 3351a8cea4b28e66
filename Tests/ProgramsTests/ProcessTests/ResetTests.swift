import AuthorityServer
import Glibc
import TestSupport
import Testing
import WatchTransfer
import WireFormat

/// Connections that end in a reset, and descriptors that run out, against the real program: a crash
/// would be seen as one.
@Suite(.serialized, .timeLimit(.minutes(15))) struct ResetTests {
  private let folder = try! TemporaryDirectory()

  private var data: String { "\(folder.path)/data" }

  /// When a connection is reset.
  private enum Moment: Int, CaseIterable {
    case atOnce, withinHello, behindHello, afterWelcome, withinFrame, answersQueued
  }

  @Test func `resets at any moment cost nobody else anything`() async throws {
    let resets = isFullForm ? 100_000 : 10_000
    let threads = 4
    let server = try await ServeProcess(data: data)
    try await server.addAccount()
    try await server.addAccount("ben")
    var tokens: [[[UInt8]]] = []
    for _ in 0..<threads {
      var own: [[UInt8]] = []
      for _ in 0..<4 { own.append(try await server.pair(.widget, account: "ben")) }
      tokens.append(own)
    }
    let bystanders = [
      Bystander(token: try await server.pair(.watch), overTCP: true),
      Bystander(token: try await server.pair(.watch), overTCP: false),
    ]
    let isOver = Flag()
    // The bystanders are connected when the descriptors are counted first.
    let connected = Steps(until: bystanders.count) {}
    let start = monotonicMilliseconds()
    let results = try await withThrowingTaskGroup(of: Bystander.Result?.self) { group in
      for bystander in bystanders {
        group.addTask {
          try await onThread { try bystander.work(server, isOver: isOver, connected: connected) }
        }
      }
      while try await server.status().connections < bystanders.count {}
      let baseline = Processes.descriptors(of: server.child.id)
      try await withThrowingTaskGroup(of: Void.self) { storm in
        for thread in 0..<threads {
          let own = tokens[thread]
          storm.addTask {
            try await onThread {
              for index in 0..<resets / threads { try Self.reset(index, server, own) }
            }
          }
        }
        try await storm.waitForAll()
      }
      // Until the server has noticed the last of them.
      let deadline = monotonicMilliseconds() + 10_000
      while monotonicMilliseconds() < deadline {
        let connections = try await server.status().connections
        // The command's own connection comes and goes.
        if connections == bystanders.count,
          Processes.descriptors(of: server.child.id) <= baseline
        {
          break
        }
      }
      #expect(Processes.descriptors(of: server.child.id) <= baseline, "descriptors are lost")
      #expect(try await server.status().connections == bystanders.count)
      isOver.raise()
      var results: [Bystander.Result] = []
      for try await result in group { if let result { results.append(result) } }
      return results
    }
    let took = monotonicMilliseconds() - start
    for result in results { #expect(result.acts > 0 && result.fetches > 0) }
    let status = try await server.status()
    let ending = await server.end()
    #expect(ending.status == 0 && ending.signal == nil, "\(ending)")
    #expect(try await wristwire("check", "--data", data).output == "ok\n")
    print(
      "resets: \(resets) in \(took) ms (\(resets * 1_000 / Int(max(1, took)))/s); beside them "
        + "\(results.map(\.acts).reduce(0, +)) acts and \(results.map(\.fetches).reduce(0, +)) "
        + "fetches, slowest \(results.map(\.slowestMilliseconds).max() ?? 0) ms; closed "
        + "\(status.closed.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
  }

  private static func reset(_ index: Int, _ server: ServeProcess, _ tokens: [[UInt8]]) throws {
    let moment = Moment.allCases[index % Moment.allCases.count]
    let isTCP = index / Moment.allCases.count % 4 != 3
    let peer = try RawPeer(port: server.port, unixPath: server.unixPath, overTCP: isTCP)
    let encoder = MessageEncoder()
    let hello = encoder.frame(
      ClientMessage.hello(Hello(token: tokens[index / 6 % tokens.count])))
    switch moment {
    case .atOnce: break
    case .withinHello: peer.send(Array(hello.dropLast(index % hello.count)))
    case .behindHello: peer.send(hello)
    case .afterWelcome, .withinFrame, .answersQueued:
      peer.send(hello)
      // Gone when another connection of the device came first.
      guard peer.receive() > 0 else { break }
      if moment == .withinFrame { peer.send([0, 0, 0x20, 0, 0x52]) }
      if moment == .answersQueued {
        let view = WidgetView(kind: .streak, family: .large, appearance: .both)
        let fetch = encoder.frame(ClientMessage.fetch(Fetch(view: view)))
        peer.send(Array(repeatElement(fetch, count: 64).joined()))
      }
    }
    peer.reset()
  }

  @Test func `a server out of descriptors does not spin, and works on`() async throws {
    let shell = "ulimit -n 96; exec \"$0\" \"$@\""
    let server = try await ServeProcess(data: data, launcher: ["/bin/sh", "-c", shell])
    try await server.addAccount()
    var tokens: [[UInt8]] = []
    for _ in 0..<33 { tokens.append(try await server.pair(.watch)) }
    let id = server.child.id
    // As many sessions as the limit leaves, and a client of the admin socket for each other one.
    var clients: [WireClient] = []
    for token in tokens.prefix(32) {
      let client = try server.client()
      _ = try client.greet(Hello(token: token))
      clients.append(client)
    }
    let extra = try server.client()
    try extra.send(.hello(Hello(token: tokens[32])))
    #expect(try extra.goodbye().reason == .tooMany)
    var idlers: [RawPeer] = []
    defer { idlers = [] }
    while Processes.descriptors(of: id) < 96, idlers.count < 200 {
      idlers.append(
        try RawPeer(port: 0, unixPath: "\(data)/admin.sock", overTCP: false))
    }
    #expect(Processes.descriptors(of: id) >= 95, "the limit is not reached")
    // More that knock: they wait, or are turned away.
    for _ in 0..<50 {
      idlers.append(try RawPeer(port: server.port, unixPath: server.unixPath, overTCP: true))
    }
    // A second in which those who are connected work.
    let used = Processes.processorMilliseconds(of: id)
    let start = monotonicMilliseconds()
    var writer = 0
    while monotonicMilliseconds() < start + 1_000 {
      poll(nil, 0, 50)
      let client = clients[writer % clients.count]
      writer += 1
      try client.send(.ping(Ping(nonce: UInt64(writer))))
      let pong = try client.next { if case .pong(let pong) = $0 { pong } else { nil } }
      #expect(pong.nonce == UInt64(writer))
    }
    let spent = Processes.processorMilliseconds(of: id) - used
    #expect(spent < 200, "\(spent) ms of processor time in a second")
    // Also what reads the machine's zones.
    try expectApplied(.setZone(id: "Asia/Kathmandu"), by: clients[0])
    // Some leave, and others come.
    idlers = []
    clients.removeLast(8)
    let deadline = monotonicMilliseconds() + 10_000
    var newcomer: Welcome?
    while newcomer == nil, monotonicMilliseconds() < deadline {
      newcomer = try? server.client().greet(Hello(token: tokens[32]))
    }
    #expect(newcomer != nil, "nobody is let in any more")
    let status = try await server.status()
    #expect(status.alarms.contains { $0.contains("out of descriptors") }, "\(status.alarms)")
    print("out of descriptors: \(spent) ms of processor time in a second")
    #expect(await server.end().status == 0)
    #expect(try await wristwire("check", "--data", data).output == "ok\n")
  }

  private func expectApplied(_ action: Action, by client: WireClient) throws {
    var outbox = TestOutbox()
    let now = Instant(milliseconds: Int64(time(nil)) * 1_000)
    try client.send(.act(outbox.act(action, at: now)))
    let receipt = try client.receipt()
    #expect(receipt.outcome.word == "applied", "\(receipt.outcome)")
  }
}

/// A client that works while others misbehave: acts and fetches, each answer looked at.
struct Bystander: Sendable {
  let token: [UInt8]
  let overTCP: Bool

  /// What it got done.
  struct Result: Sendable {
    var acts = 0
    var fetches = 0
    var slowestMilliseconds: Int64 = 0
  }

  func work(_ server: ServeProcess, isOver: Flag, connected: Steps) throws -> Result {
    let client = try server.client(overTCP: overTCP)
    _ = try client.greet(Hello(token: token))
    connected.step()
    var result = Result()
    var outbox = TestOutbox()
    var revision: Revision = 0
    var hash: UInt64?
    let view = WidgetView(kind: .streak, family: .small, appearance: .day)
    while !isOver.isRaised {
      let asked = monotonicMilliseconds()
      let now = Instant(milliseconds: Int64(time(nil)) * 1_000)
      let act = outbox.act(
        .setGoal(name: "bystander \(overTCP)", value: Double(result.acts)), at: now)
      try client.send(.act(act))
      let receipt = try client.receipt()
      guard receipt.number == act.number, case .applied(let applied) = receipt.outcome,
        applied > revision
      else { throw WireClient.Failure.unexpected("\(receipt) after \(revision)") }
      revision = applied
      outbox.confirmed = act.number
      result.acts += 1
      try client.send(.fetch(Fetch(view: view, knownHash: hash)))
      let answered: UInt64 = try client.next { message in
        switch message {
        case .snapshot(let snapshot) where snapshot.view == view: snapshot.hash
        case .notModified(let answer) where answer.view == view: hash
        default: nil
        }
      }
      hash = answered
      result.fetches += 1
      result.slowestMilliseconds = max(
        result.slowestMilliseconds, monotonicMilliseconds() - asked)
    }
    return result
  }
}
