/// Taking in who was greeted: a few between two turns, so that thousands who come back at once do
/// not hold up those who are in.
extension Partition {
  /// Connections that are taken in before the others have their turn.
  static var arrivalsPerTurnMax: Int { 4 }

  /// Takes a greeted connection in by `admission`: at once, or in its turn behind earlier ones.
  nonisolated func arrive(_ admission: @escaping Work) {
    enter { partition in
      if partition.arrivals.isEmpty, partition.arrivedInTurn < Self.arrivalsPerTurnMax {
        partition.arrivedInTurn += 1
        return admission(partition)
      }
      partition.arrivals.append(admission)
      if partition.arrivals.count == 1 { partition.enter { $0.takeArrivals() } }
    }
  }

  /// Takes a share in; the rest stands behind whatever waits for the queue meanwhile.
  private func takeArrivals() {
    arrivedInTurn = 0
    let share = arrivals.prefix(Self.arrivalsPerTurnMax)
    arrivals.removeFirst(share.count)
    for admission in share { admission(self) }
    if !arrivals.isEmpty { enter { $0.takeArrivals() } }
  }

  /// Takes all in: nothing is left behind by one that stops.
  func takeAllArrivals() {
    let all = arrivals
    arrivals = []
    for admission in all { admission(self) }
  }
}
