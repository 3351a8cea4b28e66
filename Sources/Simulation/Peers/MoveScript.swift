internal import WatchTransfer

/// Takes the bytes that tell a talk apart, front to back; where they end, zeros follow.
struct MoveScript {
  private let bytes: [UInt8]
  private var position = 0

  /// Reads `bytes` from their start.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = Array(bytes)
  }

  /// Whether everything was taken.
  var isAtEnd: Bool { position >= bytes.count }

  /// The next byte.
  mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    defer { position += 1 }
    return bytes[position]
  }

  /// The next bytes, as many as the two bytes in front of them say.
  mutating func counted() -> [UInt8] {
    let wanted = Int(byte()) | Int(byte()) << 8
    let count = min(wanted, bytes.count - min(position, bytes.count))
    defer { position += count }
    return Array(bytes[position..<position + count])
  }
}

/// An action over few ids and titles, so that those of several devices meet.
struct SimpleAction {
  let action: Action

  /// What the next bytes say; `secret` is the account whose title no other may see.
  init(_ script: inout MoveScript, secret account: AccountID) {
    let kind = script.byte()
    let choice = script.byte()
    let titles = [PeerCast.secretTitle(of: account), "Legs", "Cafe\u{301}", "Row"]
    let title = titles[Int(choice % 4)]
    func id<Tag>() -> Identifier<Tag> { Identifier(high: 0xAAAA, low: UInt64(choice / 4 % 8) + 1) }
    let now = Instant(milliseconds: SimulatedMachine.epochMilliseconds)
    let at = now.advanced(milliseconds: (Int64(choice) - 128) * 3_600_000)
    let team: Team = choice & 1 == 0 ? .home : .away
    let other = PlayerID(high: 0xAAAA, low: 9)
    // Kinds from 224 on were added later: what the kept inputs say stays what it was.
    action =
      switch kind >= 224 ? kind : kind % 36 {
      case 240, 241:
        .setSquad(
          match: id(), team: team,
          players: [
            SquadPlayer(
              id: id(), name: title, number: Int(choice) * 4, starts: choice & 8 == 0)
          ])
      case 242, 243: .substitute(id: id(), match: id(), team: team, off: id(), on: other)
      case 244: .undoSubstitution(match: id(), id: id())
      case 245: .takeOverMatch(match: id())
      case 246, 247: .setKeymap(bindings: Self.keymap(choice, title))
      case 248...255:
        .press(button: choice % 2, gesture: Gesture(rawValue: choice / 2 % 3 + 1) ?? .press)
      case 0: .defineWorkout(id: id(), title: title, exercises: [title])
      case 1: .editWorkout(id: id(), title: title, exercises: nil)
      case 2: .deleteWorkout(id: id())
      case 3: .scheduleWorkout(id: id(), workout: .title(title), at: at)
      case 4: .unscheduleWorkout(id: id())
      case 5: .markWorkout(log: id(), workout: .title(title))
      case 6: .unmarkWorkout(workout: .title(title))
      case 7:
        .logWorkout(
          LoggedWorkout(
            log: id(), activityType: title, start: at, end: at.advanced(milliseconds: 600_000)))
      case 8: .setTheme(mode: ThemeMode(rawValue: choice % 3 + 1) ?? .auto)
      case 9: .setGoal(name: title, value: Double(choice))
      case 10: .setPreferences(Self.preferences(choice))
      case 11: .setZone(id: ["Asia/Tokyo", "Pacific/Apia", "Nowhere", "UTC"][Int(choice % 4)])
      case 12:
        .newMatch(
          id: id(), home: title, away: "B", halfLengthMilliseconds: Int64(choice) * 60_000)
      case 13: .nameTeam(match: id(), team: team, name: title)
      case 14: .addPoint(entry: id(), match: id(), team: team, insist: choice & 2 == 0)
      case 15: .undoPoint(match: id(), entry: id())
      case 16: .setPalette(PaletteName(rawValue: choice % 5 + 1) ?? .classic)
      case 18...35: Self.strength(kind % 36 - 1, choice, title, id: MoveID(choice: choice), at)
      case 224:
        .scheduleWeekly(
          id: id(), workout: .title(title), weekdays: Weekdays(bits: choice) ?? .all,
          timeOfDay: Int64(choice) * 360_000, firstDay: CivilDay(localMilliseconds: at.milliseconds)
        )
      case 225: .editSchedule(id: id(), Self.scheduleChange(choice, at: at))
      case 226:
        Weight(digits: Int64(choice), scale: 1, unit: .pounds).map {
          .logWeight(LoggedWeight(id: id(), weight: $0, moment: .instant(at)))
        } ?? .resumeStreak(from: nil)
      case 227: .deleteWeight(id: id())
      case 228: .editLog(log: id(), Self.logChange(choice, title: title))
      case 229: .deleteLog(log: id())
      case 230: .grantFreeze(id: id())
      case 231: .pauseStreak(id: id(), from: CivilDay(localMilliseconds: at.milliseconds))
      case 232: .resumeStreak(from: nil)
      case 233, 234:
        .attachPhoto(
          log: id(), SimulatedPhotos.all[Int(choice) % SimulatedPhotos.all.count].hash)
      case 235: .removePhoto(log: id())
      default: .controlClock(match: id(), control: ClockControl(rawValue: choice % 5 + 1) ?? .start)
      }
  }

  /// Ids of any kind from one choice.
  private struct MoveID {
    let choice: UInt8

    func callAsFunction<Tag>() -> Identifier<Tag> {
      Identifier(high: 0xAAAA, low: UInt64(choice / 4 % 8) + 1)
    }
  }

  private static func strength(
    _ kind: UInt8, _ choice: UInt8, _ title: String, id: MoveID, _ at: Instant
  ) -> Action {
    let place = Int(choice % 3)
    let weight = Weight(digits: Int64(choice) - 20, scale: 1, unit: .kilograms)
    let entries = [
      RoutineEntry(exercise: id(), sets: [TargetSet(reps: Int(choice % 6), restSeconds: 60)])
    ]
    switch kind {
    case 17:
      return .defineExercise(Exercise(id: id(), name: title, equipment: .band))
    case 18: return .editExercise(id: id(), name: title, equipment: nil)
    case 19: return .deleteExercise(id: id())
    case 20: return .defineRoutine(id: id(), title: title, entries: entries)
    case 21: return .editRoutine(id: id(), title: title, entries: nil)
    case 22: return .deleteRoutine(id: id())
    case 23:
      return .startSession(id: id(), plan: choice & 1 == 0 ? .routine(id()) : .activity(title))
    case 24:
      let set = PerformedSet(
        id: SetID(high: 0xBBBB, low: UInt64(choice)), position: place, reps: 5, weight: weight)
      return .completeSet(session: id(), set: set)
    case 25:
      return .editSet(
        session: id(), set: SetID(high: 0xBBBB, low: UInt64(choice)), reps: 3, weight: weight)
    case 26:
      return .uncompleteSet(session: id(), set: SetID(high: 0xBBBB, low: UInt64(choice)))
    case 27: return .adjustSet(session: id(), position: place, reps: 8, weight: weight)
    case 28: return .selectExercise(session: id(), position: place)
    case 29: return .restSession(session: id(), seconds: choice & 1 == 0 ? 60 : nil)
    case 30:
      return .controlSession(
        session: id(), control: SessionControl(rawValue: choice % 4 + 1) ?? .pause)
    case 31:
      return .addSessionExercise(session: id(), exercise: ExerciseLibrary.starter[place].id)
    case 32: return .dismissSummary(session: id())
    case 33:
      let block = SampleBlock(
        number: UInt32(choice), heartRate: [SamplePoint(at: at, value: Double(choice))])
      return .recordSamples(session: id(), block: block)
    default: return .takeOverSession(session: id())
    }
  }

  private static func keymap(_ choice: UInt8, _ title: String) -> [KeyBinding] {
    [
      KeyBinding(button: 0, gesture: .press, command: choice & 1 == 0 ? .point(.home) : .undoPoint),
      KeyBinding(button: 1, gesture: .hold, command: .clock(choice & 2 == 0 ? .start : .end)),
      KeyBinding(button: choice % 2, gesture: .double, command: .markWorkout(title: title)),
    ]
  }

  private static func preferences(_ choice: UInt8) -> PreferenceChange {
    var change = PreferenceChange()
    change.firstWeekday = Int(choice % 7) + 1
    if choice & 8 == 0 { change.onboardingStep = Int(choice % 101) }
    if choice & 16 == 0 { change.units = .imperial }
    if choice & 32 == 0 { change.streakPolicy = choice & 64 == 0 ? .scheduled : .weekly(days: 2) }
    return change
  }

  private static func scheduleChange(_ choice: UInt8, at: Instant) -> ScheduleChange {
    var change = ScheduleChange()
    if choice & 1 == 0 { change.at = at }
    if choice & 2 == 0 { change.weekdays = .all }
    if choice & 4 == 0 { change.timeOfDay = Int64(choice) * 60_000 }
    return change
  }

  private static func logChange(_ choice: UInt8, title: String) -> LogChange {
    var change = LogChange()
    change.title = title
    if choice & 1 == 0 { change.notes = title }
    if choice & 2 == 0 { change.tags = [title] }
    if choice & 4 == 0 { change.end = .timeOfDay(Int64(choice) * 60_000) }
    if choice & 8 == 0 { change.activeMilliseconds = .cleared }
    return change
  }
}
