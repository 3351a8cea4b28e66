public import WatchTransfer

/// A weight of the weight log, with everything resolved.
public struct WeightEntry: Sendable, Equatable {
  public let id: WeightID
  /// As it was entered.
  public let weight: Weight
  /// The day it counts for, in its own zone.
  public let day: CivilDay
  /// nil: known by its day alone.
  public let at: Instant?
  public let zoneID: String?

  /// A weight of a day.
  public init(id: WeightID, weight: Weight, day: CivilDay, at: Instant?, zoneID: String?) {
    self.id = id
    self.weight = weight
    self.day = day
    self.at = at
    self.zoneID = zoneID
  }
}

/// The weight log. The latest is that of the last day; on it the last time, where a day alone comes
/// first; of the same time the one logged last (DESIGN section 6, rule 7).
package struct WeightBook: Sendable, Equatable {
  /// A weight with the revision that brought it.
  package struct Record: Sendable, Equatable {
    package let entry: WeightEntry
    package let revision: Revision

    /// A weight logged at `revision`.
    package init(entry: WeightEntry, revision: Revision) {
      self.entry = entry
      self.revision = revision
    }

    fileprivate static func precedes(_ left: Record, _ right: Record) -> Bool {
      if left.entry.day != right.entry.day { return left.entry.day < right.entry.day }
      if left.entry.at != right.entry.at {
        guard let first = left.entry.at else { return true }
        return right.entry.at.map { first < $0 } ?? false
      }
      if left.revision != right.revision { return left.revision < right.revision }
      return left.entry.id < right.entry.id
    }
  }

  /// In order of (day, time, revision).
  package private(set) var all: [Record] = []

  /// No weights.
  package init() {}

  /// The current weight.
  var latest: WeightEntry? { all.last?.entry }

  /// Adds one whose id is new.
  package mutating func insert(_ record: Record) {
    all.insert(record, at: all.partitionIndex { Record.precedes($0, record) })
  }

  /// Takes a weight of `day` out.
  mutating func remove(_ id: WeightID, on day: CivilDay) {
    var index = all.partitionIndex { $0.entry.day < day }
    while index < all.count, all[index].entry.day == day {
      if all[index].entry.id == id {
        all.remove(at: index)
        return
      }
      index += 1
    }
  }
}
