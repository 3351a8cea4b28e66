/// The bounds of this layer.
public enum SQLiteLimits {
  /// How long opening waits for another process to let go of the file, in milliseconds.
  ///
  /// It only bridges a predecessor that is just ending: with exclusive locking nobody else can
  /// hold the file later on, so a busy answer at run time is a fault.
  public static let busyTimeoutMilliseconds: Int32 = 5_000

  /// The largest string, blob or row SQLite may make or read, in bytes: a damaged length in the
  /// file costs at most this much memory. The stores keep their own, smaller limits.
  public static let lengthBytesMax: Int32 = 224 << 20

  /// The longest statement text, in bytes; all of ours are literals far below it.
  public static let statementBytesMax: Int32 = 16 << 10
}
