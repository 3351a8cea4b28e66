import TestSupport
import Testing
import Transport
import WatchTransfer
import WireFormat

@testable import AuthorityLink
@testable import PhoneClient
@testable import WatchClient

/// What a phone does and is shown beside what a watch is.
@Suite(.timeLimit(.minutes(1))) struct PhoneClientTests {
  private let directory = TemporaryDirectory()
  private let authority = FakeAuthority()

  private func phone(at address: SocketAddress) throws -> PhoneClient {
    let link = LinkConfiguration(address: address, token: [UInt8](repeating: 1, count: 32))
    return try PhoneClient(
      WatchConfiguration(link: link, directory: directory.path + "/phone"))
  }

  @Test func `line-ups are actions like any other`() async throws {
    let nowhere = try SocketAddress(parsing: "unix:" + directory.path + "/nobody")
    let phone = try phone(at: nowhere)
    let match = MatchID(high: 1, low: 1)
    let players = [SquadPlayer(id: PlayerID(high: 1, low: 2), name: "Ada", starts: true)]
    let on = PlayerID(high: 1, low: 3)
    _ = try await phone.setSquad(players, of: .home, in: match)
    let (id, second) = try await phone.substitute(players[0].id, for: on, of: .home, in: match)
    let third = try await phone.undoSubstitution(id, in: match)
    #expect(second.number == 2 && third.number == 3)
    #expect(
      await phone.device.queued.map(\.action) == [
        .setSquad(match: match, team: .home, players: players),
        .substitute(id: id, match: match, team: .home, off: players[0].id, on: on),
        .undoSubstitution(match: match, id: id),
      ])
    await phone.device.stop()
  }

  @Test func `a phone's whole state comes in one update, and a cold launch shows it`() async throws
  {
    // Every facet as long as it may be: far more than a watch is shown (DESIGN section 5).
    let members = (1...23 as ClosedRange<UInt64>).map { number in
      SquadsFacet.Member(
        player: SquadPlayer(
          id: PlayerID(high: 1, low: number), name: String(repeating: "x", count: 120),
          starts: true), isOnField: true)
    }
    let squads = SquadsFacet(
      match: MatchID(high: 1, low: 1), home: members, away: members, substitutions: [])
    let content = MessageEncoder().encode(.squads(squads))
    let padding = [UInt8](repeating: 0x55, count: 32_768)
    let facets = FacetKind.allCases.map { kind in
      EncodedFacet(kind: kind, revision: 1, content: kind == .squads ? content : padding)
    }
    let update = Update(epoch: EpochID(high: 3, low: 1), from: 0, to: 1, facets: facets)
    let server = try await FakeServer.start { [authority] _, message in
      if case .hello = message {
        return Array(authority.answer(message).prefix(1)) + [.say(.update(update))]
      }
      return authority.answer(message)
    }
    let phone = try phone(at: server.address)
    let events = await phone.device.events()
    await phone.device.start()
    for await event in events { if case .update = event { break } }
    #expect(await phone.squads == squads)
    #expect(await phone.playTime == nil, "what cannot be read is absent, not wrong")
    await phone.device.stop()
    let again = try self.phone(at: server.address)
    #expect(await again.squads == squads)
    #expect(await again.device.state.encoded.count == FacetKind.allCases.count)
    #expect(await again.device.state.isStale)
    await again.device.stop()
    await server.stop()
  }
}
