internal import WatchTransfer

extension ActionMix {
  /// What somebody asks when the clock shows `now`, of the few things that there may be; `seen` is
  /// where a page of the history ended.
  func question(at now: Instant, behind seen: HistoryKey?) -> Question {
    switch world.pick(0...10) {
    case 0...2:
      return .history(
        HistoryQuestion(before: flip() ? seen : nil, limit: Int(world.pick(1...64))))
    case 3: return .previewDeletion(of: id(4))
    case 4: return .previewLogDeletion(of: log())
    case 5: return .attachment(range())
    case 6, 7: return .streakTrace(StreakTraceQuestion(span(now), policy: policy()))
    case 8:
      return .exercises(
        ExercisesQuestion(
          text: flip() ? "" : flip() ? "press" : title(),
          equipment: flip() ? nil : Equipment.allCases.randomElement(using: &world.random),
          limit: Int(world.pick(1...64))))
    case 9:
      return .workouts(
        WorkoutsQuestion(text: flip() ? "" : title(), limit: Int(world.pick(1...16))))
    default:
      return .records(
        RecordsQuestion(exercise: flip() ? nil : exercise(), limit: Int(world.pick(1...64))))
    }
  }

  private func range() -> AttachmentQuestion {
    let photos = SimulatedPhotos.all
    let photo = photos[Int(world.pick(0...Int64(photos.count - 1)))]
    return AttachmentQuestion(
      hash: photo.hash, offset: flip() ? 0 : world.pick(0...Int64(photo.bytes.count)),
      length: flip() ? AttachmentLimits.rangeBytes.upperBound : world.pick(1...1_000))
  }

  private func span(_ now: Instant) -> DaySpan {
    let today = CivilDay(localMilliseconds: now.milliseconds)
    let day = today.advanced(days: Int32(world.pick(-40...4)))
    return switch world.pick(0...2) {
    case 0: .from(day, days: Int(world.pick(1...64)))
    case 1: .last(days: Int(world.pick(1...64)))
    default: .month(of: day)
    }
  }

  /// A policy, or none.
  func policy() -> StreakPolicy? {
    switch world.pick(0...3) {
    case 0: nil
    case 1: .daily
    case 2: .weekly(days: Int(world.pick(1...7)))
    default: .scheduled
    }
  }
}
