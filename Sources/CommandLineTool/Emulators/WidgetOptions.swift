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
  /// What to fetch.
  public let view: WidgetView
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
    at = try arguments.instant("at") ?? .now
    format = try arguments.choice("format", of: Format.allCases) { $0.rawValue } ?? .ansi
    cache = arguments.value("cache")
    follows = arguments.flag("follow")
  }

  /// The program that takes them.
  public static let tool = Tool(
    name: "widget-emulator",
    command: CommandDescription(
      summary: "Emulates a widget: fetches its timeline and draws it as of any moment.",
      options: [
        .server, .pin, .authority, .serverName, .token, .code(keptIn: "the cache directory"),
        .codeFile,
        .value(
          "widget", "KIND", WidgetKind.allCases.map(\.word).joined(separator: ", ") + ".",
          isRequired: true),
        .value(
          "family", "FAMILY",
          WidgetFamily.allCases.map(\.word).joined(separator: ", ") + "; small unless given."),
        .value("appearance", "LOOK", "day, night or both; both unless given."),
        .value("at", "INSTANT", "The moment to show; now unless given."),
        .value("format", "FORMAT", "ansi, json or svg; ansi unless given."),
        .value(
          "cache", "DIR", "Keep the last snapshot here, and show it when nobody answers."),
        .flag(
          "follow", "Stay, and draw again when the server says so or the timeline is a day old."),
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
      ],
      endings: [
        .init(.ok, "drawn"),
        .init(.failed, "nobody answers and nothing is kept, or the request is refused"),
        .init(.usage, "the command line makes no sense"),
        .init(.interrupted(by: 2), "interrupted"),
      ]))
}
