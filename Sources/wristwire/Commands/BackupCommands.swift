internal import AuthorityServer
internal import CommandLineTool
internal import Foundation
internal import Glibc
internal import WatchTransfer

/// `wristwire backup`
enum BackupCommand {
  static let description = CommandDescription(
    ["backup"],
    summary: "Makes a verified backup of a data directory, while its server serves or without one.",
    options: [
      .value(
        "to", "DIR", "The directory to put it into, on another machine's disk or another medium.",
        isRequired: true),
      dataOption,
      .value("keep", "N", "Remove older backups of this directory there, but for the newest N."),
      .flag("json", "Print one JSON object."),
    ],
    examples: [
      .init("wristwire backup --to /mnt/nas --data d", "prints the name of the backup"),
      .init("wristwire backup --to /mnt/nas --keep 7 --data d", "and keeps the newest seven"),
    ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    let target = absolute(try arguments.required("to"))
    let keep = try arguments.integer("keep", in: 1...100_000)
    let directory = try arguments.required("data")
    let progress = progressIsShown ? showProgress(of: directory) : nil
    defer { progress?.cancel() }
    let response = try await ask(.backUp(to: target, keep: keep), of: directory)
    guard case .backedUp(let report) = response else {
      throw ToolFailure("the server gave another answer than was asked for")
    }
    printLine(arguments.flag("json") ? json(of: report).json : text(of: report))
    for account in report.damaged {
      printError("wristwire: account \(account) cannot be read, and is not in the backup")
    }
    // Whoever runs it by a timer sees nothing else.
    return report.damaged.isEmpty ? .ok : .failed
  }

  /// Says once a second how far a running server has come.
  private static func showProgress(of directory: String) -> Task<Void, Never> {
    Task {
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(1))
        guard let connection = AdminConnection.running(directory: directory) else { continue }
        let response = await connection.perform(.backupProgress)
        await connection.close()
        guard case .progress(let progress) = response, progress.phase != "none" else { continue }
        printError("\(progress.phase) \(progress.pagesDone) of \(progress.pages) pages")
      }
    }
  }

  private static func json(of report: BackupReport) -> JSONValue {
    .object([
      ("path", .string(report.path)),
      ("made", .instant(Instant(milliseconds: report.madeMilliseconds))),
      ("bytes", .whole(report.bytes)), ("accounts", .whole(report.accounts)),
      ("lastRow", .whole(report.lastRow)), ("droppedRows", .whole(report.droppedRows)),
      ("damaged", .array(report.damaged.map { .string($0) })),
    ])
  }

  private static func text(of report: BackupReport) -> String {
    let dropped = report.droppedRows > 0 ? ", dropped \(report.droppedRows) old rows" : ""
    return "\(report.path): verified, \(report.bytes) bytes, \(report.accounts) accounts\(dropped)"
  }
}

/// `wristwire restore`
enum RestoreCommand {
  static let description = CommandDescription(
    ["restore"],
    summary: "Puts a backup's journal in the place of a data directory's; no server may run.",
    options: [
      .value("from", "BACKUP", "The backup, a directory.", isRequired: true), newDataOption,
      .flag("replace", "Set a journal that is there aside; its new name is printed."),
      .flag("json", "Print one JSON object."),
    ],
    examples: [
      .init(
        "wristwire restore --from /mnt/nas/wristwire-20261130T180500Z.wristwire-backup --data d",
        "into a directory that has no journal"),
      .init("wristwire restore --from BACKUP --data d --replace", "goes back to the backup"),
    ])

  static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
    let directory = try arguments.required("data")
    if let connection = AdminConnection.running(directory: directory) {
      await connection.close()
      throw ToolFailure("a server runs on \(directory): stop it first")
    }
    let report = try Restore.run(
      from: absolute(try arguments.required("from")), to: directory,
      replaces: arguments.flag("replace"))
    if arguments.flag("json") {
      printLine(json(of: report).json)
      return .ok
    }
    printLine("restored \(report.name), made \(report.made), \(report.accounts) accounts")
    if let aside = report.keptAside { printLine("the journal that was there is \(aside)") }
    printLine(
      report.tookDevices
        ? "accounts and devices are those of the backup"
        : "accounts and devices stay as they were")
    for aside in report.asides {
      printError("wristwire: \(aside): it is restored as the backup has it")
    }
    for account in report.damaged {
      printError("wristwire: account \(account) is not in the backup: it could not be read then")
    }
    if report.brokenPromises > 0 {
      printError(
        "wristwire: \(report.brokenPromises) outboxes were told of a newer backup: what they no "
          + "longer keep is lost, and will stand in their delivery")
    }
    return .ok
  }

  private static func json(of report: Restore.Report) -> JSONValue {
    .object([
      ("name", .string(report.name)), ("made", .string(report.made)),
      ("accounts", .whole(report.accounts)), ("keptAside", .optional(report.keptAside)),
      ("tookDevices", .bool(report.tookDevices)),
      ("notReplayed", .array(report.notReplayed.map { .string($0) })),
      ("damaged", .array(report.damaged.map { .string($0) })),
      ("brokenPromises", .whole(report.brokenPromises)),
    ])
  }
}

/// A path that means the same to a server with another working directory.
func absolute(_ path: String) -> String {
  path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
}
