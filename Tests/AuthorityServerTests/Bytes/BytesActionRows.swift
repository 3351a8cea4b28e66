import WatchTransfer

extension BytesActionRow {
  /// Ids that actions of the story name, by the field or by what holds it and the field.
  static let story: [String: BytesValue] = [
    "workout.id": .run(id(1)), "log_id": .run(id(4)), "match_id": .run(id(10)),
    "entry_id": .run(id(11)), "players.id": .run(id(14)), "off": .run(id(14)),
    "on": .run(id(15)), "exercise_id": .run(ExerciseLibrary.starter[0].id.bytes),
    "routine_id": .run(id(21)), "session_id": .run(id(30)), "set_id": .run(id(31)),
  ]

  private static func own(_ last: UInt8) -> [String: BytesValue] { ["id": .run(id(last))] }

  /// An hour after everything occurs.
  private static let soon: [String: BytesValue] = ["at_ms": .zigzag(bodyMoment + 3_600_000)]

  private static let planOptional: Set<String> = [
    "entries.list.groups.weight", "entries.list.groups.rest_seconds",
  ]

  /// The story in which every good body stands; what follows may rest on what came before.
  static let making: [BytesActionRow] = consistency + match + strength

  private static let consistency: [BytesActionRow] = [
    BytesActionRow("define_workout", optional: ["exercises"], values: own(1)),
    BytesActionRow("edit_workout", optional: ["title", "exercises"], values: own(1)),
    BytesActionRow("schedule_workout", values: own(2).merging(soon) { $1 }),
    BytesActionRow(
      "edit_schedule", optional: ["workout", "at_ms", "weekdays", "time_of_day_ms"],
      without: ["weekdays", "time_of_day_ms"], values: own(2).merging(soon) { $1 }),
    BytesActionRow("schedule_weekly", values: own(40)),
    BytesActionRow(
      "edit_schedule", optional: ["workout", "at_ms", "weekdays", "time_of_day_ms"],
      without: ["at_ms"], values: own(40)),
    BytesActionRow("mark_workout", values: ["log_id": .run(id(3))]),
    BytesActionRow(
      "log_workout",
      optional: [
        "title", "zone_id", "active_ms", "energy_kcal", "distance_m", "average_heart_rate",
        "maximum_heart_rate", "source_name", "external_uuid",
      ], values: ["activity_type": .words("running"), "source_name": .words("A band")]),
    BytesActionRow(
      "edit_log",
      optional: [
        "title", "activity_type", "notes", "tags", "start", "end", "active", "active.ms",
        "energy_kcal", "energy_kcal.value", "distance_m", "distance_m.value",
        "average_heart_rate", "average_heart_rate.value", "maximum_heart_rate",
        "maximum_heart_rate.value",
      ], unbounded: ["start.at_ms", "end.at_ms"]),
    BytesActionRow("attach_photo", .decided),
    BytesActionRow("remove_photo", .decided),
    BytesActionRow(
      "log_weight", optional: ["zone_id"],
      values: own(41).merging(["weight.digits": .zigzag(825)]) { $1 }),
    BytesActionRow("set_theme"),
    BytesActionRow("set_palette"),
    BytesActionRow("set_goal", optional: ["value"], values: ["name": .words("steps")]),
    BytesActionRow(
      "set_preferences", optional: ["units", "first_weekday", "onboarding_step", "streak_policy"],
      // By week, the one policy that goes with a number.
      values: ["streak_policy": .plain(2)]),
    BytesActionRow("set_zone"),
    BytesActionRow("grant_freeze", values: own(42)),
    BytesActionRow("pause_streak", values: own(43)),
    BytesActionRow("resume_streak", optional: ["from_day"]),
    BytesActionRow(
      "set_keymap",
      // A mark, the one command with a title.
      values: ["bindings.command": .plain(9), "bindings.button": .plain(1)]),
    BytesActionRow("press", values: ["button": .plain(1)]),
  ]

  private static let match: [BytesActionRow] = [
    BytesActionRow("new_match", optional: ["half_length_ms", "extra_half_ms"], values: own(10)),
    BytesActionRow("name_team"),
    BytesActionRow("set_squad", optional: ["players.number", "players.starts"]),
    BytesActionRow("control_clock"),
    BytesActionRow("add_point", optional: ["insist"]),
    BytesActionRow("take_over_match", .decided),
    // Of two players the second does not exist.
    BytesActionRow("substitute", values: own(13), .decided),
    BytesActionRow("undo_substitution", values: own(13), .decided),
  ]

  private static let strength: [BytesActionRow] = [
    BytesActionRow("define_exercise", values: own(20)),
    BytesActionRow("edit_exercise", optional: ["name", "equipment"], values: own(20)),
    BytesActionRow("define_routine", optional: planOptional, values: own(21)),
    BytesActionRow(
      "edit_routine", optional: planOptional.union(["title", "entries"]), values: own(21)),
    BytesActionRow("start_session"),
    BytesActionRow("complete_set", optional: ["weight", "warm_up"]),
    BytesActionRow("edit_set", optional: ["reps", "weight"]),
    BytesActionRow("adjust_set", optional: ["reps", "weight"]),
    BytesActionRow("add_session_exercise", values: ["exercise_id": .run(id(20))]),
    BytesActionRow("select_exercise"),
    BytesActionRow("rest_session", optional: ["seconds"]),
    BytesActionRow("record_samples"),
    BytesActionRow("take_over_session", .decided),
    BytesActionRow("control_session"),
  ]

  /// What ends what the story has made.
  static let ending: [BytesActionRow] = [
    BytesActionRow("uncomplete_set", .decided),
    BytesActionRow("dismiss_summary", .decided),
    BytesActionRow("delete_routine", values: own(21)),
    BytesActionRow("delete_exercise", values: own(20)),
    BytesActionRow("undo_point", .decided),
    BytesActionRow("delete_weight", values: own(41)),
    BytesActionRow("unmark_workout"),
    BytesActionRow("delete_log"),
    BytesActionRow("unschedule_workout", values: own(2), .decided),
    BytesActionRow("delete_workout", values: own(1)),
  ]
}
