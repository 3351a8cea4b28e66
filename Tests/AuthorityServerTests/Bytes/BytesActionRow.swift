import WireFormat

/// An action of the protocol: a body that is right in a story, from which bodies are made up that
/// are wrong in one field each.
struct BytesActionRow: Sendable {
  /// What the good body comes to.
  enum Result: Sendable {
    case applied
    /// Whatever a rule says of it; it can be read.
    case decided
  }

  /// As the wire names it: `define_workout`.
  let action: String
  /// What may be absent, by its path within the action: `entries.list.groups.weight`.
  let optional: Set<String>
  /// What the good body goes without.
  let without: Set<String>
  /// Whose bounds depend on another field: what is at them may still make no sense.
  let unbounded: Set<String>
  /// Values of the story, by path.
  let values: [String: BytesValue]
  let result: Result

  init(
    _ action: String, optional: Set<String> = [], without: Set<String> = [],
    unbounded: Set<String> = [], values: [String: BytesValue] = [:], _ result: Result = .applied
  ) {
    self.action = action
    self.optional = optional
    self.without = without
    self.unbounded = unbounded
    self.values = values
    self.result = result
  }

  /// One thing that is otherwise than in the good body.
  struct Change: Sendable {
    enum Kind: Sendable {
      case value(BytesValue)
      case absent
      case twice
    }

    let path: [String]
    let kind: Kind
  }

  /// What an answer to a body must be.
  enum Verdict: Sendable {
    /// As the row says.
    case good
    /// Refused as invalid; one of these names stands in the refusal.
    case invalid([String])
    /// Anything but refused as invalid for one of these names.
    case notInvalid([String])
    /// An answer.
    case answered
  }

  /// A body, and what its answer must be.
  struct Trial: Sendable {
    let name: String
    let body: [UInt8]
    let verdict: Verdict
  }
}

// MARK: trials

extension BytesActionRow {
  /// The action's own fields; none when the protocol has no such action.
  var shape: WireField? { wireActions.first { $0.name == action } }

  var good: Trial {
    Trial(name: "\(action)", body: body(nil), verdict: .good)
  }

  /// A body for each way in which a field of the action can be wrong; none of them is applied.
  var wrong: [Trial] {
    places.flatMap { field, path -> [Trial] in
      let names = Self.names(at: path)
      var trials: [Trial] = []
      if !field.isRepeated {
        if !optional.contains(Self.within(path)) {
          trials.append(trial("absent", Change(path: path, kind: .absent), .invalid(names)))
        }
        trials.append(trial("twice", Change(path: path, kind: .twice), .invalid(["body"])))
      }
      guard let rule = BytesFieldRule(for: field, at: path) else { return trials }
      for (index, value) in rule.wrong.enumerated() {
        let change = Change(path: path, kind: .value(value))
        trials.append(trial("wrong \(index)", change, .invalid(names)))
      }
      for (index, value) in rule.unreadable.enumerated() {
        let change = Change(path: path, kind: .value(value))
        trials.append(trial("unreadable \(index)", change, .invalid(["body"])))
      }
      return trials
    }
  }

  /// A body for each bound of a field, and without each field that may be absent.
  var fine: [Trial] {
    places.flatMap { field, path -> [Trial] in
      let names = Self.names(at: path)
      var trials: [Trial] = []
      if optional.contains(Self.within(path)) {
        trials.append(trial("absent", Change(path: path, kind: .absent), .notInvalid(names)))
      } else if field.isRepeated {
        // A list may have to have something in it.
        trials.append(trial("absent", Change(path: path, kind: .absent), .answered))
      }
      if without.contains(Self.within(path)) || unbounded.contains(Self.within(path)) {
        return trials
      }
      let values = BytesFieldRule(for: field, at: path)?.fine ?? []
      return trials
        + values.enumerated().map { index, value in
          trial(
            "fine \(index)", Change(path: path, kind: .value(value)), .notInvalid(names))
        }
    }
  }

  /// Every field of the action and of what it holds, with its path; the action stands first in it.
  var places: [(field: WireField, path: [String])] {
    func below(_ field: WireField, _ path: [String]) -> [(field: WireField, path: [String])] {
      guard case .message(let fields) = field.content else { return [] }
      return fields.flatMap { [($0, path + [$0.name])] + below($0, path + [$0.name]) }
    }
    return shape.map { below($0, [action]) } ?? []
  }

  private func trial(_ what: String, _ change: Change, _ verdict: Verdict) -> Trial {
    Trial(
      name: "\(change.path.joined(separator: ".")) \(what)", body: body(change), verdict: verdict)
  }

  /// A field's path within its action.
  private static func within(_ path: [String]) -> String {
    path.dropFirst().joined(separator: ".")
  }

  /// What a refusal may call a field: its name, or that of what holds it.
  private static func names(at path: [String]) -> [String] {
    // Names of oneofs, which descriptors do not have, and those that rules use.
    let more = [
      "routine_id": ["plan"], "activity_type": ["plan"], "at_ms": ["moment"], "day": ["moment"],
      "rest_seconds": ["rest"], "groups": ["sets"], "exercise_id": ["exercise"],
    ]
    return path.dropFirst().flatMap { [$0] + (more[$0] ?? []) }
  }
}

// MARK: bytes

extension BytesActionRow {
  private func body(_ change: Change?) -> [UInt8] {
    guard let shape else { return [] }
    return AuthorityServerTests.body(shape.number, content(of: shape, at: [action], change))
  }

  private func content(of field: WireField, at path: [String], _ change: Change?) -> [UInt8] {
    guard case .message(let fields) = field.content else { return [] }
    var bytes: [UInt8] = []
    for field in members(of: fields, at: path, change) {
      let place = path + [field.name]
      let isTouched = change?.path.starts(with: place) ?? false
      if !isTouched, without.contains(Self.within(place)) { continue }
      let usual = { () -> [UInt8] in
        if case .message = field.content {
          return blob(field.number, content(of: field, at: place, change))
        }
        return value(of: field, at: place).written(as: field.number)
      }
      switch change?.path == place ? change?.kind : nil {
      case nil: bytes += usual()
      case .absent: break
      case .twice: bytes += usual() + usual()
      case .value(let value): bytes += value.written(as: field.number)
      }
    }
    return bytes
  }

  /// Without those members of oneofs that stand back: the first goes before, and what is changed
  /// before that.
  private func members(
    of fields: [WireField], at path: [String], _ change: Change?
  ) -> [WireField] {
    var chosen: [UInt32: WireField] = [:]
    for field in fields {
      guard let oneof = field.oneof else { continue }
      let isTouched = change?.path.starts(with: path + [field.name]) ?? false
      if chosen[oneof] == nil || isTouched { chosen[oneof] = field }
    }
    return fields.filter { field in field.oneof.map { chosen[$0] == field } ?? true }
  }

  private func value(of field: WireField, at path: [String]) -> BytesValue {
    let rule = BytesFieldRule(for: field, at: path)
    return values[Self.within(path)] ?? Self.story[path.suffix(2).joined(separator: ".")]
      ?? Self.story[field.name] ?? rule?.good ?? .run([])
  }
}
