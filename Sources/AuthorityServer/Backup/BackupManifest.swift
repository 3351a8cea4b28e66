internal import Foundation
internal import Storage
internal import WatchTransfer

/// What a backup says of itself: the file `manifest.json` in its directory.
///
/// A backup is the directory `wristwire-20261130T180500Z.wristwire-backup` with `journal.db` and
/// `devices.db`, whole by themselves, and this. It gets that name only once it is verified.
public struct BackupManifest: Codable, Sendable, Equatable {
  /// One of its files.
  public struct File: Codable, Sendable, Equatable {
    public var name: String
    public var bytes: Int64
    /// Of the whole file, in hexadecimal.
    public var sha256: String
  }

  /// The form of what follows; another one is refused.
  public var form = Self.currentForm
  /// The name of the backup's directory.
  public var name: String
  /// The data directory it was made of, 32 hexadecimal digits drawn once.
  public var source: String
  /// Everything that was acknowledged before then is in it; milliseconds since 1970.
  public var madeMilliseconds: Int64
  /// The start of the server that made it.
  public var epoch: String
  public var files: [File]
  public var contents: BackupContents

  /// The form this program writes.
  static let currentForm = 1
  /// The moments that a manifest or a book may name: the years 1970 to 9999.
  static let momentsMilliseconds: Range<Int64> = 0..<253_402_300_800_000
  /// What a manifest is called.
  static let fileName = DataDirectory.manifestName
  /// What a backup's name ends with.
  static let suffix = ".wristwire-backup"

  /// When it was made.
  var made: Instant { Instant(milliseconds: madeMilliseconds) }

  /// How many outboxes it knows of.
  public var outboxes: Int { contents.accounts.reduce(0) { $0 + $1.outboxes.count } }

  /// Reads the manifest of a backup.
  ///
  /// - Throws: `notABackup`, `damaged`.
  static func read(in directory: String) throws(BackupError) -> BackupManifest {
    let path = "\(directory)/\(fileName)"
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .notABackup(path: directory)
    }
    guard let manifest = try? JSONDecoder().decode(BackupManifest.self, from: data) else {
      throw .damaged(path: directory, ["\(fileName) cannot be read"])
    }
    guard momentsMilliseconds.contains(manifest.madeMilliseconds) else {
      throw .damaged(path: directory, ["\(fileName) says no moment at which it was made"])
    }
    guard manifest.form == currentForm else {
      throw .damaged(path: directory, ["\(fileName) has form \(manifest.form), not \(currentForm)"])
    }
    return manifest
  }
}

/// What the journal of a backup holds, found by replaying it.
public struct BackupContents: Codable, Sendable, Equatable {
  /// An account as of the newest row.
  public struct Account: Codable, Sendable, Equatable {
    public var id: String
    /// The newest start in which it changed.
    public var epoch: String
    public var revision: UInt64
    /// The newest decided number of each outbox, by incarnation.
    public var outboxes: [String: UInt64]
  }

  /// The oldest row it has; 0: none.
  public var firstRow: Int64
  /// The newest row.
  public var lastRow: Int64
  /// The start that wrote the newest row; empty: none.
  public var lastRowEpoch: String
  /// Accounts that were set aside, or left out of replays, when it was made: copied, not replayed.
  public var setAside: [String] = []
  /// Accounts that the server itself could not read when it was made: not included. nil: none.
  public var damaged: [String]?
  /// In the order of their ids.
  public var accounts: [Account]

  /// Those that are in it as they were, without a replay.
  var copied: Set<String> { Set(setAside).subtracting(damaged ?? []) }

  /// Everybody who was not replayed.
  var leftOut: Set<String> { Set(setAside).union(damaged ?? []) }

  /// Whether it is what a replay without the accounts `ids` found too, whatever the replay's build
  /// thinks of accounts that are left out.
  func agrees(with found: BackupContents, without ids: Set<String>) -> Bool {
    firstRow == found.firstRow && lastRow == found.lastRow && lastRowEpoch == found.lastRowEpoch
      && accounts.filter { !ids.contains($0.id) } == found.accounts
  }
}
