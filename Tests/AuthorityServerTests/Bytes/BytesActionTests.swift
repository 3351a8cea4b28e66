import AuthorityServer
import TestSupport
import Testing
import WatchTransfer
import WireFormat

/// Every field of every action, at its bounds and beyond them: a typed answer for each, on one
/// connection that goes on.
@Suite(.serialized, .timeLimit(.minutes(1))) struct BytesActionTests {
  @Test func `every action of the protocol has a row`() {
    let rows = BytesActionRow.making + BytesActionRow.ending
    #expect(Set(rows.map(\.action)) == Set(wireActions.map(\.name)))
    for row in rows {
      let paths = Set(row.places.map { $0.path.dropFirst().joined(separator: ".") })
      for named in row.optional.union(row.without).union(row.unbounded).union(row.values.keys) {
        #expect(paths.contains(named), "\(row.action) has no field \(named)")
      }
    }
  }

  @Test func `every field of an action has bounds to be tried`() {
    for row in BytesActionRow.making + BytesActionRow.ending {
      for (field, path) in row.places {
        if case .message = field.content { continue }
        #expect(
          BytesFieldRule(for: field, at: path) != nil, "\(path.joined(separator: ".")) has none")
      }
    }
  }

  @Test func `each wrong field is refused by its name, and none at its bound is`() async throws {
    let fixture = try BytesStage.server()
    let server = try #require(fixture.server)
    let (admin, port, unixPath) = (server.admin, fixture.port, fixture.unixPath)
    let failures = try await onThread {
      let stage = BytesStage(path: .unixSocket, admin: admin, port: port, unixPath: unixPath)
      try stage.run(BytesRow("B every action", .script(tryEverything)))
      return stage.failures
    }
    for failure in failures.prefix(40) { Issue.record("\(failure)") }
    #expect(failures.count <= 40, "\(failures.count) in all")
    await fixture.stop()
    #expect(!fixture.failure.isRaised)
  }
}

private func tryEverything(_ stage: BytesStage) throws {
  let client = try stage.welcomed(stage.pair(.phone, name: "story"))
  let (making, ending) = (BytesActionRow.making, BytesActionRow.ending)
  var trials: [(BytesActionRow.Trial, BytesActionRow.Result)] = []
  for row in making { trials += (row.wrong + [row.good]).map { ($0, row.result) } }
  for row in making { trials += row.fine.map { ($0, row.result) } }
  for row in ending { trials += (row.wrong + [row.good]).map { ($0, row.result) } }
  stage.check(trials.count > 1_000, "only \(trials.count) bodies")
  var last: UInt64 = 0
  // A window fits what a connection may have in flight.
  for start in stride(from: 0, to: trials.count, by: 48) {
    let window = trials[start..<min(start + 48, trials.count)]
    let frames = window.indices.flatMap {
      act(number: UInt64($0) + 1, confirmed: last, body: trials[$0].0.body)
    }
    try client.send(bytes: frames)
    for (trial, result) in window {
      let receipt = try client.receipt()
      last += 1
      stage.check(receipt.number == last, "\(trial.name): a receipt of \(receipt.number)")
      if let problem = trial.problem(with: receipt.outcome, result) {
        stage.fail("\(trial.name): \(problem)")
      }
    }
  }
  try client.send(bytes: ping(4_711))
  let pong = try client.next { if case .pong(let pong) = $0 { pong } else { nil } }
  stage.check(pong.nonce == 4_711, "a pong for \(pong.nonce)")
  try stage.leave(client)
  // What came of it all can be shown.
  let decoder = MessageDecoder(limits: .fromServer)
  for (kind, content) in try stage.view().facets {
    _ = try decoder.decodeFacet(EncodedFacet(kind: kind, revision: 1, content: content))
  }
}

extension BytesActionRow.Trial {
  /// What is wrong with an answer.
  fileprivate func problem(with outcome: Outcome, _ result: BytesActionRow.Result) -> String? {
    let named = Self.namedFields(in: outcome)
    let isAsItShouldBe =
      switch verdict {
      case .good: result == .applied ? outcome.word == "applied" : named.isEmpty
      case .invalid(let names): !named.isDisjoint(with: names.map(Self.plain))
      case .notInvalid(let names):
        named.isDisjoint(with: names.map(Self.plain) + ["body"])
      case .answered: !named.contains("body")
      }
    return isAsItShouldBe ? nil : "\(outcome)"
  }

  /// The fields that a refusal as invalid names, without what they stand in: `reps` of
  /// `entries[0].sets[2].reps`.
  private static func namedFields(in outcome: Outcome) -> Set<String> {
    guard case .refused(.invalid(let detail)) = outcome else { return [] }
    return Set(
      detail.split(separator: ",").map { field in
        plain(String(field.split(separator: ".").last ?? ""))
      })
  }

  /// `heart_rate` and `heartRate` are one name.
  private static func plain(_ name: String) -> String {
    String(name.prefix { $0 != "[" }.filter { $0 != "_" && $0 != " " }).lowercased()
  }
}
