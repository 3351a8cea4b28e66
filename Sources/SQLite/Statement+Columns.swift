internal import CSQLite

/// Reading the row `step()` stopped at. SQLite converts a value of another type and reads NULL as
/// 0 or empty; STRICT tables leave neither to chance.
extension Statement {
  /// Column `index` (from 0) as a number.
  public func int64(at index: Int32) -> Int64 { sqlite3_column_int64(pointer, index) }

  /// True if column `index` is NULL.
  public func isNull(at index: Int32) -> Bool {
    sqlite3_column_type(pointer, index) == SQLITE_NULL
  }

  /// Column `index` as a number, nil for NULL.
  public func optionalInt64(at index: Int32) -> Int64? {
    isNull(at: index) ? nil : int64(at: index)
  }

  /// A copy of column `index` as bytes; none for NULL.
  public func bytes(at index: Int32) -> [UInt8] {
    withBytes(at: index) { [UInt8]($0) }
  }

  /// Lends column `index` as bytes; they are gone when `body` returns.
  public func withBytes<Result, Failure: Error>(
    at index: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The pointer first, then the count: the order the manual asks for (c3ref/column_blob.html).
    let start = sqlite3_column_blob(pointer, index)
    let count = Int(sqlite3_column_bytes(pointer, index))
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// A copy of column `index` as text; what is no UTF-8 is replaced, as `String(decoding:)` does.
  public func text(at index: Int32) -> String {
    guard let start = sqlite3_column_text(pointer, index) else { return "" }
    let count = Int(sqlite3_column_bytes(pointer, index))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
