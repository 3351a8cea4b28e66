import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

/// Random bytes (A14): always the same for a seed.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BytesNoiseTests {
  @Test(arguments: BytesPath.allCases)
  func `noise ends its connection and changes nothing`(path: BytesPath) async throws {
    let connections = isFullForm ? 20_000 : 1_000
    let fixture = try BytesStage.server()
    let server = try #require(fixture.server)
    let (admin, port, unixPath) = (server.admin, fixture.port, fixture.unixPath)
    let failures = try await onThread {
      let stage = BytesStage(path: path, admin: admin, port: port, unixPath: unixPath)
      try stage.run(BytesRow("A14", .script { try makeNoise($0, connections: connections) }))
      return stage.failures
    }
    for failure in failures { Issue.record("\(failure)") }
    await fixture.stop()
    #expect(!fixture.failure.isRaised)
  }
}

private func makeNoise(_ stage: BytesStage, connections: Int) throws {
  let before = try stage.view()
  var random = SeededGenerator(seed: 0x5EED)
  let good = frame(hello(token: stage.watch))
  for index in 0..<connections {
    let client = try stage.connect()
    var bytes = index % 2 == 0 ? [] : good
    switch index % 6 {
    case 0, 1:
      // No frames at all.
      bytes += noise(1...4_000, &random)
    case 2, 3:
      // Frames of noise.
      for _ in 0..<8 { bytes += frame(noise(1...900, &random)) }
    default:
      // Good messages with a few bytes changed.
      var message = index % 4 == 0 ? good : ping(7) + frame(blob(MessageField.resume, []))
      for _ in 0..<3 {
        message[Int.random(in: 0..<message.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      bytes += message
    }
    try? client.send(bytes: bytes)
    client.finish()
    _ = try client.untilClosed()
  }
  let status = try stage.status()
  stage.check(status.connections == 0, "\(status.connections) connections are left")
  stage.check(status.alarms.isEmpty, "\(status.alarms)")
  stage.check(try stage.view() == before, "the account has changed")
  let client = try stage.welcomed(stage.watch)
  try client.send(bytes: act(body: theme(2)))
  stage.check(try client.receipt().outcome == .applied(2), "the server does not work any more")
  try stage.leave(client)
  let closed = try stage.status().closed.sorted { $0.key < $1.key }
  print("noise over \(stage.path): \(connections) connections, \(closed)")
}

private func noise(_ count: ClosedRange<Int>, _ random: inout SeededGenerator) -> [UInt8] {
  (0..<Int.random(in: count, using: &random)).map { _ in .random(in: 0...255, using: &random) }
}
