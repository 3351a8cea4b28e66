import Testing
import WatchTransfer
import WireFormat

@testable import Simulation

/// The later of two acts of one device is the later one (DESIGN section 4, "Time").
@Suite(.timeLimit(.minutes(1))) struct ActOrderTests {
  @Test func `a device's later choice wins, though its clock is measured better in between`() throws
  {
    let stage = try PulseStage()
    let occurred = stage.clock(of: stage.phone)
    // What is known of the clock at first is late by the way that the greeting takes.
    stage.greet(stage.phone, wait: 0)
    stage.act(stage.phone, .setTheme(mode: .night), occurred: occurred)
    var later = occurred
    later.boot?.milliseconds += 1
    stage.act(stage.phone, .setTheme(mode: .day), occurred: later)
    let outcomes = stage.log(stage.phone).compactMap { heard -> Outcome? in
      if case .receipt(let receipt) = heard.message { receipt.outcome } else { nil }
    }
    #expect(outcomes == [.applied(2), .applied(3)])
    #expect(stage.end() == nil)
  }

  @Test(arguments: [0, 1, 30] as [Int64])
  func `substitutions of one device follow each other, whatever their ids are`(apart: Int64) throws
  {
    let stage = try PulseStage()
    let match = MatchID(high: 7, low: 2)
    let players = (1...3).map { index in
      SquadPlayer(
        id: PlayerID(high: 8, low: UInt64(index)), name: "Player \(index)", starts: index == 1)
    }
    stage.greet(stage.phone, wait: 0)
    stage.act(
      stage.phone,
      .newMatch(id: match, home: "Reds", away: "Blues", halfLengthMilliseconds: 2_700_000))
    stage.act(stage.phone, .setSquad(match: match, team: .home, players: players))
    var occurred = stage.clock(of: stage.phone)
    stage.pass(200)
    // By their ids the second would come first: nobody could go off who has not come on.
    for (id, off, on) in [(9, 0, 1), (8, 1, 2)] as [(UInt64, Int, Int)] {
      stage.act(
        stage.phone,
        .substitute(
          id: SubstitutionID(high: 9, low: id), match: match, team: .home, off: players[off].id,
          on: players[on].id), occurred: occurred)
      occurred.boot?.milliseconds += apart
    }
    let squads = stage.updates(stage.phone).flatMap(\.update.facets).last { $0.kind == .squads }
    let facet = try MessageDecoder(limits: .fromServer).decodeFacet(try #require(squads))
    guard case .squads(let shown) = facet else {
      Issue.record("no squads")
      return
    }
    #expect(shown?.home.map(\.isOnField) == [false, false, true])
    #expect(stage.end() == nil)
  }
}
