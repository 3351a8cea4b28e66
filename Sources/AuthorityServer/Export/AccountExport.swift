internal import Authority
internal import WatchTransfer

/// Everything of an account, for its person to take along: one JSON file with all of it, and tables
/// of logs, sets and weights.
///
/// `account.json` is one object: `name`, `id`, `zone`, `created`, `revision`, and a member for each
/// book, named as below. Ids are 32 hexadecimal digits, instants RFC 3339 in UTC, days
/// `2026-11-30`, spans milliseconds; weights are decimals as they were entered, with their unit.
/// What is not known is null. A photo is the file `photos/` and its SHA-256; its `bytes` are null
/// where it is missing.
struct AccountExport {
  let account: ListedAccount
  let state: AccountState

  /// `account.json`.
  var json: String {
    var text = ""
    ExportValue.object(
      [
        ("name", .text(account.name)), ("id", .text(account.id.description)),
        ("zone", .text(state.zoneID)), ("created", .text(account.created.rfc3339)),
        ("revision", .whole(Int64(clamping: state.revision))),
        ("preferences", preferences), ("zones", zones), ("goals", goals), ("workouts", workouts),
        ("schedules", schedules), ("weeklySchedules", weeklies), ("logs", logs),
        ("weights", weights), ("exercises", exercises), ("routines", routines),
        ("sessions", sessions), ("matches", matches), ("keymap", keymap), ("streak", streak),
        ("photos", photos),
      ]
    ).append(to: &text)
    return text + "\n"
  }

  /// Photos that are there, with their sizes.
  var wholePhotos: [(hash: AttachmentHash, bytes: Int64)] {
    state.attachments.all.filter(\.isComplete).map { ($0.hash, $0.totalBytes) }
  }

  private var preferences: ExportValue {
    var policy: [(String, ExportValue)] = [
      ("policy", .text(state.settings.streakPolicy.value.word))
    ]
    if case .weekly(let days) = state.settings.streakPolicy.value {
      policy.append(("days", .whole(Int64(days))))
    }
    return ExportValue.object([
      ("theme", .text(state.settings.themeMode.value.word)),
      ("palette", .text(state.settings.palette.value.word)),
      ("units", .text(state.settings.units.value.word)),
      ("firstWeekday", .whole(Int64(state.settings.firstWeekday.value))),
      ("onboardingStep", .whole(Int64(state.settings.onboardingStep.value))),
      ("streak", ExportValue.object(policy)),
    ])
  }

  private var zones: ExportValue {
    .list(
      state.zone.periods.map {
        ExportValue.object([("from", .text($0.from.rfc3339)), ("zone", .text($0.zoneID))])
      })
  }

  private var goals: ExportValue {
    .list(
      state.goals.records.compactMap { goal in
        goal.value.map { ExportValue.object([("name", .text(goal.name)), ("value", .number($0))]) }
      })
  }

  private var workouts: ExportValue {
    .list(
      state.workouts.map { workout in
        ExportValue.object([
          ("id", .text(workout.id.description)), ("title", .text(workout.title)),
          ("exercises", .list(workout.exercises.map { .text($0) })),
        ])
      })
  }

  private var schedules: ExportValue {
    .list(
      state.schedules.all.map { schedule in
        ExportValue.object([
          ("id", .text(schedule.id.description)),
          ("workout", .optional(schedule.workout?.description)),
          ("title", .text(schedule.title)), ("at", .text(schedule.at.rfc3339)),
          ("day", .optional(schedule.day?.description)),
          ("doneBy", .optional(schedule.servedBy?.description)),
        ])
      })
  }

  /// Every edit from its own day on, as later ones leave what has passed.
  private var weeklies: ExportValue {
    .list(
      state.weeklies.all.map { weekly in
        ExportValue.object([
          ("id", .text(weekly.id.description)),
          (
            "edits",
            .list(
              weekly.edits.map { stamped in
                let edit = stamped.edit
                return ExportValue.object([
                  ("at", .text(stamped.stamp.at.rfc3339)),
                  ("title", .optional(edit.planned?.title)),
                  ("workout", .optional(edit.planned?.workout?.description)),
                  ("weekdays", .optional(edit.weekdays.map { Int64($0.bits) })),
                  ("timeOfDayMs", .optional(edit.timeOfDay)),
                  ("firstDay", .optional(edit.firstDay?.description)), ("ends", .flag(edit.isEnd)),
                ])
              })
          ),
          (
            "done",
            .list(
              weekly.served.map {
                ExportValue.object([
                  ("day", .text($0.day.description)), ("log", .text($0.log.description)),
                  ("title", .text($0.planned.title)),
                ])
              })
          ),
        ])
      })
  }

  private var logs: ExportValue {
    .list(
      state.logs.days.flatMap(\.logs).map { log in
        ExportValue.object([
          ("id", .text(log.id.description)), ("day", .text(log.day.description)),
          ("title", .text(log.title)), ("activityType", .text(log.activityType)),
          ("origin", .text(log.origin.exportWord)),
          ("start", .text(log.start.rfc3339)), ("end", .text(log.end.rfc3339)),
          ("zone", .optional(log.zoneID)), ("activeMs", .optional(log.activeMilliseconds)),
          ("energyKcal", .optional(log.energyKilocalories)),
          ("distanceM", .optional(log.distanceMeters)),
          ("averageHeartRate", .optional(log.averageHeartRate)),
          ("maximumHeartRate", .optional(log.maximumHeartRate)),
          ("source", .optional(log.sourceName)), ("externalUUID", .optional(log.externalUUID)),
          ("workout", .optional(log.workout?.description)),
          ("schedule", .optional(log.serves?.description)), ("notes", .text(log.notes)),
          ("tags", .list(log.tags.map { .text($0) })),
          ("photo", .optional(state.shownPhoto(of: log.id)?.hash.description)),
        ])
      })
  }

  private var weights: ExportValue {
    .list(
      state.weights.all.map(\.entry).map { entry in
        ExportValue.object([
          ("id", .text(entry.id.description)), ("day", .text(entry.day.description)),
          ("at", .optional(entry.at?.rfc3339)), ("zone", .optional(entry.zoneID)),
          ("weight", .text(entry.weight.figure)), ("unit", .text(entry.weight.unit.word)),
        ])
      })
  }

  private var streak: ExportValue {
    ExportValue.object([
      (
        "freezes",
        .list(
          state.streaks.freezes.map {
            ExportValue.object([
              ("id", .text($0.id.description)), ("granted", .text($0.day.description)),
            ])
          })
      ),
      (
        "pauses",
        .list(
          state.streaks.pauses.map {
            ExportValue.object([
              ("id", .text($0.id.description)), ("from", .text($0.from.description)),
              ("until", .optional($0.until?.description)),
            ])
          })
      ),
      ("resumedFrom", .optional(state.streaks.resumption?.from.description)),
    ])
  }

  private var photos: ExportValue {
    let shown = Set(state.attachments.photos.map(\.hash))
    let known = Set(state.attachments.all.filter(\.isComplete).map(\.hash))
    return .list(
      shown.union(known).sorted().map { hash in
        ExportValue.object([
          ("hash", .text(hash.description)), ("bytes", .optional(state.wholeBytes(of: hash))),
        ])
      })
  }
}

extension WorkoutLog.Origin {
  /// As an export names it.
  var exportWord: String {
    switch self {
    case .marked: "marked"
    case .byHand: "byHand"
    case .imported: "imported"
    case .session: "session"
    }
  }
}
