internal import AuthorityServer
internal import CommandLineTool
internal import WatchTransfer

/// `wristwire replay`
enum ReplayCommand {
  static let description = CommandDescription(
    ["replay"],
    summary: "Runs a flight record again: the same frames and clock must give the same bytes.",
    positionals: [.init("FILE", "a part of a record of wristwire serve --record")],
    options: [
      .flag("show", "Print what came in and went out, a line each."),
      .value("from", "N", "Print from event N on; all before it run all the same. Default: 1."),
      .value(
        "redact", "OUT",
        "Write the record into the new file OUT (mode 0600) without secrets and without what people "
          + "wrote, so that it can be handed on; it replays like FILE."),
      .flag("json", "Print one JSON object."),
    ],
    examples: [
      .init("wristwire replay d.record", "says whether it comes out the same"),
      .init("wristwire replay d.record --show --from 100", "prints from event 100 on"),
      .init("wristwire replay d.record --redact bug.record", "makes a record for a bug report"),
    ],
    endings: [
      .init(.ok, "the same came out; with --redact, OUT was written"),
      .init(
        .failed,
        "something else came out, or the record is damaged or cannot be redacted (nothing is "
          + "written then)"),
      .init(.usage, "the command line makes no sense"),
    ])

  static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
    if let path = arguments.value("redact") {
      if arguments.flag("show") || arguments.value("from") != nil {
        throw UsageError.contradiction("--redact prints no events: leave out --show and --from")
      }
      return try redact(arguments, into: path)
    }
    let replay = try ServerReplay(path: arguments.positionals[0])
    let first = try arguments.integer("from", in: 1...Int(Int32.max))
    let isJSON = arguments.flag("json")
    let show: ((String) -> Void)? =
      arguments.flag("show")
      ? { line in if isJSON { printError(line) } else { printLine(line) } } : nil
    return try tell(of: replay, arguments, show: show, from: first ?? 1)
  }

  private static func redact(
    _ arguments: ParsedArguments, into path: String
  ) throws -> ExitStatus {
    let redacted = try ServerReplay(path: arguments.positionals[0]).redacted()
    try redacted.write(to: path)
    let report = redacted.report
    if arguments.flag("json") {
      let members: [(String, JSONValue)] = [
        ("redacted", .string(path)), ("events", .whole(report.events)),
        ("words", .whole(report.words)), ("tokens", .whole(report.tokens)),
        ("framesOfOtherLength", .whole(report.framesOfOtherLength)),
        ("parting", report.parting.map { .whole($0) } ?? .null),
      ]
      printLine(JSONValue.object(members).json)
      return .ok
    }
    printLine(
      "\(path): \(report.events) events, \(report.words) words and \(report.tokens) tokens replaced"
    )
    if report.framesOfOtherLength > 0 {
      printLine("\(report.framesOfOtherLength) frames have another length than before")
    }
    printLine(
      report.parting.map {
        "like the original, it comes out differently at event \($0), where it ends"
      } ?? "the same comes out of it")
    return .ok
  }

  private static func tell(
    of replay: ServerReplay, _ arguments: ParsedArguments, show: ((String) -> Void)?,
    from first: Int
  ) throws -> ExitStatus {
    var report = try replay.run(from: first, show: show)
    let here = "wristwire \(toolVersion)"
    if replay.program != here {
      report.remarks.insert("recorded by \(replay.program), replayed by \(here)", at: 0)
    }
    if arguments.flag("json") {
      printLine(json(of: report).json)
    } else {
      for line in lines(of: report) { printLine(line) }
    }
    return report.difference == nil ? .ok : .failed
  }

  private static func lines(of report: ServerReplay.Report) -> [String] {
    var lines = report.remarks
    let span = [report.from, report.to].compactMap { $0?.rfc3339 }.joined(separator: " to ")
    lines.append(
      "\(report.events) events of \(report.queues) queues\(span.isEmpty ? "" : ", \(span)")")
    lines.append(
      "\(report.framesIn) frames in, \(report.framesOut) frames of \(report.bytesOut) bytes out, "
        + "\(report.rows) rows decided")
    if let offset = report.cutOffAt {
      lines.append("the record was cut off at byte \(offset): what followed is not known")
    }
    guard let difference = report.difference else { return lines + ["the same came out"] }
    let connection = difference.connection.map { ", connection \($0)" } ?? ""
    return lines + [
      "event \(difference.event) of \(difference.queue)\(connection) came out differently",
      "  recorded: \(difference.expected)",
      "  replayed: \(difference.got)",
    ]
  }

  private static func json(of report: ServerReplay.Report) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("same", .bool(report.difference == nil)), ("events", .whole(report.events)),
      ("queues", .whole(report.queues)), ("framesIn", .whole(report.framesIn)),
      ("framesOut", .whole(report.framesOut)), ("bytesOut", .whole(report.bytesOut)),
      ("rows", .whole(report.rows)),
      ("from", report.from.map { .string($0.rfc3339) } ?? .null),
      ("to", report.to.map { .string($0.rfc3339) } ?? .null),
      ("cutOffAt", report.cutOffAt.map { .whole($0) } ?? .null),
      ("ended", .bool(report.isEnded)),
      ("remarks", .array(report.remarks.map { .string($0) })),
    ]
    if let difference = report.difference {
      members.append(
        (
          "difference",
          .object([
            ("event", .whole(difference.event)), ("queue", .string(difference.queue)),
            ("connection", difference.connection.map { .string($0) } ?? .null),
            ("recorded", .string(difference.expected)), ("replayed", .string(difference.got)),
          ])
        ))
    }
    return .object(members)
  }
}
