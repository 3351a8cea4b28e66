public import WatchTransfer

/// A widget's timeline at one moment, ready to be drawn as JSON, for a terminal, or as SVG.
public struct WidgetDrawing: Sendable {
  public let timeline: WidgetTimeline
  public let revision: Revision
  /// What was asked for.
  public let appearance: Appearance
  /// The moment that is shown.
  public let at: Instant

  /// Draws `timeline` as of `at`.
  public init(timeline: WidgetTimeline, revision: Revision, appearance: Appearance, at: Instant) {
    self.timeline = timeline
    self.revision = revision
    self.appearance = appearance
    self.at = at
  }

  /// Index of the entry that is shown; nil when there is none.
  public var currentIndex: Int? { timeline.index(at: at) }

  /// What is drawn: one face for day or night, two for both; none without an entry.
  var faces: [WidgetFace] {
    guard let index = currentIndex else { return [] }
    let appearances: [Appearance] = appearance == .both ? [.day, .night] : [appearance]
    return appearances.map { look in
      WidgetFace(
        timeline.entries[index], family: timeline.family, domainMaximum: timeline.domainMaximum,
        palette: palette(for: look), at: at)
    }
  }

  /// The whole timeline; `current` is the index of the entry shown. An entry's `palette` is the one
  /// asked for, or with both that of the person's theme, and `palettes` has both. `progress` and
  /// `points` go from 0 to 1.
  public var json: JSONValue {
    .object([
      ("kind", .string(timeline.kind.word)), ("family", .string(timeline.family.word)),
      ("revision", .whole(revision)), ("reloadAfter", .instant(timeline.reloadAfter)),
      ("domainMax", .optional(timeline.domainMaximum)),
      ("entries", .array(timeline.entries.map(json))), ("current", .optional(currentIndex)),
    ])
  }

  private func json(of entry: WidgetTimeline.Entry) -> JSONValue {
    let chosen = appearance == .both ? entry.theme : appearance
    var members: [(String, JSONValue)] = [
      ("at", .instant(entry.from)), ("lines", .array(entry.lines.map { .string($0) })),
      ("spoken", .string(entry.spoken)), ("symbol", .string(entry.symbol)),
      ("number", .optional(entry.number)),
      ("progress", entry.progressPermille.map { .number(Double($0) / 1_000) } ?? .null),
      ("stale", .whole(entry.stale)), ("theme", .string(entry.theme.word)),
      ("palette", .palette(chosen == .night ? timeline.night : timeline.day)),
      ("timerSince", .instant(entry.timerSince)),
      ("timerElapsedMs", .optional(entry.timerElapsedMilliseconds)),
      ("points", .array(entry.points.map { .number(Double($0) / 1_000) })),
    ]
    if appearance == .both {
      let both: JSONValue = .object([
        ("day", .palette(timeline.day)), ("night", .palette(timeline.night)),
      ])
      members.append(("palettes", both))
    }
    return .object(members)
  }

  /// The palette of `look`; should the server have left it out, the other one, else plain.
  private func palette(for look: Appearance) -> Palette {
    let wanted = look == .night ? timeline.night : timeline.day
    return wanted ?? timeline.day ?? timeline.night
      ?? Palette(background: 0xFFFFFF, text: 0, secondary: 0, accent: 0)
  }
}
