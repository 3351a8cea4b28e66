public import WatchTransfer

/// Whether a kind of device may ask for an action: the one authorisation function for every path
/// (DESIGN section 6, Rights).
public func isAllowed(_ action: Action, for kind: DeviceKind) -> Bool {
  switch kind {
  case .phone, .watch:
    return true
  case .health:
    guard case .logWorkout(let workout) = action else { return false }
    return workout.sourceName != nil
  case .controller, .widget, .activity:
    return false
  }
}
