import Glibc
import SQLite
import Testing
import WatchTransfer

@testable import Storage

/// Bytes of attachments beside the rows of the journal.
struct AttachmentTests {
  let temporary: TemporaryDirectory
  private let content = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
  private let key: AttachmentKey

  init() throws {
    temporary = try TemporaryDirectory()
    key = AttachmentKey(account: id(1), hash: try #require(AttachmentDigest.hash(of: content)))
  }

  private func write(_ range: Range<Int>, account: AccountID = id(1)) -> AttachmentWrite {
    .keep(
      AttachmentPiece(
        account: account, hash: key.hash, offset: Int64(range.lowerBound),
        bytes: Array(content[range])))
  }

  private func append(_ writes: [AttachmentWrite], to journal: SQLiteJournal) throws {
    // A batch without entries.
    _ = try journal.append([JournalBatch(epoch: epoch, bytes: [1], attachments: writes)])
  }

  private func kept() throws -> SQLiteJournal {
    let journal = try SQLiteJournal.start(temporary.locked())
    try append([write(0..<300)], to: journal)
    try append([write(300..<301), write(301..<1_000)], to: journal)
    return journal
  }

  @Test("SHA-256 is that of FIPS 180-4")
  func digest() {
    #expect(
      AttachmentDigest.hash(of: Array("abc".utf8))?.description
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test(
    "a range is read over pieces, and nothing beyond them",
    arguments: [0..<1_000, 0..<1, 299..<302, 300..<301, 999..<1_000, 5..<5, 1_000..<1_000])
  func ranges(range: Range<Int>) throws {
    do { _ = try kept() }
    let journal = try SQLiteJournal.start(temporary.locked(), 2)
    let wanted = Int64(range.lowerBound)..<Int64(range.upperBound)
    #expect(try journal.attachment(key, wanted) == Array(content[range]))
    #expect(try journal.attachment(key, wanted.lowerBound..<1_001) == nil)
    let another = AttachmentKey(account: id(2), hash: key.hash)
    #expect(try journal.attachment(another, 0..<1) == nil)
  }

  @Test("it is whole when all its bytes are there, and hash to its name")
  func whole() throws {
    let journal = try SQLiteJournal.start(temporary.locked())
    try append([write(0..<300)], to: journal)
    #expect(try !journal.isWhole(key, totalBytes: 1_000))
    try append([write(300..<1_000), write(0..<1_000, account: id(2))], to: journal)
    #expect(try journal.isWhole(key, totalBytes: 1_000))
    #expect(try !journal.isWhole(key, totalBytes: 999))
    let other = AttachmentKey(account: id(1), hash: AttachmentDigest.hash(of: [1])!)
    #expect(try !journal.isWhole(other, totalBytes: 0))
  }

  @Test("what is dropped is gone from the file")
  func drop() throws {
    let journal = try kept()
    try append([write(0..<1_000, account: id(2))], to: journal)
    try append([.drop(id(1), key.hash), .drop(id(3), key.hash)], to: journal)
    #expect(try journal.attachment(key, 0..<1) == nil)
    #expect(
      try journal.attachment(AttachmentKey(account: id(2), hash: key.hash), 0..<1_000) == content)
    try append([.drop(id(2), key.hash)], to: journal)
    try journal.close()
    let file = try #require(temporary.read("journal.db"))
    #expect(file.firstRange(of: content[310..<400]) == nil)
  }

  @Test("an erased account's bytes go with it, in slices, and nobody else's")
  func erase() throws {
    let journal = try SQLiteJournal.start(temporary.locked())
    var writes: [AttachmentWrite] = []
    for offset in 0..<150 { writes.append(write(offset..<offset + 1)) }
    try append(writes + [write(0..<1_000, account: id(2))], to: journal)
    try journal.storeCheckpoints([checkpoint(1, through: 1)], foldedThrough: 1)
    var after: Int64? = 0
    var slices = 0
    while let row = after {
      after = try journal.erase(id(1), after: row, rowsMax: 64)
      slices += 1
      // A start that finds it half done must find it.
      #expect(try journal.accounts().contains(id(1)) == (after != nil))
    }
    #expect(slices == 3)
    #expect(try journal.attachment(key, 0..<1) == nil)
    #expect(
      try journal.attachment(AttachmentKey(account: id(2), hash: key.hash), 0..<1_000) == content)
  }

  @Test("a damaged piece is not read, and what is before it is")
  func damaged() throws {
    let journal = try kept()
    try journal.store.connection.execute(
      "UPDATE pieces SET bytes = zeroblob(699) WHERE start = 301")
    #expect(try journal.attachment(key, 0..<301) == Array(content[0..<301]))
    #expect(try journal.attachment(key, 0..<302) == nil)
    #expect(try !journal.isWhole(key, totalBytes: 1_000))
  }

  @Test("a batch whose commit fails keeps none of its bytes")
  func failing() throws {
    let journal = try kept()
    // The same piece again breaks the table's key, in the middle of the transaction.
    #expect(throws: StorageError.self) { try append([write(0..<300)], to: journal) }
    #expect(throws: StorageError.self) { try append([], to: journal) }
  }

  @Test("pieces in memory are the same")
  func shelf() {
    var shelf = AttachmentShelf()
    shelf.take([write(0..<300), write(300..<1_000)])
    #expect(shelf.range(10..<990, of: key) == Array(content[10..<990]))
    #expect(shelf.range(0..<1_001, of: key) == nil)
    #expect(shelf.isWhole(key, totalBytes: 1_000) && !shelf.isWhole(key, totalBytes: 1_001))
    shelf.take([.drop(id(1), key.hash)])
    #expect(shelf.bytes.isEmpty)
  }
}
