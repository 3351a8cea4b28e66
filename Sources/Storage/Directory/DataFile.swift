/// The files of a data directory.
public enum DataFile: String, CaseIterable, Sendable {
  /// Batches, checkpoints and starts; a restore replaces it.
  case journal
  /// Accounts, devices and tokens; a restore leaves it.
  case devices
  /// What is known of backups: which were verified, and what they hold of each outbox.
  case backups
  /// Room kept for a start on a full disk.
  case ballast
  /// Held by the one server that uses the directory; its process id is inside.
  case lock
  /// What is being done to whose account; see `WorkMap`.
  case deciding
  /// Which accounts and actions crashed the server, written after a crash alone.
  case crashes

  /// The name inside the directory.
  public var name: String {
    switch self {
    case .journal: "journal.db"
    case .devices: "devices.db"
    case .backups: "backups.json"
    case .ballast: "ballast"
    case .lock: "lock"
    case .deciding: "deciding.map"
    case .crashes: "crashes"
    }
  }
}
