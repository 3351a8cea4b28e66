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

/// Whether a turn must be made before anybody is answered; see `spanWithoutTurn`.
public func turnIsDue(_ state: AccountState, now: Instant, zoneDataVersion: String) -> Bool {
  let span = spanWithoutTurn(state, zoneDataVersion: zoneDataVersion)
  return span.map { !$0.contains(now) } ?? true
}

/// From when to when no turn has to be made before anybody is answered (DESIGN section 3): 7 days
/// of the horizon remain, the newest turn and the newest edit are at most a minute ahead of the
/// clock, no stub has to be closed and no bytes have to go; nil, when there was no turn yet or the
/// zone database is another release than the one known.
public func spanWithoutTurn(_ state: AccountState, zoneDataVersion: String) -> ClosedRange<Instant>?
{
  guard let turn = state.newestTurn else { return nil }
  let known = state.zone.dataVersion
  if !known.isEmpty, !sameBytes(known, zoneDataVersion) { return nil }
  let start = max(turn, state.newestEdit ?? turn).advanced(milliseconds: -60_000)
  var end = state.horizon.advanced(milliseconds: -7 * 86_400_000)
  // A stub is closed 12 h after its last fact.
  for match in state.matches.all where match.isStub && match.isOpen {
    let idle = match.lastFact.advanced(milliseconds: AuthorityLimits.stubIdleMilliseconds - 1)
    end = min(end, idle)
  }
  for session in state.sessions.openSessions where session.isStub {
    let idle = session.lastFact.advanced(milliseconds: AuthorityLimits.stubIdleMilliseconds - 1)
    end = min(end, idle)
  }
  if let unwanted = state.attachments.nextEnd {
    end = min(end, unwanted.advanced(milliseconds: -1))
  }
  // Near the end of what an instant can be there is no horizon left.
  return start <= end ? start...end : nil
}

/// The events of a turn: time moved on, with the zone's rules up to the horizon, stubs without a
/// fact for 12 h are closed, and bytes that nobody wants go. A zone that the database no longer has
/// keeps the rules it had.
public func turnEvents(
  _ state: AccountState, now: Instant, zones: any ZoneRulesSource
) -> [Event] {
  let rules = zones.rules(
    for: state.zoneID, from: now.advanced(milliseconds: -zoneHistoryMilliseconds),
    to: now.advanced(milliseconds: horizonMilliseconds))
  var events: [Event] = [
    .turned(at: now, zone: rules ?? state.zone.rules, zoneDataVersion: zones.version)
  ]
  if let edit = state.newestEdit, edit > now { events.append(.clockWentBack(to: now)) }
  let idleSince = now.advanced(milliseconds: -AuthorityLimits.stubIdleMilliseconds)
  for match in state.matches.all where match.isStub && match.isOpen {
    if match.lastFact <= idleSince { events.append(.matchStubClosed(id: match.id, at: now)) }
  }
  for session in state.sessions.openSessions where session.isStub {
    if session.lastFact <= idleSince { events.append(.sessionStubClosed(id: session.id, at: now)) }
  }
  for hash in state.attachments.unwanted(at: now) {
    events.append(.attachment(.attachmentDropped(hash)))
  }
  return events
}
