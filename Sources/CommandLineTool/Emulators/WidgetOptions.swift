public import WatchTransfer

/// What the widget emulator is told on its command line.
public struct WidgetOptions: Sendable {
  /// What the drawing is printed as.
  public enum Format: String, CaseIterable, Sendable {
    case ansi
    case json
    case svg
  }

  /// As it was given.
  public let server: String
  /// Where it is, and whom to trust there.
  public let place: ServerPlace
  /// 32 bytes; nil: from the pairing that is kept.
  public let token: [UInt8]?
  /// To be redeemed; goes before a token.
  public let code: PairingCode?
  /// What to fetch, where it is a widget.
  public let view: WidgetView
  /// The face of a live activity; nil: it is a widget.
  public let activity: ActivityFace?
  /// The appearance that was asked for.
  public let look: Appearance?
  /// The moment that is shown.
  public let at: InstantArgument
  public let format: Format
  /// Directory in which the last snapshot of each view is kept.
  public let cache: String?
  /// Whether it stays, and draws again whenever something else is to be shown.
  public let follows: Bool

  /// Reads them.
  public init(_ arguments: ParsedArguments) throws(UsageError) {
    server = try arguments.required("server")
    place = try ServerPlace(arguments)
    token = try arguments.token()
    code = try arguments.code()
    let kind = try arguments.choice("widget", of: WidgetKind.allCases) { $0.word }
    let family = try arguments.choice("family", of: WidgetFamily.allCases) { $0.word }
    let appearance = try arguments.choice("appearance", of: Appearance.allCases) { $0.word }
    view = WidgetView(
      kind: kind ?? .streak, family: family ?? .small, appearance: appearance ?? .both)
    activity = try arguments.choice("activity", of: ActivityFace.allCases) { $0.rawValue }
    look = appearance
    if activity == nil {
      _ = try arguments.required("widget")
    } else if kind != nil || family != nil || arguments.value("at") != nil
      || arguments.flag("follow")
    {
      throw .contradiction(
        "--activity shows a session as it goes: leave out --widget, --family, --at and --follow")
    }
    at = try arguments.instant("at") ?? .now
    format = try arguments.choice("format", of: Format.allCases) { $0.rawValue } ?? .ansi
    cache = arguments.value("cache")
    follows = arguments.flag("follow")
  }

  /// The program that takes them.
  public static let tool = Tool(
    name: "widget-emulator",
    command: CommandDescription(
      summary:
        "Emulates a widget or a live activity: fetches its timeline and draws it as of any moment.",
      options: [
        .server, .pin, .authority, .serverName, .token, .code(keptIn: "the cache directory"),
        .codeFile,
        .value(
          "widget", "KIND", WidgetKind.allCases.map(\.word).joined(separator: ", ") + "."),
        .value(
          "activity", "FACE",
          "Instead of a widget the live activity of a session, with an activity's token: "
            + ActivityFace.allCases.map(\.rawValue).joined(separator: ", ")
            + ". It waits for a session, and ends with it."),
        .value(
          "family", "FAMILY",
          WidgetFamily.allCases.map(\.word).joined(separator: ", ") + "; small unless given."),
        .value(
          "appearance", "LOOK",
          "day, night or both; both unless given, of an activity the person's theme."),
        .value("at", "INSTANT", "The moment to show; now unless given."),
        .value("format", "FORMAT", "ansi, json or svg; ansi unless given."),
        .value(
          "cache", "DIR", "Keep the last snapshot here, and show it when nobody answers."),
        .flag(
          "follow",
          "Stay, draw what the timeline has next when its moment comes, and fetch again when the "
            + "server says so or the timeline is a day old."),
      ],
      sections: [
        .init("Notes", ["INSTANT: RFC 3339 with an offset, or \"now\"."])
      ],
      examples: [
        .init(
          "widget-emulator --server 127.0.0.1:7420 --widget streak --family medium",
          "Draws the streak by day and by night; the token is in WRISTWIRE_TOKEN."),
        .init(
          "widget-emulator --server unix:run.sock --widget match --family large \\\n"
            + "    --appearance night --at 2026-11-30T21:00:00+01:00 --format svg > match.svg",
          "Draws the match as it looks at nine in the evening."),
        .init(
          "widget-emulator --server 127.0.0.1:7420 --activity expanded",
          "Draws the session that runs, and what is measured in it, until it ends."),
      ],
      endings: [
        .init(.ok, "drawn; of an activity, its session has ended"),
        .init(.failed, "nobody answers and nothing is kept, or the request is refused"),
        .init(.usage, "the command line makes no sense"),
        .init(.interrupted(by: 2), "interrupted"),
      ]))
}
