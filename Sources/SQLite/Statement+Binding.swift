internal import CSQLite

extension Statement {
  /// Sets parameter `index` (from 1) to a number.
  public func bind(_ value: Int64, at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_int64(pointer, index, value))
  }

  /// Sets parameter `index` to a number or to NULL.
  public func bind(_ value: Int64?, at index: Int32) throws(SQLiteError) {
    guard let value else { return try check(sqlite3_bind_null(pointer, index)) }
    try bind(value, at: index)
  }

  /// Sets parameter `index` to a copy of the bytes.
  public func bind(_ bytes: [UInt8], at index: Int32) throws(SQLiteError) {
    let code = bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress, !buffer.isEmpty else {
        // A null pointer would bind NULL, which is something else than no bytes.
        return sqlite3_bind_zeroblob(pointer, index, 0)
      }
      return sqlite3_bind_blob64(pointer, index, start, UInt64(buffer.count), copied)
    }
    try check(code)
  }

  /// Sets parameter `index` to a copy of the text.
  public func bind(_ text: String, at index: Int32) throws(SQLiteError) {
    var text = text
    let code = text.withUTF8 { buffer in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        sqlite3_bind_text64(
          pointer, index, characters.baseAddress, UInt64(characters.count), copied,
          UInt8(SQLITE_UTF8))
      }
    }
    try check(code)
  }

  /// Runs the statement with parameter `index` standing for the bytes themselves, not a copy.
  ///
  /// For what is large; the borrowing ends before the call does.
  public func run(borrowing bytes: [UInt8], at index: Int32) throws(SQLiteError) {
    if bytes.isEmpty {
      try bind(bytes, at: index)
      return try run()
    }
    try bytes.withUnsafeBufferPointer { (buffer) throws(SQLiteError) in
      let code = sqlite3_bind_blob64(
        pointer, index, buffer.baseAddress, UInt64(buffer.count), nil)
      defer { sqlite3_bind_null(pointer, index) }
      try check(code)
      try run()
    }
  }

  /// Lets go of the copies `bind` made, by setting every parameter to NULL.
  public func clearBindings() {
    sqlite3_clear_bindings(pointer)
  }

  /// SQLITE_TRANSIENT, a macro Swift cannot import: SQLite makes its own copy before it returns.
  private var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}
