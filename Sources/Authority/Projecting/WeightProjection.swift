internal import WatchTransfer

/// The weight log as surfaces see it: the latest, in the units the person reads.
struct WeightProjection {
  let state: AccountState

  /// The latest weight; nil: none was logged.
  var latest: GoalsFacet.LatestWeight? {
    guard let entry = state.weights.latest else { return nil }
    let date = entry.day.date
    return GoalsFacet.LatestWeight(
      id: entry.id, weight: entry.weight, day: entry.day, at: entry.at,
      text: "\(text(entry.weight)) on \(date.day) \(monthNames[date.month - 1]) \(date.year)")
  }

  /// A weight as it was entered, or, in the other unit than the person reads, to one decimal.
  func text(_ weight: Weight) -> String { weight.text(in: unit) }

  /// A target in kilograms, in the units the person reads, to one decimal.
  func text(kilograms: Double) -> String {
    "\(figure(unit.amount(ofKilograms: kilograms))) \(unit.word)"
  }

  private var unit: WeightUnit { WeightUnit(state.settings.units.value) }
}
