public import Foundation

/// What an admin command asks of a server, over its admin socket or in the same process. JSON
/// behind a 4-byte big-endian length.
public enum AdminRequest: Codable, Sendable {
  case addAccount(name: String, zone: String)
  /// Accounts in order of their names' bytes, those after a name, at most
  /// `AccountSummary.pageMax`; or the one of a name, with its devices.
  case listAccounts(after: String?, named: String?)
  /// Moves an account to another zone, as of now.
  case setZone(account: String, zone: String)
  /// Erases an account: its devices, and everything the journal has of it.
  case eraseAccount(name: String)
  /// Writes everything of an account into a new folder, an absolute path.
  case exportAccount(name: String, to: String)
  case pair(account: String, kind: String, name: String?)
  /// Makes a code that pairs one device; only of use where a server runs on.
  case makeCode(account: String, kind: String, name: String?)
  case revoke(account: String, device: String)
  /// Has an account tried again, at the next start, that was set aside or is left out of replays.
  case readmit(account: String)
  case status
  /// Compares every checkpoint of a private copy with a replay of its journal.
  case check
  /// Makes a backup in a directory, an absolute path, and keeps so many there; nil: all.
  case backUp(to: String, keep: Int?)
  /// How far the backup under way has come.
  case backupProgress
  /// Sets a test clock: to milliseconds since 1970, or ahead by milliseconds.
  case setClock(to: Int64?, by: Int64?)
  /// Encoded action bodies of logged workouts, from a health source.
  case importWorkouts(account: String, bodies: [Data])

  /// Whether the answer takes as long as there is much to do.
  var isLong: Bool {
    switch self {
    case .check, .backUp, .importWorkouts, .eraseAccount, .exportAccount: true
    case .addAccount, .listAccounts, .setZone, .pair, .makeCode, .revoke, .readmit, .status,
      .backupProgress, .setClock:
      false
    }
  }
}

/// What the server says.
public enum AdminResponse: Codable, Sendable {
  case done
  /// A new device's token, 64 hexadecimal digits, and its id.
  case paired(token: String, device: String)
  /// A pairing code, 8 digits, and until when it is good, RFC 3339.
  case code(String, until: String)
  case status(ServerStatus)
  case accounts([AccountSummary])
  /// What a check found; empty: all is well.
  case findings([String])
  /// A backup that was made and verified.
  case backedUp(BackupReport)
  case progress(BackupProgress)
  /// How many logs and photos were written, and how many photos are missing.
  case exported(logs: Int, photos: Int, missing: Int)
  /// How many of the offered workouts were logged now, were known, and were refused, with reasons.
  case imported(logged: Int, known: Int, refused: [String])
  /// One line that says what is wrong.
  case failed(String)
}

/// What `wristwire account list` shows of an account.
public struct AccountSummary: Codable, Sendable {
  /// One of its devices that is not revoked.
  public struct Device: Codable, Sendable {
    public var id: String
    public var name: String
    public var kind: String
  }

  public var name: String
  public var id: String
  /// The zone it is in, as of what is durable.
  public var zone: String
  /// RFC 3339.
  public var created: String
  /// How many of its devices are not revoked.
  public var deviceCount: Int
  /// nil: not asked for.
  public var devices: [Device]?

  /// Accounts of one answer.
  public static let pageMax = 1_000
}

/// What `wristwire status` shows.
public struct ServerStatus: Codable, Sendable {
  /// Actions by how far they came, since the start.
  public struct Actions: Codable, Sendable {
    /// Acts that were read, those that came again included.
    public var received: Int
    /// With their final word on disk.
    public var durable: Int
    public var applied: Int
    public var refused: Int
    public var expired: Int
  }

  public var version: String
  public var epoch: String
  /// RFC 3339.
  public var clock: String
  public var accounts: Int
  public var devices: Int
  public var connections: Int
  public var commits: Int
  public var entries: Int
  public var actions: Actions
  public var held: Int
  public var conflicts: Int
  public var settled: Int
  public var missing: Int
  public var fetched: Int
  public var updates: Int
  public var pulses: Int
  /// Pulses that nobody was shown: not the recorder's, of no running session, or too old.
  public var pulsesDropped: Int
  public var recoveredRows: Int
  /// Acts that wait for their commit.
  public var waiting: Int
  /// Revisions that surfaces have said they show, each counted once for a connection.
  public var shown: Int
  /// Connections that are owed an update, as of the last second.
  public var owedUpdates: Int
  /// Bytes that sockets have not taken, as of the last second.
  public var unsentBytes: Int
  /// Connections that ended, by reason.
  public var closed: [String: Int]
  public var alarms: [String]
  public var freeBytes: Int64
  public var acceptsActs: Bool
  /// `notConfigured`, `fresh`, `overdue`, `restricted` or `failing`.
  public var continuity: String
  /// When the newest verified backup was made; RFC 3339.
  public var backedUpAt: String?
  public var limits: [String: Int]
  /// How much of each limit is used now, where it is about something that is there.
  public var limitUse: [String: Int]
  /// How often each limit has turned somebody away or made him wait, since the start.
  public var limitRefusals: [String: Int]
}
