import WatchTransfer

extension Sampler {
  mutating func actionBody() -> ActionBody {
    ActionBody(
      occurred: clock(),
      zone: maybe {
        ZoneStamp(id: $0.zone(), offsetSeconds: Int32($0.upTo(129_600)) - 64_800)
      },
      expiresAt: maybe { $0.anyInstant() }, action: action())
  }

  mutating func reference() -> WorkoutReference { flip() ? .id(id()) : .title(name()) }

  mutating func action() -> Action {
    switch upTo(53) {
    case 23: .setPalette(pick(PaletteName.allCases))
    case 24...42: strengthAction()
    case 43...51: consistency()
    case 52: .attachPhoto(log: id(), attachment())
    case 53: .removePhoto(log: id())
    case 0: .defineWorkout(id: id(), title: name(), exercises: list(upTo: 64) { $0.name() })
    case 1:
      .editWorkout(
        id: id(), title: maybe { $0.name() },
        exercises: maybe { sampler in sampler.list(upTo: 5) { $0.name() } })
    case 2: .deleteWorkout(id: id())
    case 3: .scheduleWorkout(id: id(), workout: reference(), at: namedInstant())
    case 4: .unscheduleWorkout(id: id())
    case 5: .markWorkout(log: id(), workout: reference())
    case 6: .unmarkWorkout(workout: reference())
    case 7: .logWorkout(loggedWorkout())
    case 8: .setTheme(mode: pick(ThemeMode.allCases))
    case 9: .setGoal(name: name(), value: maybe { $0.figure() })
    case 10: .setPreferences(preferenceChange())
    case 11: .setZone(id: zone())
    case 12:
      .newMatch(
        id: id(), home: name(), away: name(),
        halfLengthMilliseconds: Int64.random(
          in: ActionLimits.halfLengthMilliseconds, using: &generator),
        extraHalfMilliseconds: maybe {
          Int64.random(in: ActionLimits.halfLengthMilliseconds, using: &$0.generator)
        })
    case 13: .nameTeam(match: id(), team: pick(Team.allCases), name: name())
    case 14: .addPoint(entry: id(), match: id(), team: pick(Team.allCases), insist: flip())
    case 15: .undoPoint(match: id(), entry: id())
    case 16: .takeOverMatch(match: id())
    case 17:
      .setSquad(match: id(), team: pick(Team.allCases), players: list(upTo: 40) { $0.player() })
    case 18:
      .substitute(id: id(), match: id(), team: pick(Team.allCases), off: id(), on: id())
    case 19: .undoSubstitution(match: id(), id: id())
    case 20: .setKeymap(bindings: list(upTo: 40) { $0.binding() })
    case 21: .press(button: UInt8(upTo(255)), gesture: pick(Gesture.allCases))
    default: .controlClock(match: id(), control: pick(ClockControl.allCases))
    }
  }

  mutating func player() -> SquadPlayer {
    SquadPlayer(id: id(), name: name(), number: maybe { $0.upTo(999) }, starts: flip())
  }

  mutating func binding() -> KeyBinding {
    let commands: [KeyCommand] =
      [.point(.home), .point(.away), .undoPoint, .markWorkout(title: name())]
      + ClockControl.allCases.map { .clock($0) }
    return KeyBinding(
      button: UInt8(upTo(255)), gesture: pick(Gesture.allCases), command: pick(commands))
  }

  mutating func loggedWorkout() -> LoggedWorkout {
    let start = namedInstant()
    // The end may come before the start: that is a rule's to judge.
    let end = Instant(
      milliseconds: max(0, start.milliseconds + Int64(upTo(604_800_000)) - 1_000))
    var log = LoggedWorkout(
      log: id(), activityType: name(), start: start,
      end: min(end, ActionLimits.instants.upperBound))
    log.title = maybe { $0.name() }
    log.zoneID = maybe { $0.zone() }
    log.activeMilliseconds = maybe { Int64($0.upTo(604_800_000)) }
    log.energyKilocalories = maybe { $0.figure() }
    log.distanceMeters = maybe { $0.figure() }
    log.averageHeartRate = maybe { $0.figure() }
    log.maximumHeartRate = maybe { $0.figure() }
    log.sourceName = maybe { $0.name() }
    log.externalUUID = maybe { $0.name() }
    return log
  }

  mutating func preferenceChange() -> PreferenceChange {
    var change = PreferenceChange()
    change.units = maybe { $0.pick(Units.allCases) }
    change.firstWeekday = maybe { 1 + $0.upTo(6) }
    change.onboardingStep = maybe { $0.upTo(100) }
    change.streakPolicy = maybe { $0.streakPolicy() }
    return change
  }

  mutating func streakPolicy() -> StreakPolicy {
    pick([.daily, .scheduled, .weekly(days: 1 + upTo(6))])
  }

  mutating func consistency() -> Action {
    switch upTo(8) {
    case 0:
      .scheduleWeekly(
        id: id(), workout: reference(), weekdays: weekdays(), timeOfDay: timeOfDay(),
        firstDay: namedDay())
    case 1: .editSchedule(id: id(), scheduleChange())
    case 2:
      .logWeight(
        LoggedWeight(
          id: id(), weight: weight(), moment: flip() ? .day(namedDay()) : .instant(namedInstant()),
          zoneID: maybe { $0.zone() }))
    case 3: .deleteWeight(id: id())
    case 4: .editLog(log: id(), logChange())
    case 5: .deleteLog(log: id())
    case 6: .grantFreeze(id: id())
    case 7: .pauseStreak(id: id(), from: namedDay())
    default: .resumeStreak(from: maybe { $0.namedDay() })
    }
  }

  mutating func weekdays() -> Weekdays { Weekdays(bits: UInt8(1 + upTo(126)))! }

  mutating func timeOfDay() -> Int64 { Int64(upTo(86_399_999)) }

  mutating func namedDay() -> CivilDay { CivilDay(number: Int32(upTo(84_005))) }

  mutating func scheduleChange() -> ScheduleChange {
    var change = ScheduleChange()
    change.workout = maybe { $0.reference() }
    change.at = maybe { $0.namedInstant() }
    change.weekdays = maybe { $0.weekdays() }
    change.timeOfDay = maybe { $0.timeOfDay() }
    return change
  }

  mutating func logChange() -> LogChange {
    var change = LogChange()
    change.title = maybe { $0.name() }
    change.activityType = maybe { $0.name() }
    change.notes = maybe { $0.pick(["", "Felt good\nRain", "é"]) }
    change.tags = maybe { sampler in sampler.list(upTo: 16) { $0.pick(["hill", "rain", "é"]) } }
    change.start = maybe { $0.logMoment() }
    change.end = maybe { $0.logMoment() }
    change.activeMilliseconds = maybe { $0.maybe { .set(Int64($0.upTo(604_800_000))) } ?? .cleared }
    change.energyKilocalories = maybe { $0.maybe { .set($0.figure()) } ?? .cleared }
    change.distanceMeters = maybe { $0.maybe { .set($0.figure()) } ?? .cleared }
    change.averageHeartRate = maybe { $0.maybe { .set($0.figure()) } ?? .cleared }
    change.maximumHeartRate = maybe { $0.maybe { .set($0.figure()) } ?? .cleared }
    return change
  }

  private mutating func logMoment() -> LogChange.Moment {
    flip() ? .timeOfDay(timeOfDay()) : .instant(namedInstant())
  }
}
