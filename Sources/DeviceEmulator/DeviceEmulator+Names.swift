internal import AuthorityLink
internal import CommandLineTool
internal import WatchClient
internal import WatchTransfer

/// Things by the names that a person has for them: as the authority finds them, and without it as
/// this device has asked for them itself.
extension DeviceEmulator {
  /// Whether the authority can be asked now: it has answered all that this device has asked for.
  var mayAsk: Bool {
    get async {
      if options.isOffline || hasGivenUp || !awaited.isEmpty { return false }
      return await !client.state.isStale
    }
  }

  /// A workout by its id or title.
  func workout(_ text: String) async throws -> WorkoutID {
    if let id = WorkoutID(hex: text) { return id }
    if let keys = try await asking({ try await workouts(titled: text) }) {
      guard let key = try only(keys, named: text, "workouts") else {
        throw ToolFailure("no workout \"\(printable(text))\" is there; \"workouts\" lists them")
      }
      return key.id
    }
    guard let id = await asked().workout(titled: text) else {
      throw ToolFailure(
        "no workout \"\(printable(text))\" is known here, and the authority was not reached")
    }
    return id
  }

  /// What the authority knows of exercises of these names; nothing where it cannot be asked.
  func library(of names: [String]) async throws -> [ExerciseKey] {
    var found: [ExerciseKey] = []
    for name in names {
      let keys = try await asking { try await exercises(named: name) } ?? []
      if let key = try only(keys, named: name, "exercises") { found.append(key) }
    }
    return found
  }

  /// The exercise that has exactly this name, if there is one.
  func exercise(_ name: String) async throws -> ExerciseID? {
    if let id = ExerciseID(hex: name) { return id }
    return try only(try await exercises(named: name), named: name, "exercises")?.id
  }

  private func only<Tag>(
    _ keys: [NamedKey<Tag>], named name: String, _ things: String
  ) throws -> NamedKey<Tag>? {
    if keys.count > 1 {
      throw ToolFailure(
        "\(keys.count) \(things) are called \"\(printable(name))\"; give an id: "
          + keys.map(\.id.description).joined(separator: ", "))
    }
    return keys.first
  }

  /// Exercises that have exactly this name: searched for by the authority, compared here.
  private func exercises(named name: String) async throws -> [ExerciseKey] {
    guard isTypedName(name, bytesMax: QueryLimits.searchBytesMax) else { return [] }
    var found: [ExerciseKey] = []
    try await everyPage(
      { try await client.exercises(named: name, after: $0) },
      take: { if isSame($0.key.name, name) { found.append($0.key) } })
    return found
  }

  private func workouts(titled title: String) async throws -> [WorkoutKey] {
    guard isTypedName(title, bytesMax: QueryLimits.searchBytesMax) else { return [] }
    var found: [WorkoutKey] = []
    try await everyPage(
      { try await client.workouts(named: title, after: $0) },
      take: { if isSame($0.key.name, title) { found.append($0.key) } })
    return found
  }

  /// What the authority says; nil where it cannot be asked, or is too old for the question.
  private func asking<Answer>(_ ask: () async throws -> Answer) async throws -> Answer? {
    guard await mayAsk else { return nil }
    do {
      return try await ask()
    } catch QueryError.notConnected, QueryError.refused(.unsupported) {
      return nil
    } catch let error as QueryError {
      throw ToolFailure("no answer: \(error)")
    }
  }

  private func isSame(_ left: String, _ right: String) -> Bool {
    Array(left.utf8) == Array(right.utf8)
  }
}
