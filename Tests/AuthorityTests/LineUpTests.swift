import Testing
import WatchTransfer

@testable import Authority

/// Squads and substitutions (DESIGN sections 3 and 6).
@Suite struct LineUpTests {
  private let match = MatchID.test(100)
  private let start = instant("2026-06-10T10:00:00Z")

  private func at(_ seconds: Int64) -> Instant { start.advanced(milliseconds: seconds * 1_000) }

  private func made() -> TestAccount {
    var account = TestAccount(at: at(-100))
    account.act(
      .newMatch(id: match, home: "Reds", away: "Blues", halfLengthMilliseconds: 2_700_000),
      at: at(-50))
    return account
  }

  @Test("A squad is shown in its order, with who is on the field, and later edits replace it")
  func squad() {
    var account = made()
    #expect(account.squad(match, [(1, true), (2, true), (3, false)], at: at(0)) == .applied)
    #expect(account.squads?.home.map(\.player.id) == [.test(1), .test(2), .test(3)])
    #expect(account.squads?.home.map(\.isOnField) == [true, true, false])
    #expect(account.squads?.home.first?.player.name == "Player 1")
    #expect(account.squads?.home.first?.player.number == 1)
    #expect(account.squads?.away == [])
    #expect(
      account.squad(match, [(9, true)], at: at(-1), now: at(1)) == .refused(.superseded))
    #expect(account.squad(match, [(3, true), (1, true)], at: at(2)) == .applied)
    #expect(account.squads?.home.map(\.player.id) == [.test(3), .test(1)])
    #expect(account.state.thing(PlayerID.test(2)) == nil, "nobody names them any more")
    #expect(account.squad(match, [], at: at(3)) == .applied)
    #expect(account.squads?.home == [])
    #expect(account.state.thing(PlayerID.test(1)) == nil)
  }

  @Test("A substitution is an entry with its minute and who entered it, and is undone by its id")
  func substitution() {
    var account = made()
    account.squad(match, [(1, true), (2, false)], at: at(0))
    account.control(match, .start, at: at(0))
    #expect(account.sub(match, 50, off: 1, on: 2, at: at(2_790)) == .applied)
    let entry = account.squads?.substitutions.first
    #expect(entry?.text == "Player 2 for Player 1")
    #expect(entry?.minute == "45+2")
    #expect(entry?.half == 1)
    #expect(entry?.by == "Phone")
    #expect(account.squads?.home.map(\.isOnField) == [false, true])
    let undo = Action.undoSubstitution(match: match, id: .test(50))
    #expect(account.act(undo, at: at(2_800)) == .applied)
    #expect(account.squads?.substitutions == [])
    #expect(account.squads?.home.map(\.isOnField) == [true, false])
    #expect(account.act(undo, at: at(2_801)) == .refused(.gone))
    #expect(account.sub(match, 50, off: 1, on: 2, at: at(2_802)) == .refused(.taken))
    #expect(
      account.act(.undoSubstitution(match: match, id: .test(51)), at: at(2_803))
        == .refused(.notFound))
    #expect(
      account.act(.undoSubstitution(match: .test(7), id: .test(51)), at: at(2_803))
        == .refused(.notFound))
  }

  @Test("A substitution of a match that has not arrived opens a stub, which match and squad fill")
  func stub() {
    var account = TestAccount(at: at(-100))
    #expect(account.sub(match, 50, off: 1, on: 2, at: at(60)) == .applied)
    #expect(account.teams == TeamsFacet(match: match, home: "Home", away: "Away"))
    #expect(account.squads?.substitutions.map(\.text) == ["Player for Player"])
    #expect(account.squads?.substitutions.map(\.minute) == [nil])
    account.act(
      .newMatch(id: match, home: "Reds", away: "Blues", halfLengthMilliseconds: 2_700_000),
      at: at(-50), now: at(70))
    account.control(match, .start, at: at(0), now: at(71))
    #expect(account.squad(match, [(1, true), (2, false)], at: at(-20), now: at(72)) == .applied)
    #expect(account.squads?.substitutions.map(\.text) == ["Player 2 for Player 1"])
    #expect(account.squads?.substitutions.map(\.minute) == ["1"])
    #expect(account.squads?.home.map(\.isOnField) == [false, true])
    #expect(
      account.squad(.test(7), [(1, true)], at: at(80)) == .refused(.notFound), "an edit, no fact")
  }

  @Test(
    "What is wrong with a squad or a substitution is refused",
    arguments: [
      (
        .setSquad(match: .test(100), team: .home, players: [player(1, name: "")]),
        .invalid(field: "name")
      ),
      (
        .setSquad(match: .test(100), team: .home, players: [player(1), player(1)]),
        .invalid(field: "players")
      ),
      (
        .setSquad(match: .test(100), team: .home, players: [player(1, number: 1_000)]),
        .invalid(field: "number")
      ),
      (
        .setSquad(match: .test(100), team: .home, players: [player(1, number: -1)]),
        .invalid(field: "number")
      ),
      (
        .setSquad(match: .test(100), team: .home, players: (1...24).map { player($0) }),
        .limit(of: "players")
      ),
      (.setSquad(match: .test(100), team: .home, players: [player(100)]), .taken),
      (.setSquad(match: .test(100), team: .away, players: [player(30)]), .taken),
      (
        .substitute(id: .test(50), match: .test(100), team: .home, off: .test(1), on: .test(1)),
        .invalid(field: "on")
      ),
      (
        .substitute(id: .test(50), match: .test(100), team: .home, off: .test(100), on: .test(1)),
        .notFound
      ),
      (
        .substitute(id: .test(50), match: .test(100), team: .home, off: .test(50), on: .test(1)),
        .taken
      ),
      (
        .substitute(id: .test(30), match: .test(100), team: .home, off: .test(2), on: .test(1)),
        .taken
      ),
      (
        .substitute(id: .test(100), match: .test(100), team: .home, off: .test(2), on: .test(1)),
        .taken
      ),
      (
        .substitute(id: .test(8), match: .test(8), team: .home, off: .test(2), on: .test(1)),
        .taken
      ),
      (
        .substitute(id: .test(9), match: .test(8), team: .home, off: .test(8), on: .test(1)),
        .notFound
      ),
    ] as [(Action, RefusalReason)])
  func refused(action: Action, reason: RefusalReason) {
    var account = made()
    account.squad(match, [(30, true)], at: at(-10))
    #expect(account.act(action, at: at(0)) == .refused(reason))
    #expect(account.state.matches.all.count == 1)
  }

  @Test("Only a phone says who plays", arguments: DeviceKind.allCases)
  func rights(kind: DeviceKind) {
    let account = made()
    let device = ActingDevice(id: .test(70), name: "D", kind: kind)
    for action in [
      .setSquad(match: match, team: .home, players: [player(1)]),
      .substitute(id: .test(50), match: match, team: .home, off: .test(1), on: .test(2)),
    ] as [Action] {
      let outcome = account.decision(action, by: device, at: at(0)).outcome
      #expect(outcome == (kind == .phone ? .applied : .refused(.forbidden)))
    }
    let undo = Action.undoSubstitution(match: match, id: .test(50))
    #expect(
      account.decision(undo, by: device, at: at(0)).outcome
        == .refused(kind == .phone ? .notFound : .forbidden))
  }

  @Test("A player has one id in every match, and it is free again when no match names it")
  func players() {
    var account = made()
    account.squad(match, [(1, true), (2, true)], at: at(0))
    account.act(
      .newMatch(id: .test(101), home: "A", away: "B", halfLengthMilliseconds: 60_000), at: at(1))
    #expect(account.squad(.test(101), [(1, true)], at: at(2)) == .applied)
    #expect(account.sub(.test(101), 60, off: 1, on: 3, at: at(3)) == .applied)
    account.squad(match, [], at: at(4))
    #expect(account.state.thing(PlayerID.test(1)) == .player)
    #expect(account.state.thing(PlayerID.test(2)) == nil)
    #expect(account.sub(match, 61, off: 2, on: 60, at: at(5)) == .refused(.notFound))
    account.commit([.matchDropped(id: .test(101))])
    for id: UInt64 in [1, 3, 60] { #expect(account.state.thing(PlayerID.test(id)) == nil) }
    #expect(account.state.things.count == 2)
  }

  @Test("A match takes 128 substitutions, of which 32 are shown")
  func caps() {
    var account = made()
    account.squad(match, [(1, true), (2, false)], at: at(0))
    for index: UInt64 in 0..<128 {
      let (off, on): (UInt64, UInt64) = index % 2 == 0 ? (1, 2) : (2, 1)
      #expect(account.sub(match, 500 + index, off: off, on: on, at: at(Int64(index))) == .applied)
    }
    #expect(
      account.sub(match, 900, off: 1, on: 2, at: at(300)) == .refused(.limit(of: "substitutions")))
    #expect(account.squads?.substitutions.count == 32)
    #expect(account.squads?.substitutions.last?.id == .test(627))
    #expect(account.squads?.home.map(\.isOnField) == [true, false])
  }
}

/// A player for tests.
func player(_ id: UInt64, name: String? = nil, number: Int? = nil, starts: Bool = true)
  -> SquadPlayer
{
  SquadPlayer(id: .test(id), name: name ?? "Player \(id)", number: number, starts: starts)
}

extension TestAccount {
  /// Sets a squad of players, each with whether they start.
  @discardableResult
  mutating func squad(
    _ match: MatchID, of team: Team = .home, _ players: [(id: UInt64, starts: Bool)],
    at occurred: Instant, now: Instant? = nil, reoffered: Bool = false
  ) -> DecidedOutcome {
    let players = players.map { player($0.id, number: Int($0.id % 1_000), starts: $0.starts) }
    return act(
      .setSquad(match: match, team: team, players: players), at: occurred, now: now,
      reoffered: reoffered)
  }

  /// Substitutes a player.
  @discardableResult
  mutating func sub(
    _ match: MatchID, _ entry: UInt64, _ team: Team = .home, off: UInt64, on: UInt64,
    at occurred: Instant, now: Instant? = nil, reoffered: Bool = false
  ) -> DecidedOutcome {
    act(
      .substitute(id: .test(entry), match: match, team: team, off: .test(off), on: .test(on)),
      at: occurred, now: now, reoffered: reoffered)
  }
}
