import Authority
import WatchTransfer

/// One event of every kind, with every optional field there once and absent once.
enum SampleEvents {
  static let by = Occurrence(
    at: Instant(milliseconds: 1_000_000), raw: Instant(milliseconds: 999_990), isFlagged: true,
    device: DeviceID(high: 0x11, low: 0x22))
  static let zone = ZoneRules(
    id: "Europe/Berlin", initialOffsetSeconds: 3_600,
    transitions: [.init(at: Instant(milliseconds: 5_000), offsetSeconds: 7_200)])

  static var schedule: Schedule {
    var schedule = Schedule(
      id: .sample(3), workout: .sample(1), title: "Legs", at: Instant(milliseconds: 7_000))
    schedule.servedBy = .sample(4)
    return schedule
  }

  static var bareLog: WorkoutLog {
    WorkoutLog(
      id: .sample(4), origin: .marked, workout: nil, title: "Legs",
      start: Instant(milliseconds: -1), end: Instant(milliseconds: 0), day: CivilDay(number: -1))
  }

  static var fullLog: WorkoutLog {
    var log = WorkoutLog(
      id: .sample(4), origin: .imported, workout: .sample(1), title: "Lauf é",
      start: Instant(milliseconds: 1_000), end: Instant(milliseconds: 2_000),
      day: CivilDay(number: 20_000))
    log.activityType = "running"
    log.zoneID = "Asia/Kolkata"
    log.activeMilliseconds = 900
    log.energyKilocalories = 1.5
    log.distanceMeters = 0
    log.averageHeartRate = 120
    log.maximumHeartRate = 180
    log.sourceName = "Ring"
    log.externalUUID = "A-B"
    log.serves = .sample(3)
    return log
  }

  /// Each command once.
  static var allBindings: [KeyBinding] {
    let commands: [KeyCommand] = [
      .point(.home), .point(.away), .undoPoint, .clock(.start), .clock(.pause), .clock(.reset),
      .clock(.nextHalf), .clock(.end),
    ]
    return commands.enumerated().map { index, command in
      KeyBinding(
        button: UInt8(index + 1), gesture: Gesture.allCases[(index + 1) % 3], command: command)
    } + [KeyBinding(button: 255, gesture: .double, command: .markWorkout(title: "Legs"))]
  }

  static var allPreferences: PreferenceChange {
    var change = PreferenceChange()
    change.units = .imperial
    change.firstWeekday = 7
    change.onboardingStep = 100
    change.streakPolicy = .daily
    return change
  }

  /// Each with its stored bytes, in hexadecimal. A journal holds these bytes: they never change.
  static let golden: [(event: Event, bytes: String)] =
    first + strength + consistency + attachments

  private static let first: [(event: Event, bytes: String)] = [
    (
      .accountCreated(at: Instant(milliseconds: 1), zone: .utc, zoneDataVersion: ""),
      "010203555443000000"
    ),
    (
      .turned(at: Instant(milliseconds: 1), zone: zone, zoneDataVersion: "2026b"),
      "02020d4575726f70652f4265726c696ea03801904ec070053230323662"
    ),
    (
      .zoneChanged(zone: zone, zoneDataVersion: "2026b", by: by),
      """
      030d4575726f70652f4265726c696ea03801904ec07005323032366280897a13\
      0100000000000000110000000000000022
      """
    ),
    (
      .reloadTold(device: .sample(0x22), day: CivilDay(number: 20_000)),
      "8c00000000000000ab0000000000000022c0b802"
    ),
    (.paletteSet(.ember, by: by), "800480897a130100000000000000110000000000000022"),
    (.themeSet(mode: .night, by: by), "040380897a130100000000000000110000000000000022"),
    (
      .goalSet(name: "steps", value: 1.5, by: by),
      """
      0505737465707301000000000000f83f80897a13010000000000000011000000\
      0000000022
      """
    ),
    (
      .goalSet(name: "steps", value: nil, by: by),
      "050573746570730080897a130100000000000000110000000000000022"
    ),
    (
      .preferencesSet(allPreferences, by: by),
      "06010201070164010180897a130100000000000000110000000000000022"
    ),
    (
      .preferencesSet(PreferenceChange(), by: by),
      "060000000080897a130100000000000000110000000000000022"
    ),
    (
      .workoutDefined(id: .sample(1), title: "Legs", exercises: ["Squat", ""], by: by),
      """
      1000000000000000ab0000000000000001044c65677302055371756174008089\
      7a130100000000000000110000000000000022
      """
    ),
    (
      .workoutEdited(id: .sample(1), title: "Arms", exercises: [], by: by),
      """
      1100000000000000ab0000000000000001010441726d73010080897a13010000\
      0000000000110000000000000022
      """
    ),
    (
      .workoutEdited(id: .sample(1), title: nil, exercises: nil, by: by),
      """
      1100000000000000ab0000000000000001000080897a13010000000000000011\
      0000000000000022
      """
    ),
    (
      .workoutDeleted(id: .sample(1), by: by),
      """
      1200000000000000ab000000000000000180897a130100000000000000110000\
      000000000022
      """
    ),
    (
      .workoutStubOpened(id: .sample(1), by: by),
      """
      1300000000000000ab000000000000000180897a130100000000000000110000\
      000000000022
      """
    ),
    (
      .workoutScheduled(schedule, by: by),
      """
      1400000000000000ab00000000000000030100000000000000ab000000000000\
      0001044c656773b06d0100000000000000ab000000000000000480897a130100\
      000000000000110000000000000022
      """
    ),
    (
      .workoutScheduled(
        Schedule(id: .sample(3), workout: nil, title: "", at: Instant(milliseconds: 0)), by: by),

      """
      1400000000000000ab00000000000000030000000080897a1301000000000000\
      00110000000000000022
      """
    ),
    (
      .workoutUnscheduled(id: .sample(3), by: by),
      """
      1500000000000000ab000000000000000380897a130100000000000000110000\
      000000000022
      """
    ),
    (
      .scheduleServed(id: .sample(3), log: .sample(4)),
      """
      1600000000000000ab000000000000000300000000000000ab00000000000000\
      04
      """
    ),
    (
      .workoutMarked(bareLog, by: by),
      """
      1700000000000000ab00000000000000040100044c6567730001000100000000\
      000000000080897a130100000000000000110000000000000022
      """
    ),
    (
      .workoutUnmarked(log: .sample(4), day: CivilDay(number: 20_000), by: by),
      """
      1800000000000000ab0000000000000004c0b80280897a130100000000000000\
      110000000000000022
      """
    ),
    (
      .workoutLogged(fullLog, by: by),
      """
      1900000000000000ab0000000000000004030100000000000000ab0000000000\
      000001074c61756620c3a90772756e6e696e67d00fa01fc0b802010c41736961\
      2f4b6f6c6b61746101880e01000000000000f83f010000000000000000010000\
      000000005e40010000000000806640010452696e670103412d42010000000000\
      0000ab000000000000000380897a130100000000000000110000000000000022
      """
    ),
    (
      .matchMade(
        id: .sample(5), home: "Reds", away: "Blues", halfLengthMilliseconds: 2_700_000, by: by),
      """
      2000000000000000ab0000000000000005045265647305426c756573c0cbc902\
      80897a130100000000000000110000000000000022
      """
    ),
    (
      .matchStubOpened(id: .sample(5), by: by),
      """
      2100000000000000ab000000000000000580897a130100000000000000110000\
      000000000022
      """
    ),
    (
      .matchStubClosed(id: .sample(5), at: Instant(milliseconds: 9)),
      "2200000000000000ab000000000000000512"
    ),
    (.clockWentBack(to: Instant(milliseconds: 9)), "0712"),
    (.matchDropped(id: .sample(5)), "2300000000000000ab0000000000000005"),
    (
      .teamNamed(match: .sample(5), team: .away, name: "Blues", by: by),
      """
      2400000000000000ab00000000000000050205426c75657380897a1301000000\
      00000000110000000000000022
      """
    ),
    (
      .pointAdded(
        match: .sample(5), entry: .sample(6), team: .home, deviceName: "Watch", by: by),
      """
      2500000000000000ab000000000000000500000000000000ab00000000000000\
      060105576174636880897a130100000000000000110000000000000022
      """
    ),
    (
      .pointUndone(match: .sample(5), entry: .sample(6), by: by),
      """
      2600000000000000ab000000000000000500000000000000ab00000000000000\
      0680897a130100000000000000110000000000000022
      """
    ),
    (
      .clockControlled(match: .sample(5), control: .nextHalf, by: by),
      """
      2700000000000000ab00000000000000050480897a1301000000000000001100\
      00000000000022
      """
    ),
    (
      .extraTimeAgreed(match: .sample(5), halfMilliseconds: 900_000),
      "2800000000000000ab0000000000000005c0ee6d"
    ),
    (
      .clockTakenOver(match: .sample(5), by: by),
      """
      2900000000000000ab000000000000000580897a130100000000000000110000\
      000000000022
      """
    ),
    (
      .squadSet(
        match: .sample(5), team: .away,
        players: [
          SquadPlayer(id: .sample(7), name: "Ada", number: 999, starts: true),
          SquadPlayer(id: .sample(8), name: "Ben", starts: false),
        ], by: by),
      """
      2a00000000000000ab0000000000000005020200000000000000ab0000000000\
      0000070341646101e7070100000000000000ab00000000000000080342656e00\
      0080897a130100000000000000110000000000000022
      """
    ),
    (
      .substituted(
        match: .sample(5), id: .sample(9), team: .home, off: .sample(7), on: .sample(8),
        deviceName: "Phone", by: by),
      """
      2b00000000000000ab000000000000000500000000000000ab00000000000000\
      090100000000000000ab000000000000000700000000000000ab000000000000\
      00080550686f6e6580897a130100000000000000110000000000000022
      """
    ),
    (
      .substitutionUndone(match: .sample(5), id: .sample(9), by: by),
      """
      2c00000000000000ab000000000000000500000000000000ab00000000000000\
      0980897a130100000000000000110000000000000022
      """
    ),
    (
      .keymapSet(allBindings, by: by),
      """
      7809010201020302030103040204050305060106070207080308ff0309044c65\
      677380897a130100000000000000110000000000000022
      """
    ),
  ]
}

extension Identifier {
  /// A short id for tests.
  static func sample(_ number: UInt64) -> Self { Self(high: 0xAB, low: number) }
}
