internal import AuthorityLink
public import WatchClient
public import WatchTransfer

/// A phone: all that a watch does, and what only a phone may ask for and is shown (DESIGN sections
/// 3 and 6). A thin layer of types over the one client that acts: outbox, connection and last state
/// are `device`'s, and so is every call that phone and watch share, routines, history, records and
/// preferences among them.
///
/// The authority decides by the kind that the device was paired as: to a watch's token it refuses
/// these calls (`forbidden`), and shows no squads.
public struct PhoneClient: Sendable {
  /// What acts: started, stopped and listened to like a watch's.
  public let device: WatchClient

  /// Opens and locks the outbox, and loads the last state, marked stale; throws as
  /// `WatchClient.init` does.
  public init(_ configuration: WatchConfiguration) throws(OutboxError) {
    device = try WatchClient(configuration)
  }

  /// Who plays for a team; it replaces the squad before.
  public func setSquad(
    _ players: [SquadPlayer], of team: Team, in match: MatchID
  ) async throws(OutboxError) -> IncarnationNumber {
    try await device.submit(.setSquad(match: match, team: team, players: players))
  }

  /// One player comes off, another comes on, now.
  public func substitute(
    _ off: PlayerID, for on: PlayerID, of team: Team, in match: MatchID
  ) async throws(OutboxError) -> (SubstitutionID, IncarnationNumber) {
    let id: SubstitutionID = await device.freshID()
    let action = Action.substitute(id: id, match: match, team: team, off: off, on: on)
    return (id, try await device.submit(action))
  }

  /// Takes a substitution back.
  public func undoSubstitution(
    _ id: SubstitutionID, in match: MatchID
  ) async throws(OutboxError) -> IncarnationNumber {
    try await device.submit(.undoSubstitution(match: match, id: id))
  }

  /// The line-ups and substitutions of the match, as last shown; nil: there is no match, or none
  /// was shown yet.
  public var squads: SquadsFacet? {
    get async {
      guard case .squads(let squads) = await device.state.facets[.squads] else { return nil }
      return squads
    }
  }

  /// How long each player has played, as last shown.
  public var playTime: PlayTimeFacet? {
    get async {
      guard case .playTime(let time) = await device.state.facets[.playTime] else { return nil }
      return time
    }
  }
}
