public import WatchTransfer

/// What an emulated watch prints: one line of JSON for each thing, or lines for a person.
public struct WatchLines: Sendable {
  private let isJSON: Bool

  /// Lines of JSON, or for a person.
  public init(isJSON: Bool) {
    self.isJSON = isJSON
  }

  /// An action has its final word.
  public func receipt(_ receipt: Receipt) -> [String] {
    var reason: RefusalReason?
    var revision: Revision?
    switch receipt.outcome {
    case .applied(let at): revision = at
    case .refused(let why): reason = why
    case .expired: break
    }
    if isJSON {
      return [
        json(
          "receipt",
          [
            ("number", .whole(receipt.number)), ("outcome", .string(receipt.outcome.word)),
            ("reason", .optional(reason?.word)), ("field", .optional(reason?.detail)),
            ("revision", .optional(revision)),
            ("incarnation", .string(receipt.incarnation.description)),
          ])
      ]
    }
    let detail = reason.map { " (\($0.word)\($0.detail.map { ": \($0)" } ?? ""))" } ?? ""
    let place = revision.map { " at revision \($0)" } ?? ""
    return [printable("action \(receipt.number): \(receipt.outcome.word)\(detail)\(place)")]
  }

  /// One workout of the history.
  public func history(_ entry: HistoryEntry) -> [String] {
    guard isJSON else { return [printable("\(entry.title): \(entry.text)")] }
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
          ("source", .optional(entry.sourceName)), ("planned", .bool(entry.wasPlanned)),
          ("text", .string(entry.text)), ("spoken", .string(entry.spoken)),
        ])
    ]
  }

  /// An action is in the outbox, on disk.
  public func queued(_ number: IncarnationNumber) -> [String] {
    isJSON
      ? [
        json(
          "queued",
          [
            ("number", .whole(number.number)),
            ("incarnation", .string(number.incarnation.description)),
          ])
      ] : ["action \(number.number): queued"]
  }

  /// An action's outcome is unknown; a person decides.
  public func quarantined(_ number: IncarnationNumber, reason: String) -> [String] {
    isJSON
      ? [
        json(
          "quarantined",
          [
            ("number", .whole(number.number)), ("reason", .string(reason)),
            ("incarnation", .string(number.incarnation.description)),
          ])
      ] : [printable("action \(number.number): set aside, outcome unknown (\(reason))")]
  }

  /// Actions have new numbers, in a new incarnation.
  public func moved(from old: IncarnationID, to new: IncarnationID, count: Int) -> [String] {
    isJSON
      ? [
        json(
          "moved",
          [
            ("from", .string(old.description)), ("to", .string(new.description)),
            ("count", .whole(count)),
          ])
      ] : ["the outbox went back in time: \(count) actions are numbered anew"]
  }

  /// Facets and readings that changed; facets as of `now`.
  public func update(
    from: Revision, to: Revision, facets: [FacetKind: Facet], readings: [ReadingKind: Reading],
    at now: Instant
  ) -> [String] {
    if isJSON {
      var members: [(String, JSONValue)] = [
        ("from", .whole(from)), ("to", .whole(to)),
        ("facets", FacetJSON.object(of: facets, at: now)),
      ]
      if !readings.isEmpty { members.append(("readings", ReadingJSON.object(of: readings))) }
      return [json("update", members)]
    }
    return ["update to revision \(to)"]
      + indented(SurfaceText.lines(of: facets, at: now) + live(readings, at: now))
  }

  /// The whole state, as of `now`.
  public func state(
    revision: Revision, isStale: Bool, facets: [FacetKind: Facet],
    readings: [ReadingKind: Reading], at now: Instant
  ) -> [String] {
    if isJSON {
      return [
        json(
          "state",
          [
            ("revision", .whole(revision)), ("stale", .bool(isStale)),
            ("facets", FacetJSON.object(of: facets, at: now)),
            ("readings", ReadingJSON.object(of: readings)),
          ])
      ]
    }
    let mark = isStale ? ", stale" : ""
    return ["state at revision \(revision)\(mark)"]
      + indented(SurfaceText.lines(of: facets, at: now) + live(readings, at: now))
  }

  private func live(_ readings: [ReadingKind: Reading], at now: Instant) -> [String] {
    guard case .live(let live) = readings[.live] else { return [] }
    return [SurfaceText.line(of: live, at: now)]
  }

  private func indented(_ lines: [String]) -> [String] {
    lines.map { "  \($0)" }
  }

  private func json(_ type: String, _ members: [(String, JSONValue)]) -> String {
    JSONValue.object([("type", .string(type))] + members).json
  }
}
