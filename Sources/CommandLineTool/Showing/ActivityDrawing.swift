public import WatchTransfer

/// How much room a live activity has.
public enum ActivityFace: String, CaseIterable, Sendable {
  /// A line.
  case compact
  /// A timer.
  case minimal
  /// All there is.
  case expanded

  /// The widget family whose room it has.
  var family: WidgetFamily {
    switch self {
    case .compact: .inline
    case .minimal: .circular
    case .expanded: .large
    }
  }
}

/// A live activity at one moment: only what the facets and the reading `live` carry, in as much of
/// it as a face has room for.
public struct ActivityDrawing: Sendable {
  /// What it looks like but for its running timer; equal ones need not be drawn twice.
  public struct Content: Hashable, Sendable {
    public let session: SessionFacet
    /// nil: nothing is measured, or not any more.
    public let live: LiveReading?
    /// Whether a rest is on.
    let isResting: Bool
    /// 0 fresh; 1: what is measured is stale; 2: so is all of it.
    let stale: Int
    let appearance: Appearance
    let day: Palette?
    let night: Palette?
  }

  public let face: ActivityFace
  public let content: Content
  public let revision: Revision
  /// The moment that is shown.
  public let at: Instant
  private let isThemed: Bool
  private let flips: [ThemeFacet.Flip]

  /// Draws what a surface shows as of `at`; nil: no session runs. `isStale`: it is not confirmed.
  /// Without an appearance it has that of the person's theme.
  public init?(
    _ face: ActivityFace, facets: [FacetKind: Facet], live reading: LiveReading?, isStale: Bool,
    revision: Revision, appearance: Appearance?, at: Instant
  ) {
    guard case .session(let session?) = facets[.session] else { return nil }
    var theme: ThemeFacet?
    if case .theme(let shown) = facets[.theme] { theme = shown }
    let live = reading.flatMap { live in
      live.session == session.session && !live.isExpired(at: at) ? live : nil
    }
    self.face = face
    self.revision = revision
    self.at = at
    isThemed = appearance == nil
    flips = theme?.flips ?? []
    content = Content(
      session: session, live: live, isResting: session.rest.map { $0.overAt > at } ?? false,
      stale: isStale ? 2 : live?.isStale(at: at) == true ? 1 : 0,
      appearance: appearance ?? flips.current(at: at)?.to ?? .day, day: theme?.day,
      night: theme?.night)
  }

  /// When it looks otherwise though nothing arrives: a rest is over, what is measured grows stale
  /// and is gone, the theme flips; nil: never.
  public var nextMoment: Instant? {
    var moments = [content.live?.staleAt, content.live?.expiresAt, content.session.rest?.overAt]
      .compactMap(\.self)
    if isThemed { moments += flips.map(\.from) }
    return moments.filter { $0 > at }.min()
  }

  /// For a terminal with true colours.
  public var ansi: String { drawing.ansi }

  /// The same without colours.
  public var plain: String { drawing.plain }

  /// A picture.
  public var svg: String { drawing.svg }

  /// What is shown, with the anchors of its timers.
  public var json: JSONValue {
    let entry = entry
    let live = content.live.map { ReadingJSON.value(of: .live($0)) }
    return .object([
      ("type", .string("activity")), ("face", .string(face.rawValue)),
      ("session", .string(content.session.session.description)), ("revision", .whole(revision)),
      ("phase", .string(content.session.phase.word)),
      ("lines", .array(entry.lines.map { .string($0) })), ("spoken", .string(entry.spoken)),
      ("symbol", .string(entry.symbol)), ("stale", .whole(content.stale)),
      ("timerSince", .instant(entry.timerSince)),
      ("timerElapsedMs", .optional(entry.timerElapsedMilliseconds)),
      ("restOverAt", .instant(content.isResting ? content.session.rest?.overAt : nil)),
      ("live", live ?? .null), ("theme", .string(content.appearance.word)),
    ])
  }

  private var drawing: WidgetDrawing {
    let timeline = WidgetTimeline(
      kind: .session, family: face.family, reloadAfter: at, day: content.day,
      night: content.night, entries: [entry])
    return WidgetDrawing(
      timeline: timeline, revision: revision, appearance: content.appearance, at: at)
  }

  private var entry: WidgetTimeline.Entry {
    let session = content.session
    let spoken = [session.title, session.phase.word, session.spoken, content.live?.spoken ?? ""]
    var entry = WidgetTimeline.Entry(
      from: at, lines: lines, spoken: spoken.filter { !$0.isEmpty }.joined(separator: ", "),
      symbol: session.phase == .running ? "session.running" : "session", stale: content.stale,
      theme: content.appearance)
    entry.timerSince = session.runningSince
    entry.timerElapsedMilliseconds = session.activeMilliseconds
    return entry
  }

  private var lines: [String] {
    let session = content.session
    let live = content.live?.text
    switch face {
    case .minimal: return []
    case .compact:
      if session.phase != .running { return [session.phase.word] }
      return [live ?? (session.progress.isEmpty ? session.title : session.progress)]
    case .expanded:
      var lines = [session.title]
      if session.phase != .running { lines.append(session.phase.word) }
      if !session.progress.isEmpty { lines.append(session.progress) }
      if content.isResting, let rest = session.rest {
        lines.append("rest \(timerText(milliseconds: rest.overAt.milliseconds(since: at))) left")
      }
      return lines + [live].compactMap(\.self)
    }
  }
}
