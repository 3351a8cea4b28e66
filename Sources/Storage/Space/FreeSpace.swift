internal import Glibc

/// Watches the room a data directory has left. Owned by whoever's timer drives it.
public struct FreeSpace: Sendable {
  /// What a measurement found.
  public struct Reading: Sendable, Equatable {
    /// What this user may still write, in bytes.
    public let freeBytes: Int64
    /// False if acts are to be held `storageUnavailable`.
    public let acceptsActs: Bool
    /// True if `acceptsActs` is not what it was.
    public let changed: Bool
  }

  private let directory: DataDirectory
  private let policy: SpacePolicy
  private let measure: @Sendable (DataDirectory) throws(StorageError) -> Int64
  private var areHeld = false

  /// A watch over a directory; nothing is measured yet.
  ///
  /// - Parameter measure: the free bytes of a directory; another one in tests.
  public init(
    of directory: DataDirectory, policy: SpacePolicy = SpacePolicy(),
    measuredBy measure: @escaping @Sendable (DataDirectory) throws(StorageError) -> Int64 =
      FreeSpace.bytes
  ) {
    self.directory = directory
    self.policy = policy
    self.measure = measure
  }

  /// Makes room for a start: gives up the ballast if recovery would have too little without.
  ///
  /// - Throws: `full` if even that is not enough; `directoryUnusable`.
  public func prepareStart() throws(StorageError) {
    let ballast = Ballast(in: directory)
    let freeBytes = try measure(directory)
    switch policy.start(freeBytes: freeBytes, heldBallastBytes: try ballast.heldBytes()) {
    case .start: return
    case .freeBallastAndStart: try ballast.free()
    case .refuse: throw .full(.journal)
    }
  }

  /// Looks once: every few seconds while running, and once after a start. Makes the ballast again
  /// when there is room for it beyond what acts need.
  ///
  /// - Throws: `directoryUnusable`.
  public mutating func look() throws(StorageError) -> Reading {
    let ballast = Ballast(in: directory)
    let freeBytes = try measure(directory)
    let held = (try? ballast.heldBytes()) ?? 0
    if policy.makesBallast(freeBytes: freeBytes, heldBallastBytes: held) {
      // Without room after all there is none for acts to miss either; the next look tells. Nor may
      // something else in the ballast's place make the watch blind.
      _ = try? ballast.make(bytes: policy.ballastBytes)
    }
    let accepts = policy.acceptsActs(freeBytes: freeBytes, areHeld: areHeld)
    let changed = accepts == areHeld
    areHeld = !accepts
    return Reading(freeBytes: freeBytes, acceptsActs: accepts, changed: changed)
  }

  /// The bytes an unprivileged user may still write beside the directory's files (statvfs(3)).
  ///
  /// - Throws: `directoryUnusable`.
  public static func bytes(of directory: DataDirectory) throws(StorageError) -> Int64 {
    var facts = statvfs()
    while statvfs(directory.path, &facts) != 0 {
      if errno != EINTR { throw .directoryUnusable(path: directory.path, errno: errno) }
    }
    // A file system may claim more than fits a signed number; that is room enough.
    let (bytes, overflow) = UInt64(facts.f_bavail).multipliedReportingOverflow(
      by: UInt64(facts.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }
}
