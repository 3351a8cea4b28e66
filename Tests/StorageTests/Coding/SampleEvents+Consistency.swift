import Authority
import WatchTransfer

extension SampleEvents {
  static var weeklyPreferences: PreferenceChange {
    var change = allPreferences
    change.streakPolicy = .weekly(days: 3)
    return change
  }

  static var scheduledPreferences: PreferenceChange {
    var change = PreferenceChange()
    change.streakPolicy = .scheduled
    return change
  }

  static var fullWeeklyEdit: WeeklyEdit {
    var edit = WeeklyEdit(day: CivilDay(number: 20_000), passed: 43_200_000)
    edit.planned = PlannedWorkout(workout: .sample(1), title: "Legs")
    edit.weekdays = Weekdays([1, 3, 7])
    edit.timeOfDay = 64_800_000
    edit.firstDay = CivilDay(number: 20_001)
    return edit
  }

  static var bareWeeklyEdit: WeeklyEdit {
    var edit = WeeklyEdit(day: CivilDay(number: 20_000), passed: -1)
    edit.isEnd = true
    return edit
  }

  static func weight(at: Instant?, zoneID: String?) -> WeightEntry {
    WeightEntry(
      id: .sample(7), weight: Weight("80.50", unit: .kilograms)!, day: CivilDay(number: 20_000),
      at: at, zoneID: zoneID)
  }

  static var fullLogEdit: LogEdit {
    var edit = LogEdit(day: CivilDay(number: 20_001))
    edit.title = "Lauf é"
    edit.activityType = "running"
    edit.notes = "Wet\n"
    edit.tags = ["hill", "rain"]
    edit.start = Instant(milliseconds: 1_000)
    edit.end = Instant(milliseconds: 2_000)
    edit.activeMilliseconds = .set(900)
    edit.energyKilocalories = .set(1.5)
    edit.distanceMeters = .cleared
    edit.averageHeartRate = .set(120)
    edit.maximumHeartRate = .cleared
    return edit
  }

  static var fullLogChange: LogChange {
    var change = LogChange()
    change.title = "Lauf é"
    change.activityType = "running"
    change.notes = "Wet"
    change.tags = ["hill"]
    change.start = .instant(Instant(milliseconds: 1_000))
    change.end = .timeOfDay(1_200_000)
    change.activeMilliseconds = .cleared
    change.energyKilocalories = .set(1.5)
    return change
  }

  static var fullScheduleChange: ScheduleChange {
    var change = ScheduleChange()
    change.workout = .title("Legs")
    change.at = Instant(milliseconds: 7_000)
    change.weekdays = .all
    change.timeOfDay = 1_200_000
    return change
  }

  /// Tags 80 to 92.
  static let consistency: [(event: Event, bytes: String)] = [
    (
      .preferencesSet(weeklyPreferences, by: by),
      """
      500102010701640001020380897a130100000000000000110000000000000022
      """
    ),
    (
      .preferencesSet(scheduledPreferences, by: by),
      "5000000000010380897a130100000000000000110000000000000022"
    ),
    (
      .consistency(.weeklyScheduled(id: .sample(3), fullWeeklyEdit, by: by)),
      """
      5100000000000000ab0000000000000003010100000000000000ab0000000000\
      000001044c6567730145018094e63d01c2b80200c0b80280b8992980897a1301\
      00000000000000110000000000000022
      """
    ),
    (
      .consistency(.weeklyEdited(id: .sample(3), bareWeeklyEdit, by: by)),
      """
      5200000000000000ab00000000000000030000000001c0b8020180897a130100\
      000000000000110000000000000022
      """
    ),
    (
      .consistency(
        .scheduleEdited(
          id: .sample(3), planned: PlannedWorkout(workout: nil, title: "Legs"),
          at: Instant(milliseconds: 7_000), by: by)),
      """
      5300000000000000ab00000000000000030100044c65677301b06d80897a1301\
      00000000000000110000000000000022
      """
    ),
    (
      .consistency(.scheduleEdited(id: .sample(3), planned: nil, at: nil, by: by)),
      """
      5300000000000000ab0000000000000003000080897a13010000000000000011\
      0000000000000022
      """
    ),
    (
      .consistency(.scheduleDated(id: .sample(3), day: CivilDay(number: 20_000))),
      "5400000000000000ab0000000000000003c0b802"
    ),
    (
      .consistency(.weightLogged(weight(at: Instant(milliseconds: 7_000), zoneID: "UTC"), by: by)),
      """
      5500000000000000ab0000000000000007e47d0201c0b80201b06d0103555443\
      80897a130100000000000000110000000000000022
      """
    ),
    (
      .consistency(.weightLogged(weight(at: nil, zoneID: nil), by: by)),
      """
      5500000000000000ab0000000000000007e47d0201c0b802000080897a130100\
      000000000000110000000000000022
      """
    ),
    (
      .consistency(.weightDeleted(id: .sample(7), by: by)),
      """
      5600000000000000ab000000000000000780897a130100000000000000110000\
      000000000022
      """
    ),
    (
      .consistency(.logEdited(id: .sample(4), from: CivilDay(number: 20_000), fullLogEdit, by: by)),
      """
      5700000000000000ab0000000000000004c0b802c2b80201074c61756620c3a9\
      010772756e6e696e6701045765740a01020468696c6c047261696e01d00f01a0\
      1f0101880e0101000000000000f83f010001010000000000005e40010080897a\
      130100000000000000110000000000000022
      """
    ),
    (
      .consistency(
        .logEdited(
          id: .sample(4), from: CivilDay(number: 20_000), LogEdit(day: CivilDay(number: 20_001)),
          by: by)),
      """
      5700000000000000ab0000000000000004c0b802c2b802000000000000000000\
      000080897a130100000000000000110000000000000022
      """
    ),
    (
      .consistency(.logDeleted(id: .sample(4), day: CivilDay(number: 20_000), by: by)),
      """
      5800000000000000ab000000000000000401c0b80280897a1301000000000000\
      00110000000000000022
      """
    ),
    (
      .consistency(.logDeleted(id: .sample(4), day: nil, by: by)),
      """
      5800000000000000ab00000000000000040080897a1301000000000000001100\
      00000000000022
      """
    ),
    (
      .consistency(.freezeGranted(Freeze(id: .sample(8), day: CivilDay(number: 20_000)), by: by)),
      """
      5900000000000000ab0000000000000008c0b80280897a130100000000000000\
      110000000000000022
      """
    ),
    (
      .consistency(
        .streakPaused(
          Pause(id: .sample(9), from: CivilDay(number: 20_000), until: CivilDay(number: 20_003)),
          by: by)),
      """
      5a00000000000000ab0000000000000009c0b80201c6b80280897a1301000000\
      00000000110000000000000022
      """
    ),
    (
      .consistency(
        .streakPaused(Pause(id: .sample(9), from: CivilDay(number: 20_000), until: nil), by: by)),
      """
      5a00000000000000ab0000000000000009c0b8020080897a1301000000000000\
      00110000000000000022
      """
    ),
    (
      .consistency(.streakResumed(from: CivilDay(number: 20_003), by: by)),
      "5bc6b80280897a130100000000000000110000000000000022"
    ),
    (
      .consistency(
        .editWaits(WaitingEdit(change: .schedule(.sample(3), fullScheduleChange), by: by))),
      """
      5c0100000000000000ab00000000000000030102044c65677301b06d017f0180\
      be920180897a130100000000000000110000000000000022
      """
    ),
    (
      .consistency(
        .editWaits(WaitingEdit(change: .schedule(.sample(3), ScheduleChange()), by: by))),
      """
      5c0100000000000000ab00000000000000030000000080897a13010000000000\
      0000110000000000000022
      """
    ),
    (
      .consistency(.editWaits(WaitingEdit(change: .log(.sample(4), fullLogChange), by: by))),
      """
      5c0200000000000000ab00000000000000040001074c61756620c3a901077275\
      6e6e696e67010357657401010468696c6c000001000101000000000000f83f00\
      00000101d00f010280be920180897a1301000000000000001100000000000000\
      22
      """
    ),
  ]
}
