import AuthorityServer
import TestSupport
import WatchTransfer

/// Moments and actions that many tests share.
enum Scene {
  /// Monday, 15 June 2026, 12:00 in Berlin.
  static let noon = instant("2026-06-15T12:00:00+02:00")

  static func instant(_ text: String) -> Instant { Instant(rfc3339: text)! }

  /// A server whose clock shows noon, with one account in Berlin.
  static func server(limits: ServerLimits = ServerLimits(), at start: Instant = noon) async throws
    -> ServerFixture
  {
    try await ServerFixture.running(limits: limits, testClock: start)
  }

  /// A goal's value: an edit that is always applied and that every surface sees.
  static func goal(_ value: Int) -> Action { .setGoal(name: "steps", value: Double(value)) }

  /// A heart rate, measured now by a device without clocks of its own.
  static func pulse(of session: SessionID, _ heartRate: Double, at wall: Instant = noon) -> Pulse {
    Pulse(session: session, measured: DeviceClock(wall: wall), heartRate: heartRate)
  }

  static func point(in match: MatchID, _ team: Team = .home) -> Action {
    .addPoint(entry: .random(), match: match, team: team, insist: true)
  }

  static func match(_ id: MatchID) -> Action {
    .newMatch(id: id, home: "Reds", away: "Blues", halfLengthMilliseconds: 2_700_000)
  }

  /// An action that this version does not know: a body with nothing but an unknown field.
  static let unknownBody: [UInt8] = [0xC2, 0x3E, 0x00]
  /// Bytes that are no body.
  static let brokenBody: [UInt8] = [0xFF, 0xFF, 0xFF]
}

extension TestDevice {
  /// The value of the goal that `Scene.goal` sets, as this surface was shown it.
  var shownGoal: Int? {
    get throws {
      guard case .goals(let facet) = try state.facet(.goals) else { return nil }
      return facet.goals.first.map { Int($0.target) }
    }
  }

  var shownScore: ScoreFacet? {
    get throws {
      guard case .score(let facet) = try state.facet(.score) else { return nil }
      return facet
    }
  }

  var shownClock: MatchClockFacet? {
    get throws {
      guard case .matchClock(let facet) = try state.facet(.matchClock) else { return nil }
      return facet
    }
  }

  var shownSquads: SquadsFacet? {
    get throws {
      guard case .squads(let facet) = try state.facet(.squads) else { return nil }
      return facet
    }
  }

  var shownPlayTime: PlayTimeFacet? {
    get throws {
      guard case .playTime(let facet) = try state.facet(.playTime) else { return nil }
      return facet
    }
  }

  var shownDelivery: DeliveryReading? {
    guard case .delivery(let delivery) = state.readings[.delivery] else { return nil }
    return delivery
  }

  var shownPresence: [DevicePresence]? {
    guard case .presence(let presence) = state.readings[.presence] else { return nil }
    return presence
  }
}
