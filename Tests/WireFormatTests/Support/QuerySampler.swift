import WatchTransfer

/// Random days, exercises and records of pages.
extension Sampler {
  mutating func daySpan() -> DaySpan {
    switch upTo(2) {
    case 0: .from(namedDay(), days: 1 + upTo(63))
    case 1: .last(days: 1 + upTo(63))
    default: .month(of: namedDay())
    }
  }

  mutating func streakTrace() -> StreakTrace {
    let days = list(upTo: 20) { sampler in
      StreakTraceDay(
        day: CivilDay(number: Int32(sampler.upTo(60_000)) - 30_000),
        status: sampler.dayStatus(), text: sampler.text())
    }
    let totals = SpanTotals(
      workouts: upTo(9_999), activeDays: upTo(64), milliseconds: Int64(number()), days: upTo(64),
      averageMilliseconds: maybe { $0.figure() }, averageWorkouts: maybe { $0.figure() },
      text: text())
    return StreakTrace(policy: streakPolicy(), days: days, totals: totals)
  }

  private mutating func dayStatus() -> StreakDayStatus {
    let log: LogID = id()
    return pick([.satisfied(by: log), .protected, .paused, .missed, .skipped, .idle, .open])
  }

  mutating func exerciseKey() -> ExerciseKey {
    ExerciseKey(name: upTo(9) == 0 ? "" : name(), id: id())
  }

  mutating func exerciseEntry() -> ExerciseEntry {
    ExerciseEntry(
      key: exerciseKey(), equipment: pick(Equipment.allCases), isOwn: flip(), text: text())
  }

  mutating func workoutKey() -> WorkoutKey {
    WorkoutKey(name: upTo(9) == 0 ? "" : name(), id: id())
  }

  mutating func workoutEntry() -> WorkoutEntry {
    WorkoutEntry(key: workoutKey(), exercises: list(upTo: 8) { $0.name() }, text: text())
  }

  mutating func exerciseRecord() -> ExerciseRecord {
    ExerciseRecord(
      key: exerciseKey(),
      heaviest: ExerciseRecord.Heaviest(
        weight: weight(), reps: upTo(1_000), day: CivilDay(number: Int32(upTo(60_000))), log: id()),
      estimatedMaximum: maybe {
        ExerciseRecord.EstimatedMaximum(
          kilograms: $0.figure(), day: CivilDay(number: Int32($0.upTo(60_000))), log: $0.id())
      },
      text: text(), spoken: text())
  }
}
