internal import WatchTransfer

/// Which log does which schedule of its day (DESIGN section 6, rule 3). A log needs the schedule's
/// title, or, unless it is a mark, an activity that stands in it as whole words; nearest to the
/// log's end, earlier, and id decide between several. One log does one schedule, each is done once.
enum ScheduleMatching {
  /// A schedule and the log that did it.
  struct Service: Equatable {
    let schedule: ScheduleID
    let log: LogID
  }

  /// Ties what is free of `logs`, in order of their ends, to what is free of `schedules`.
  static func services(schedules: [Schedule], logs: [WorkoutLog]) -> [Service] {
    var free = schedules.filter { $0.servedBy == nil }
    var services: [Service] = []
    let ordered = logs.filter { $0.serves == nil }.sorted {
      $0.end == $1.end ? $0.id < $1.id : $0.end < $1.end
    }
    for log in ordered {
      guard let best = best(for: log, among: free) else { continue }
      services.append(Service(schedule: free[best].id, log: log.id))
      free.remove(at: best)
    }
    return services
  }

  /// The schedule that a log does, if any.
  static func schedule(for log: WorkoutLog, among schedules: [Schedule]) -> ScheduleID? {
    services(schedules: schedules, logs: [log]).first?.schedule
  }

  private static func best(for log: WorkoutLog, among schedules: [Schedule]) -> Int? {
    var best: (index: Int, rank: Int, distance: Int64)?
    for (index, schedule) in schedules.enumerated() {
      let rank = titleRank(of: log, schedule)
      guard rank > 0 else { continue }
      let distance = abs(schedule.at.milliseconds(since: log.end))
      if let known = best {
        let other = schedules[known.index]
        if rank < known.rank { continue }
        if rank == known.rank {
          if distance > known.distance { continue }
          if distance == known.distance {
            let isFirst =
              schedule.at == other.at ? schedule.id < other.id : schedule.at < other.at
            if !isFirst { continue }
          }
        }
      }
      best = (index, rank, distance)
    }
    return best?.index
  }

  /// How well a log's title fits: the exact title beats any alias, a longer alias a shorter one;
  /// 0 is not at all.
  private static func titleRank(of log: WorkoutLog, _ schedule: Schedule) -> Int {
    if !log.title.isEmpty, sameBytes(log.title, schedule.title) { return Int.max }
    guard !log.activityType.isEmpty else { return 0 }
    return ActivityNames.longestAlias(of: log.activityType, in: schedule.title)
  }
}
