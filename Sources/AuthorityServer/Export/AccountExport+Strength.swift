internal import Authority
internal import WatchTransfer

/// Exercises, sessions and matches.
extension AccountExport {
  /// The account's own exercises; the starter set is everybody's.
  var exercises: ExportValue {
    .list(
      state.exercises.all.filter { !$0.isStub }.map { exercise in
        ExportValue.object([
          ("id", .text(exercise.id.description)), ("name", .text(exercise.name.value)),
          ("equipment", .text(exercise.equipment.value.word)),
        ])
      })
  }

  /// Routines with what is planned in them.
  var routines: ExportValue {
    .list(
      state.routines.all.filter { !$0.isStub }.map { routine in
        ExportValue.object([
          ("id", .text(routine.id.description)), ("title", .text(routine.title.value)),
          ("exercises", .list(routine.entries.value.map(planned))),
        ])
      })
  }

  private func planned(_ planned: PlannedExercise) -> ExportValue {
    ExportValue.object([
      ("exercise", .text(planned.exercise.id.description)),
      ("name", .text(planned.exercise.name)),
      (
        "sets",
        .list(
          planned.sets.map { set in
            ExportValue.object([
              ("reps", .whole(Int64(set.reps))), ("weight", .optional(set.weight?.figure)),
              ("unit", .optional(set.weight?.unit.word)),
              ("restSeconds", .optional(set.restSeconds.map { Int64($0) })),
            ])
          })
      ),
    ])
  }

  /// Sessions with their moves, sets and samples.
  var sessions: ExportValue {
    .list(
      state.sessions.all.map { session in
        ExportValue.object([
          ("id", .text(session.id.description)), ("title", .optional(session.start?.title)),
          ("activityType", .optional(session.start?.activityType)),
          ("exercises", .list(session.exercises.map(planned))),
          (
            "moves",
            .list(
              session.entries.map {
                ExportValue.object([
                  ("move", .text("\($0.move)")), ("at", .text($0.stamp.at.rfc3339)),
                  ("device", .text($0.stamp.device.description)),
                ])
              })
          ),
          ("sets", .list(session.sets.map { self.set($0, of: session) })),
          ("heartRate", samples(session.blocks.flatMap(\.block.heartRate))),
          ("energy", samples(session.blocks.flatMap(\.block.energy))),
          ("averageHeartRate", .optional(session.figures.averageHeartRate)),
          ("maximumHeartRate", .optional(session.figures.maximumHeartRate)),
          ("energyKcal", .optional(session.figures.energy)),
        ])
      })
  }

  private func set(_ set: SessionSet, of session: WorkoutSession) -> ExportValue {
    ExportValue.object([
      ("id", .text(set.id.description)), ("exercise", .optional(exercise(of: set, in: session))),
      ("done", .flag(set.counts)), ("doneAt", .optional(set.completion?.at.rfc3339)),
      ("reps", .whole(Int64(set.reps.value))), ("weight", .optional(set.weight.value?.figure)),
      ("unit", .optional(set.weight.value?.unit.word)), ("warmUp", .flag(set.isWarmUp)),
    ])
  }

  private func exercise(of set: SessionSet, in session: WorkoutSession) -> String? {
    let all = session.exercises
    return all.indices.contains(set.position) ? all[set.position].exercise.name : nil
  }

  private func samples(_ points: [SamplePoint]) -> ExportValue {
    .list(
      points.map {
        ExportValue.object([("at", .text($0.at.rfc3339)), ("value", .number($0.value))])
      })
  }

  /// Matches with their points, clock and line-ups.
  var matches: ExportValue {
    .list(
      state.matches.all.map { match in
        ExportValue.object([
          ("id", .text(match.id.description)), ("made", .text(match.madeAt.rfc3339)),
          ("home", .text(match.home.value)), ("away", .text(match.away.value)),
          ("halfLengthMs", .whole(match.halves.regular)),
          ("extraHalfMs", .optional(match.halves.extra)),
          (
            "points",
            .list(
              match.entries.map {
                ExportValue.object([
                  ("id", .text($0.id.description)), ("team", .text($0.team.word)),
                  ("at", .text($0.at.rfc3339)), ("by", .text($0.deviceName)),
                  ("undone", .flag($0.isUndone)),
                ])
              })
          ),
          (
            "clock",
            .list(
              match.controls.map {
                ExportValue.object([
                  ("control", .text($0.control.word)), ("at", .text($0.stamp.at.rfc3339)),
                ])
              })
          ),
          ("homeSquad", squad(match.lineUp.home.value)),
          ("awaySquad", squad(match.lineUp.away.value)),
          (
            "substitutions",
            .list(
              match.lineUp.substitutions.map {
                ExportValue.object([
                  ("id", .text($0.id.description)), ("team", .text($0.team.word)),
                  ("off", .text($0.off.description)),
                  ("on", .text($0.on.description)), ("at", .text($0.at.rfc3339)),
                  ("undone", .flag($0.isUndone)),
                ])
              })
          ),
        ])
      })
  }

  private func squad(_ players: [SquadPlayer]) -> ExportValue {
    .list(
      players.map {
        ExportValue.object([
          ("id", .text($0.id.description)), ("name", .text($0.name)),
          ("number", .optional($0.number.map { Int64($0) })), ("starts", .flag($0.starts)),
        ])
      })
  }

  /// What buttons do.
  var keymap: ExportValue {
    .list(
      state.keymap.value.map {
        ExportValue.object([
          ("button", .whole(Int64($0.button))), ("gesture", .text($0.gesture.word)),
          ("command", .text($0.command.exportWord)),
        ])
      })
  }

  /// `logs.csv`.
  var logTable: String {
    var table = ExportTable([
      "id", "day", "title", "activityType", "start", "end", "zone", "activeMs", "energyKcal",
      "distanceM", "averageHeartRate", "maximumHeartRate", "source", "notes", "tags", "photo",
    ])
    for log in state.logs.days.flatMap(\.logs) {
      table.add([
        log.id.description, log.day.description, log.title, log.activityType, log.start.rfc3339,
        log.end.rfc3339, log.zoneID, log.activeMilliseconds.map { "\($0)" },
        log.energyKilocalories.map { "\($0)" }, log.distanceMeters.map { "\($0)" },
        log.averageHeartRate.map { "\($0)" }, log.maximumHeartRate.map { "\($0)" },
        log.sourceName, log.notes, log.tags.joined(separator: ";"),
        state.shownPhoto(of: log.id)?.hash.description,
      ])
    }
    return table.text
  }

  /// `sets.csv`.
  var setTable: String {
    var table = ExportTable([
      "session", "set", "exercise", "doneAt", "reps", "weight", "unit", "warmUp",
    ])
    for session in state.sessions.all {
      for set in session.sets where set.counts {
        table.add([
          session.id.description, set.id.description, exercise(of: set, in: session),
          set.completion?.at.rfc3339, "\(set.reps.value)", set.weight.value?.figure,
          set.weight.value?.unit.word, set.isWarmUp ? "true" : "false",
        ])
      }
    }
    return table.text
  }

  /// `weights.csv`.
  var weightTable: String {
    var table = ExportTable(["id", "day", "at", "weight", "unit"])
    for entry in state.weights.all.map(\.entry) {
      table.add([
        entry.id.description, entry.day.description, entry.at?.rfc3339, entry.weight.figure,
        entry.weight.unit.word,
      ])
    }
    return table.text
  }
}

extension KeyCommand {
  /// As an export names it.
  fileprivate var exportWord: String {
    switch self {
    case .point(let team): "point-\(team.word)"
    case .undoPoint: "undo-point"
    case .clock(let control): "clock-\(control.word)"
    case .markWorkout(let title): "mark:\(title)"
    }
  }
}
