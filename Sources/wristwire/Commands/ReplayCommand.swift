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
      .flag("json", "Print one JSON object."),
    ],
    examples: [
      .init("wristwire replay d.record", "says whether it comes out the same"),
      .init("wristwire replay d.record --show --from 100", "prints from event 100 on"),
    ],
    endings: [
      .init(.ok, "the same came out"),
      .init(.failed, "something else came out, or the record is damaged"),
      .init(.usage, "the command line makes no sense"),
    ])

  static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
    let replay = try ServerReplay(path: arguments.positionals[0])
    let first = try arguments.integer("from", in: 1...Int(Int32.max))
    let isJSON = arguments.flag("json")
    let show: ((String) -> Void)? =
      arguments.flag("show")
      ? { line in if isJSON { printError(line) } else { printLine(line) } } : nil
    return try tell(of: replay, arguments, show: show, from: first ?? 1)
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
