public import WatchTransfer

/// Whether the action, done by `device` at `occurred`, is a wish about now, which expires, rather
/// than a fact, which never does (DESIGN section 4, Perishable): a clock control of a device that
/// is not the match's recorder at that time, or a session's; a rest control; a takeover; a press of
/// a controller. The `start` that first runs a timer is its recorder's.
public func isPerishable(
  _ state: AccountState, _ action: Action, by device: DeviceID, at occurred: Instant
) -> Bool {
  switch action {
  case .controlClock(let id, let control):
    guard let match = state.matches[id] else { return control != .start }
    return !match.isFact(control, by: device, at: occurred)
  case .controlSession(let id, _), .selectExercise(let id, _):
    return state.sessions[id].map { !$0.clock.isFact(by: device, at: occurred) } ?? false
  case .restSession, .takeOverSession, .takeOverMatch, .press:
    return true
  default:
    return false
  }
}
