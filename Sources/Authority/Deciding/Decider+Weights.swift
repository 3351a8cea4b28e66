internal import WatchTransfer

extension Decider {
  /// Logs a weight, on the day of its own zone, or on the day it names.
  func logWeight(_ logged: LoggedWeight) throws(Rejection) -> [Event] {
    guard logged.weight.kilograms > 0, logged.weight.kilograms <= 1_000 else {
      throw .refused(.invalid(field: "weight"))
    }
    let day: CivilDay
    var at: Instant?
    switch logged.moment {
    case .day(let named):
      try requireDay(named, field: "day")
      day = named
    case .instant(let instant):
      guard ActionLimits.instants.contains(instant) else {
        throw .refused(.invalid(field: "at_ms"))
      }
      at = instant
      day = place(of: logged, at: instant).day(at: instant)
    }
    try requireFree(logged.id, for: .weight)
    try requireRoom(state.weights.all.count, AuthorityLimits.weightsMax, of: "weights")
    let entry = WeightEntry(
      id: logged.id, weight: logged.weight, day: day, at: at, zoneID: logged.zoneID)
    return [.consistency(.weightLogged(entry, by: by))]
  }

  /// Takes a weight back.
  func deleteWeight(_ id: WeightID) throws(Rejection) -> [Event] {
    switch state.thing(id) {
    case .weight: break
    case .gone(.weight): throw .refused(.gone)
    case nil where context.isReoffered:
      try requireRoom(state.things.count, AuthorityLimits.identifiersMax, of: "ids")
    default: throw .refused(.notFound)
    }
    return [.consistency(.weightDeleted(id: id, by: by))]
  }
}
