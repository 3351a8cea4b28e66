import AuthorityServer
import Foundation
import WatchTransfer

@testable import Authority

/// An account in a zone of the machine's database.
struct ZoneAccount {
  private(set) var state = AccountState()
  let zone: String
  let zones: MachineZones
  private let device = ActingDevice(id: DeviceID(high: 1, low: 1), name: "Phone", kind: .phone)

  /// Zones and links of the machine's database (`Z` and `L` lines of tzdata.zi, zic(8)).
  static let identifiers: [String] = {
    let text = (try? String(contentsOfFile: "/usr/share/zoneinfo/tzdata.zi", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line -> String? in
      let words = line.split(separator: " ")
      switch words.first {
      case "Z": return String(words[1])
      case "L": return String(words[2])
      default: return nil
      }
    }.sorted()
  }()

  /// Made at `moment`.
  init(_ zone: String, _ zones: MachineZones, at moment: Instant) {
    self.zone = zone
    self.zones = zones
    let rules =
      zones.rules(
        for: zone, from: moment.advanced(milliseconds: -400 * 86_400_000),
        to: moment.advanced(milliseconds: horizonMilliseconds)) ?? .utc
    state.apply(creationEvents(zone: rules, at: moment), revision: 1)
  }

  /// The rules around its newest turn.
  var rules: ZoneRules { state.zone.rules }

  /// Time moves on to `now`.
  mutating func turn(at now: Instant) {
    state.apply(turnEvents(state, now: now, zones: zones), revision: state.revision + 1)
  }

  /// Does something in its zone.
  @discardableResult
  mutating func act(_ action: Action, at moment: Instant) -> DecidedOutcome {
    let context = ActionContext(
      now: moment, device: device,
      occurred: CorrectedTime(instant: moment, raw: moment, isFlagged: false), zone: nil,
      expiresAt: nil, isReoffered: false, zones: zones)
    let decision = decide(state, action, context)
    if decision.outcome == .applied {
      state.apply(decision.events, revision: state.revision + 1)
    }
    return decision.outcome
  }

  /// Logs a minute that ends at `end`.
  mutating func log(_ number: UInt64, endingAt end: Instant) {
    act(
      .logWorkout(
        LoggedWorkout(
          log: LogID(high: 2, low: number), activityType: "running",
          start: end.advanced(milliseconds: -60_000), end: end)), at: end)
  }

  /// The facet `today`.
  var today: TodayFacet {
    guard case .today(let facet) = project(state, .today) else { fatalError("not today") }
    return facet
  }

  /// The facet `theme`.
  var theme: ThemeFacet {
    guard case .theme(let facet) = project(state, .theme) else { fatalError("not theme") }
    return facet
  }

  /// The facet `streak`.
  var streak: StreakFacet {
    guard case .streak(let facet) = project(state, .streak) else { fatalError("not streak") }
    return facet
  }
}
