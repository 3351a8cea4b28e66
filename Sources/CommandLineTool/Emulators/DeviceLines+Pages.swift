public import WatchTransfer

/// What the authority answered to a question.
extension DeviceLines {
  /// One workout of the history.
  public func history(_ entry: HistoryEntry) -> [String] {
    guard isJSON else {
      var more = ["log \(entry.key.log)"] + entry.notes.split(separator: "\n").map(String.init)
      if !entry.tags.isEmpty { more.append(entry.tags.map { "#\($0)" }.joined(separator: " ")) }
      if let photo = entry.photo {
        more.append(photo.totalBytes.map { "photo, \($0) bytes" } ?? "photo, missing")
      }
      return [printable("\(entry.title): \(entry.text)")] + indented(more.map(printable))
    }
    return [
      json(
        "history",
        [
          ("log", .string(entry.key.log.description)), ("day", .string(entry.key.day.description)),
          ("title", .string(entry.title)), ("start", .instant(entry.start)),
          ("end", .instant(entry.key.end)), ("activeMs", .whole(entry.milliseconds)),
          ("energyKcal", entry.energyKilocalories.map { .number($0) } ?? .null),
          ("distanceM", entry.distanceMeters.map { .number($0) } ?? .null),
          ("averageHeartRate", entry.averageHeartRate.map { .number($0) } ?? .null),
          ("notes", .string(entry.notes)), ("tags", .array(entry.tags.map { .string($0) })),
          (
            "photo",
            entry.photo.map { photo in
              JSONValue.object([
                ("hash", .string(photo.hash.description)),
                ("bytes", photo.totalBytes.map { .whole($0) } ?? .null),
                ("missing", .bool(photo.totalBytes == nil)),
              ])
            } ?? .null
          ),
          ("source", .optional(entry.sourceName)), ("planned", .bool(entry.wasPlanned)),
          ("text", .string(entry.text)), ("spoken", .string(entry.spoken)),
        ])
    ]
  }

  /// A photo's bytes are in a file.
  public func photo(_ hash: AttachmentHash, bytes: Int, file: String) -> [String] {
    isJSON
      ? [
        json(
          "photo",
          [
            ("hash", .string(hash.description)), ("bytes", .whole(bytes)), ("file", .string(file)),
          ])
      ] : [printable("photo of \(bytes) bytes in \(file)")]
  }

  /// What days were for a streak, and the sums below.
  public func trace(_ trace: StreakTrace) -> [String] {
    let totals = trace.totals
    guard isJSON else { return trace.days.map { printable($0.text) } + [printable(totals.text)] }
    let days = trace.days.map { day in
      var members: [(String, JSONValue)] = [
        ("day", .string(day.day.description)), ("status", .string(day.status.word)),
        ("text", .string(day.text)),
      ]
      if case .satisfied(let log) = day.status {
        members.append(("log", .string(log.description)))
      }
      return JSONValue.object(members)
    }
    return [
      json(
        "trace",
        [
          ("policy", .string(trace.policy.word)),
          ("daysAWeek", .optional(trace.policy.daysAWeek)),
          ("days", .array(days)),
          (
            "totals",
            .object([
              ("workouts", .whole(totals.workouts)), ("activeDays", .whole(totals.activeDays)),
              ("activeMs", .whole(totals.milliseconds)), ("days", .whole(totals.days)),
              ("averageMs", totals.averageMilliseconds.map { .number($0) } ?? .null),
              ("averageWorkouts", totals.averageWorkouts.map { .number($0) } ?? .null),
              ("text", .string(totals.text)),
            ])
          ),
        ])
    ]
  }

  /// One exercise of the library.
  public func exercise(_ entry: ExerciseEntry) -> [String] {
    guard isJSON else {
      if !entry.isOwn { return [printable(entry.text)] }
      return [printable("\(entry.text) (added by this account)")]
        + indented(["exercise \(entry.key.id)"])
    }
    return [
      json(
        "exercise",
        [
          ("id", .string(entry.key.id.description)), ("name", .string(entry.key.name)),
          ("equipment", .string(entry.equipment.word)), ("own", .bool(entry.isOwn)),
          ("text", .string(entry.text)),
        ])
    ]
  }

  /// One workout that was defined.
  public func workout(_ entry: WorkoutEntry) -> [String] {
    guard isJSON else {
      return [printable(entry.text)]
        + indented(["workout \(entry.key.id)"] + entry.exercises.map(printable))
    }
    return [
      json(
        "workout",
        [
          ("id", .string(entry.key.id.description)), ("title", .string(entry.key.name)),
          ("exercises", .array(entry.exercises.map { .string($0) })),
          ("text", .string(entry.text)),
        ])
    ]
  }

  /// What a deletion would do.
  public func deletion(_ preview: DeletionPreview) -> [String] {
    guard isJSON else {
      return (preview.goes.map { "goes: \($0)" } + preview.stays.map { "stays: \($0)" })
        .map(printable)
    }
    return [
      json(
        "deletion",
        [
          ("goes", .array(preview.goes.map { .string($0) })),
          ("stays", .array(preview.stays.map { .string($0) })),
        ])
    ]
  }

  /// The best of an exercise.
  public func record(_ record: ExerciseRecord) -> [String] {
    guard isJSON else { return [printable("\(record.key.name): \(record.text)")] }
    let maximum = record.estimatedMaximum.map { best in
      JSONValue.object([
        ("kg", .number(best.kilograms)), ("day", .string(best.day.description)),
        ("log", .string(best.log.description)),
      ])
    }
    return [
      json(
        "record",
        [
          ("exercise", .string(record.key.id.description)), ("name", .string(record.key.name)),
          ("weight", .string(record.heaviest.weight.text)),
          ("reps", .whole(record.heaviest.reps)),
          ("day", .string(record.heaviest.day.description)),
          ("log", .string(record.heaviest.log.description)),
          ("estimatedMaximum", maximum ?? .null), ("text", .string(record.text)),
          ("spoken", .string(record.spoken)),
        ])
    ]
  }
}
