/// The bounds of this layer: what each protects, and what it costs.
public enum StorageLimits {
  /// The largest journal row, in bytes. A batch closes at 256 KiB, so a row is that plus the events
  /// of one more action; this bounds what a wrong caller can put on disk and in memory.
  public static let rowBytesMax = 16 << 20

  /// The largest checkpoint of one account, its three parts together, in bytes. It bounds the
  /// memory a load takes and the pages one store puts into the write-ahead log.
  public static let checkpointBytesMax = 192 << 20

  /// Pages of 4 KiB in the write-ahead log at which a commit also copies them into the database.
  /// One damaged bit in the log loses everything after it, so it is kept short. The commit that
  /// copies takes longer: measured with rows of 16 KiB and a median of 0.3 ms, the slowest took
  /// 17 ms at 250 pages, 28 ms at 1,000 and 72 ms at 4,000, at the same rows per second from
  /// 1,000 on.
  public static let autocheckpointPages: Int32 = 1_000

  /// The largest database, in bytes, that is looked over (`quick_check`) before the first answer;
  /// a larger one is checked by `StorageCheck`. It bounds the time a start takes.
  public static let quickCheckBytesMax: Int64 = 256 << 20

  /// Pieces of attachments that one slice of an erasure deletes: some 4 MB.
  public static let piecesErasedAtOnce: Int64 = 64

  /// The newest starts that are kept in the journal database; a crash loop writes one each time.
  public static let startsMax: Int64 = 1_024

  /// The longest account or device name, in bytes; the shortest has one.
  public static let nameBytesMax = 128

  /// The longest zone name, in bytes; the shortest has one.
  public static let zoneBytesMax = 64

  /// The length of a stored token hash, in bytes: SHA-256.
  public static let tokenHashBytes = 32

  /// The longest small file, such as the record of crashes, in bytes.
  public static let smallFileBytesMax = 1 << 20

  /// Damage a check lists per kind and file before it only counts.
  public static let findingsMax = 100

  /// Free space, in bytes, under which acts are held: what the write-ahead log, a checkpoint and
  /// the log of the program may still need.
  public static let reserveBytes: Int64 = 64 << 20

  /// Free space above the reserve, in bytes, before acts are taken again, so that the answer does
  /// not flicker.
  public static let reserveMarginBytes: Int64 = 16 << 20

  /// The size of the ballast file, in bytes: what a start on a full disk can win back.
  public static let ballastBytes: Int64 = 32 << 20

  /// Free space, in bytes, without which a start is not tried: recovery copies the write-ahead log
  /// into the database.
  public static let startBytesMin: Int64 = 16 << 20
}
