public import WatchTransfer

/// How far back the account's zone rules reach before the newest turn: 400 days, in milliseconds.
let zoneHistoryMilliseconds: Int64 = 400 * 86_400_000

/// The events of revision 1 of an account. `zone` holds from about 400 days before `at` to the
/// horizon; `zoneDataVersion` may be empty when it is not known.
public func creationEvents(
  zone: ZoneRules, at moment: Instant, zoneDataVersion: String = ""
) -> [Event] {
  [.accountCreated(at: moment, zone: zone, zoneDataVersion: zoneDataVersion)]
}

/// Whether a turn must be made before anybody is answered (DESIGN section 3): fewer than 7 days of
/// the horizon remain, or the newest turn is over a minute ahead of the clock, or the zone database
/// is another release than the one known.
public func turnIsDue(_ state: AccountState, now: Instant, zoneDataVersion: String) -> Bool {
  guard let turn = state.newestTurn else { return true }
  let remaining = state.horizon.milliseconds(since: now)
  if remaining < 7 * 86_400_000 { return true }
  if turn.milliseconds(since: now) > 60_000 { return true }
  let idleSince = now.advanced(milliseconds: -AuthorityLimits.stubIdleMilliseconds)
  if state.matches.all.contains(where: { $0.isStub && $0.isOpen && $0.lastFact <= idleSince }) {
    return true
  }
  let known = state.zone.dataVersion
  return !known.isEmpty && !sameBytes(known, zoneDataVersion)
}

/// The events of a turn: time moved on, with the zone's rules up to the horizon, and stubs without
/// a fact for 12 h are closed. A zone that the database no longer has keeps the rules it had.
public func turnEvents(
  _ state: AccountState, now: Instant, zones: any ZoneRulesSource
) -> [Event] {
  let rules = zones.rules(
    for: state.zoneID, from: now.advanced(milliseconds: -zoneHistoryMilliseconds),
    to: now.advanced(milliseconds: horizonMilliseconds))
  var events: [Event] = [
    .turned(at: now, zone: rules ?? state.zone.rules, zoneDataVersion: zones.version)
  ]
  let idleSince = now.advanced(milliseconds: -AuthorityLimits.stubIdleMilliseconds)
  for match in state.matches.all where match.isStub && match.isOpen {
    if match.lastFact <= idleSince { events.append(.matchStubClosed(id: match.id, at: now)) }
  }
  return events
}
