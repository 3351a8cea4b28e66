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
    action  // Bytes from 224 on are actions that came later.
    =
      switch kind < 224 ? kind % 18 : kind {
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
      default: .controlClock(match: id(), control: ClockControl(rawValue: choice % 5 + 1) ?? .start)
      }
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
