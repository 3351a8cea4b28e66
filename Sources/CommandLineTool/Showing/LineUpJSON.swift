internal import WatchTransfer

/// Who plays, as JSON.
extension FacetJSON {
  /// Squads and substitutions; without a match the lists are empty.
  static func value(of squads: SquadsFacet?) -> JSONValue {
    let substitutions: [JSONValue] = (squads?.substitutions ?? []).map { entry in
      .object([
        ("id", .string(entry.id.description)), ("team", .string(entry.team.word)),
        ("text", .string(entry.text)), ("minute", .optional(entry.minute)),
        ("half", .whole(entry.half)), ("by", .string(entry.by)),
        ("off", .string(entry.off.description)), ("on", .string(entry.on.description)),
      ])
    }
    return .object([
      ("home", .array((squads?.home ?? []).map(value))),
      ("away", .array((squads?.away ?? []).map(value))),
      ("substitutions", .array(substitutions)),
      ("match", .optional(squads?.match.description)),
    ])
  }

  /// `elapsedMs` belongs to the anchor, as with the clock.
  static func value(of time: PlayTimeFacet?) -> JSONValue {
    let players: [JSONValue] = (time?.entries ?? []).map { entry in
      .object([
        ("id", .string(entry.player.description)), ("team", .string(entry.team.word)),
        ("name", .string(entry.name)), ("elapsedMs", .whole(entry.elapsedMilliseconds)),
        ("runningSince", .instant(entry.runningSince)),
      ])
    }
    return .object([
      ("players", .array(players)), ("match", .optional(time?.match.description)),
    ])
  }

  private static func value(of member: SquadsFacet.Member) -> JSONValue {
    .object([
      ("id", .string(member.player.id.description)), ("name", .string(member.player.name)),
      ("number", .optional(member.player.number)), ("starts", .bool(member.player.starts)),
      ("onField", .bool(member.isOnField)),
    ])
  }
}
