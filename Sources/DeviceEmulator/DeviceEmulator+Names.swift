internal import CommandLineTool
internal import WatchClient
internal import WatchTransfer

/// Things by the names that a person has for them: what this device has asked for itself, else what
/// the authority finds.
extension DeviceEmulator {
  /// A workout by its id, or by a title that it was given here.
  func knownWorkout(_ text: String) async -> WorkoutID? {
    if let id = WorkoutID(hex: text) { return id }
    return await asked().workout(titled: text)
  }

  /// A workout by its id or title.
  func workout(_ text: String) async throws -> WorkoutID {
    if let id = await knownWorkout(text) { return id }
    let found = try await workouts(titled: text)
    guard let id = found.first else {
      throw ToolFailure(
        "no workout \"\(printable(text))\" is known here; \"workouts\" lists them")
    }
    if found.count > 1 {
      throw ToolFailure(
        "\(found.count) workouts are called \"\(printable(text))\"; give an id: "
          + found.map(\.description).joined(separator: ", "))
    }
    return id
  }

  /// What the authority knows of exercises that this device has no id for.
  func library(of names: [String], beyond scene: StrengthScene) async throws -> [ExerciseKey] {
    var found: [ExerciseKey] = []
    for name in names where scene.exercise(named: name) == nil {
      if let key = try await exerciseInLibrary(named: name) { found.append(key) }
    }
    return found
  }

  /// One that has exactly this name: searched for by the authority, compared here.
  func exerciseInLibrary(named name: String) async throws -> ExerciseKey? {
    guard mayAsk, isTypedName(name, bytesMax: QueryLimits.searchBytesMax) else { return nil }
    var after: ExerciseKey?
    repeat {
      let page = try await asking(of: name) {
        try await client.exercises(named: name, after: after)
      }
      if let entry = page.entries.first(where: { isSame($0.key.name, name) }) { return entry.key }
      after = page.next
    } while after != nil
    return nil
  }

  private func workouts(titled title: String) async throws -> [WorkoutID] {
    guard mayAsk, isTypedName(title, bytesMax: QueryLimits.searchBytesMax) else { return [] }
    var found: [WorkoutID] = []
    var after: WorkoutKey?
    repeat {
      let page = try await asking(of: title) {
        try await client.workouts(named: title, after: after)
      }
      found += page.entries.filter { isSame($0.key.name, title) }.map(\.key.id)
      after = page.next
    } while after != nil
    return found
  }

  private func asking<Answer>(
    of name: String, _ ask: () async throws -> Answer
  ) async throws -> Answer {
    do {
      return try await ask()
    } catch let error as QueryError {
      throw ToolFailure(
        "\"\(printable(name))\" is not known here, and the authority was not reached: \(error)")
    }
  }

  private var mayAsk: Bool { !options.isOffline && !hasGivenUp }

  private func isSame(_ left: String, _ right: String) -> Bool {
    Array(left.utf8) == Array(right.utf8)
  }
}
