internal import Guards
internal import SQLite
internal import WatchTransfer

/// The prepared statements for the bytes of attachments.
struct PieceStatements {
  private let keeping: Statement
  private let dropping: Statement
  private let erasing: Statement
  private let connection: Connection

  /// Prepares them all.
  init(_ connection: Connection) throws(StorageError) {
    func prepare(_ sql: StaticString) throws(StorageError) -> Statement {
      try reading(.journal) { () throws(SQLiteError) in try Statement(connection, sql) }
    }
    self.connection = connection
    keeping = try prepare(
      "INSERT INTO pieces (account, hash, start, checksum, bytes) VALUES (?1, ?2, ?3, ?4, ?5)")
    dropping = try prepare("DELETE FROM pieces WHERE account = ?1 AND hash = ?2")
    erasing = try prepare(
      """
      DELETE FROM pieces WHERE rowid IN (
        SELECT rowid FROM pieces WHERE account = ?1 LIMIT ?2)
      """)
  }

  /// Does what a batch says.
  func write(_ writes: [AttachmentWrite]) throws(SQLiteError) {
    for write in writes {
      switch write {
      case .keep(let piece):
        let checksum = piece.bytes.withUnsafeBytes {
          Checksum.piece(of: piece.account, piece.hash, start: piece.offset, bytes: $0)
        }
        try keeping.bind(piece.account.bytes, at: 1)
        try keeping.bind(piece.hash.bytes, at: 2)
        try keeping.bind(piece.offset, at: 3)
        try keeping.bind(checksum, at: 4)
        try keeping.run(borrowing: piece.bytes, at: 5)
      case .drop(let account, let hash):
        // A photo that was taken away must not be found in the file.
        try connection.execute("PRAGMA secure_delete=ON")
        try dropping.bind(account.bytes, at: 1)
        try dropping.bind(hash.bytes, at: 2)
        try dropping.run()
      }
    }
  }

  /// Deletes some pieces of an account; whether there may be more.
  func erase(_ account: AccountID) throws(SQLiteError) -> Bool {
    try erasing.bind(account.bytes, at: 1)
    try erasing.bind(StorageLimits.piecesErasedAtOnce, at: 2)
    try erasing.run()
    return connection.changes == StorageLimits.piecesErasedAtOnce
  }
}

extension JournalReader {
  /// Walks the pieces that hold the range; see `JournalReading`.
  func attachment(
    _ key: AttachmentKey, _ range: Range<Int64>
  ) throws(StorageError) -> [UInt8]? {
    var bytes: [UInt8] = []
    var position: Int64?
    try eachPiece(of: key, upTo: range.upperBound) { start, piece in
      let end = start + Int64(piece.count)
      if end <= range.lowerBound { return true }
      guard start <= range.lowerBound || position == start else { return false }
      let from = max(start, range.lowerBound)
      let part = Int(from - start)..<Int(min(end, range.upperBound) - start)
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece[part]))
      position = end
      return true
    }
    return bytes.count == range.count ? bytes : nil
  }

  /// Reads all pieces; see `JournalReading`.
  func isWhole(_ key: AttachmentKey, totalBytes: Int64) throws(StorageError) -> Bool {
    let digest = AttachmentDigest()
    var position: Int64 = 0
    try eachPiece(of: key, upTo: .max) { start, piece in
      guard start == position else { return false }
      digest.add(piece)
      position += Int64(piece.count)
      return true
    }
    return position == totalBytes && digest.finish() == key.hash
  }

  /// Calls `body` with the pieces that begin before `end`, in order, until it returns false or a
  /// piece is not what was written.
  private func eachPiece(
    of key: AttachmentKey, upTo end: Int64, _ body: (Int64, UnsafeRawBufferPointer) -> Bool
  ) throws(StorageError) {
    try reading(.journal) { () throws(SQLiteError) in
      let statement = try Statement(
        connection,
        """
        SELECT start, checksum, bytes FROM pieces
        WHERE account = ?1 AND hash = ?2 AND start < ?3 ORDER BY start
        """)
      try statement.bind(key.account.bytes, at: 1)
      try statement.bind(key.hash.bytes, at: 2)
      try statement.bind(end, at: 3)
      while try statement.step() {
        let start = statement.int64(at: 0)
        let checksum = statement.int64(at: 1)
        let goesOn = statement.withBytes(at: 2) { bytes in
          Checksum.piece(of: key.account, key.hash, start: start, bytes: bytes) == checksum
            && body(start, bytes)
        }
        if !goesOn { return }
      }
    }
  }
}
