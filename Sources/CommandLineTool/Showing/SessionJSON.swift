internal import WatchTransfer

extension FacetJSON {
  /// Routines with their planned sets.
  static func value(of facet: RoutinesFacet) -> JSONValue {
    let routines: [JSONValue] = facet.routines.map { routine in
      .object([
        ("id", .string(routine.id.description)), ("title", .string(routine.title)),
        ("text", .string(routine.text)), ("entries", .array(routine.entries.map(value))),
      ])
    }
    return .object([("routines", .array(routines)), ("omitted", .whole(facet.omitted))])
  }

  /// `activeMs` belongs to the anchor: a reader adds the time since `runningSince`, if any.
  static func value(of session: SessionFacet?) -> JSONValue {
    .object([
      ("session", .optional(session?.session.description)),
      ("title", .optional(session?.title)), ("activityType", .optional(session?.activityType)),
      ("phase", .optional(session?.phase.word)), ("startedAt", .instant(session?.startedAt)),
      ("activeMs", .optional(session?.activeMilliseconds)),
      ("runningSince", .instant(session?.runningSince)),
      ("recorder", .optional(session?.recorder?.description)),
      ("position", .optional(session?.position)),
      ("exercises", .array((session?.exercises ?? []).map(value))),
      ("reps", .optional(session?.reps)), ("weight", .optional(session?.weight?.text)),
      ("sets", .array((session?.sets ?? []).map(value))),
      ("lastTime", .array((session?.lastTime ?? []).map(value))),
      ("lastTimeAt", .instant(session?.lastTimeAt)),
      ("restSince", .instant(session?.rest?.since)),
      ("restOverAt", .instant(session?.rest?.overAt)),
      ("progress", .optional(session?.progress)), ("spoken", .optional(session?.spoken)),
    ])
  }

  /// The summary; without one all members are null or empty.
  static func value(of summary: LastSessionFacet?) -> JSONValue {
    let exercises: [JSONValue] = (summary?.exercises ?? []).map { exercise in
      .object([
        ("name", .string(exercise.name)), ("targetSets", .whole(exercise.targetSets)),
        ("doneSets", .whole(exercise.doneSets)), ("text", .string(exercise.text)),
      ])
    }
    return .object([
      ("session", .optional(summary?.session.description)),
      ("title", .optional(summary?.title)), ("activityType", .optional(summary?.activityType)),
      ("startedAt", .instant(summary?.startedAt)), ("endedAt", .instant(summary?.endedAt)),
      ("activeMs", .optional(summary?.activeMilliseconds)),
      ("spanMs", .optional(summary?.spanMilliseconds)),
      ("pausedMs", .optional(summary?.pausedMilliseconds)),
      ("energyKcal", number(summary?.energyKilocalories)),
      ("averageHeartRate", number(summary?.averageHeartRate)),
      ("maximumHeartRate", number(summary?.maximumHeartRate)),
      ("setCount", .optional(summary?.setCount)),
      ("volumeKg", number(summary?.volumeKilograms)), ("exercises", .array(exercises)),
      ("records", .array((summary?.records ?? []).map { .string($0) })),
      ("text", .optional(summary?.text)), ("spoken", .optional(summary?.spoken)),
    ])
  }

  private static func value(of entry: RoutinesFacet.Entry) -> JSONValue {
    let groups: [JSONValue] = entry.groups.map { group in
      .object([
        ("count", .whole(group.count)), ("reps", .whole(group.set.reps)),
        ("weight", .optional(group.set.weight?.text)),
        ("restSeconds", .optional(group.set.restSeconds)),
      ])
    }
    return .object([
      ("exercise", .string(entry.exercise.description)), ("name", .string(entry.name)),
      ("equipment", .string(entry.equipment.word)), ("sets", .array(groups)),
    ])
  }

  private static func value(of exercise: SessionFacet.Exercise) -> JSONValue {
    .object([
      ("name", .string(exercise.name)), ("equipment", .string(exercise.equipment.word)),
      ("targetSets", .whole(exercise.targetSets)), ("doneSets", .whole(exercise.doneSets)),
    ])
  }

  private static func value(of set: SessionFacet.Set) -> JSONValue {
    .object([
      ("id", .string(set.id.description)), ("reps", .whole(set.reps)),
      ("weight", .optional(set.weight?.text)), ("warmUp", .bool(set.isWarmUp)),
      ("text", .string(set.text)),
    ])
  }

  private static func number(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }
}
