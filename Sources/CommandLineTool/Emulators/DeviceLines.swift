public import WatchTransfer

/// What an emulated watch prints: one line of JSON for each thing, or lines for a person.
public struct DeviceLines: Sendable {
  let isJSON: Bool

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

  /// An action has come so far; its final word has a line of its own.
  public func stage(_ number: IncarnationNumber, word: String, revision: Revision?) -> [String] {
    if isJSON {
      return [
        json(
          "stage",
          [
            ("number", .whole(number.number)), ("stage", .string(word)),
            ("revision", .optional(revision)),
            ("incarnation", .string(number.incarnation.description)),
          ])
      ]
    }
    let place = revision.map { " at revision \($0)" } ?? ""
    return [printable("action \(number.number): \(word)\(place)")]
  }

  /// An action of the outbox: what it asks for, and how far it has come.
  public func kept(
    _ number: IncarnationNumber, action: Action?, stage: String, reason: String?
  ) -> [String] {
    let kind = action?.kindWord
    if isJSON {
      return [
        json(
          "kept",
          [
            ("number", .whole(number.number)), ("action", .optional(kind)),
            ("stage", .string(stage)), ("reason", .optional(reason)),
            ("incarnation", .string(number.incarnation.description)),
          ])
      ]
    }
    let detail = reason.map { " (\($0))" } ?? ""
    return [printable("action \(number.number): \(kind ?? "unreadable"), \(stage)\(detail)")]
  }

  /// The person has let go of an action whose outcome is unknown.
  public func forgotten(_ number: IncarnationNumber) -> [String] {
    stage(number, word: "forgotten", revision: nil)
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
      + indented(texts(facets, readings, at: now))
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
      + indented(texts(facets, readings, at: now))
  }

  private func texts(
    _ facets: [FacetKind: Facet], _ readings: [ReadingKind: Reading], at now: Instant
  ) -> [String] {
    SurfaceText.lines(of: facets, at: now) + SurfaceText.lines(of: readings, at: now)
  }

  func indented(_ lines: [String]) -> [String] {
    lines.map { "  \($0)" }
  }

  func json(_ type: String, _ members: [(String, JSONValue)]) -> String {
    JSONValue.object([("type", .string(type))] + members).json
  }
}
