import Testing

@testable import Storage

/// What is there after a kill at any moment, and after a log that was cut or damaged.
struct CrashTests {
  private func appended(_ temporary: TemporaryDirectory, _ count: Int) throws -> SQLiteJournal {
    let journal = try SQLiteJournal.start(temporary.locked())
    for number in 1...count { _ = try journal.append([batch(number), batch(-number)]) }
    return journal
  }

  @Test("what was appended survives a kill, without closing")
  func kill() throws {
    let temporary = try TemporaryDirectory()
    let journal = try appended(temporary, 3)
    try journal.storeCheckpoints([checkpoint(1, through: 6)], foldedThrough: 6)
    let image = try temporary.crashImage()
    _ = try journal.append([batch(4)])
    let again = try SQLiteJournal.start(image.locked(), 2)
    #expect(again.lastSequence == 6)
    #expect(again.foldedThrough == 6)
    #expect(try again.rows() == journal.rows().dropLast())
    #expect(try again.checkpoints() == [checkpoint(1, through: 6)])
    #expect(try again.append([batch(9)]) == 7...7)
  }

  @Test("dropping the journal without closing it leaves what a kill leaves")
  func drop() throws {
    let temporary = try TemporaryDirectory()
    _ = try appended(temporary, 3)
    #expect(try #require(temporary.read("journal.db-wal")).count > 0)
    #expect(try SQLiteJournal.start(temporary.locked(), 2).lastSequence == 6)
  }

  @Test("a start empties the log before it is done: what was read is on disk")
  func startSettles() throws {
    let temporary = try TemporaryDirectory()
    _ = try appended(temporary, 3)
    let journal = try SQLiteJournal.start(temporary.locked(), 2)
    #expect(temporary.read("journal.db-wal") == [])
    let image = try temporary.crashImage()
    #expect(try SQLiteJournal.start(image.locked(), 3).rows() == journal.rows())
  }

  @Test("a log cut anywhere leaves whole appends, in order from the first")
  func cutLog() throws {
    let temporary = try TemporaryDirectory()
    let journal = try appended(temporary, 4)
    let image = try temporary.crashImage()
    let log = try #require(image.read("journal.db-wal"))
    let frame = 4_096 + 24
    var seen: Set<Int64> = []
    // The log's header has 32 bytes; cut at every frame's edge, just before it and inside it.
    for edge in stride(from: 32, through: log.count, by: frame) {
      for cut in [edge - 1, edge, edge + 100] where cut <= log.count {
        let torn = try image.crashImage()
        try torn.write("journal.db-wal", [UInt8](log.prefix(cut)))
        let again = try SQLiteJournal.start(torn.locked(), 2)
        #expect(again.lastSequence % 2 == 0)
        #expect(try again.rows() == Array(journal.rows().prefix(Int(again.lastSequence))))
        seen.insert(again.lastSequence)
      }
    }
    #expect(seen == [0, 2, 4, 6, 8])
  }

  @Test("a bit flipped in the log loses what follows it, never what came before, and nothing half")
  func flippedLog() throws {
    let temporary = try TemporaryDirectory()
    let journal = try appended(temporary, 4)
    let image = try temporary.crashImage()
    let log = try #require(image.read("journal.db-wal"))
    for position in stride(from: 40, to: log.count, by: 4_120 / 2) {
      let torn = try image.crashImage()
      try torn.edit("journal.db-wal") { $0[position] ^= 0x10 }
      let again = try SQLiteJournal.start(torn.locked(), 2)
      #expect(again.lastSequence % 2 == 0)
      #expect(again.lastSequence < 8)
      #expect(try again.rows() == Array(journal.rows().prefix(Int(again.lastSequence))))
    }
  }

  @Test("a checkpoint of the log cut after any number of pages, in any order, loses nothing")
  func cutCheckpoint() throws {
    let temporary = try TemporaryDirectory()
    let journal = try appended(temporary, 40)
    let before = try temporary.crashImage()
    let old = try #require(before.read("journal.db"))
    try journal.checkpointLog()
    let new = try #require(temporary.read("journal.db"))
    let pages = new.count / 4_096
    var random = SplitMix(seed: 7)
    for copied in 0...pages {
      let image = try before.crashImage()
      var mixed = [UInt8](repeating: 0, count: new.count)
      mixed.replaceSubrange(0..<old.count, with: old)
      for page in (0..<pages).shuffled(using: &random).prefix(copied) {
        let bytes = page * 4_096..<(page + 1) * 4_096
        mixed.replaceSubrange(bytes, with: new[bytes])
      }
      try image.write("journal.db", mixed)
      #expect(try SQLiteJournal.start(image.locked(), 2).rows() == journal.rows())
    }
    // The last step: everything copied, the log already cut.
    let image = try temporary.crashImage()
    #expect(try SQLiteJournal.start(image.locked(), 2).rows() == journal.rows())
  }

  @Test("a kill before the first start is done leaves something that starts")
  func firstStart() throws {
    let temporary = try TemporaryDirectory()
    try temporary.write("journal.db", [])
    #expect(try SQLiteJournal.start(temporary.locked()).lastSequence == 0)
  }

  @Test("a kill after a commit that the log checkpoints by itself loses nothing")
  func autocheckpoint() throws {
    let temporary = try TemporaryDirectory()
    let journal = try SQLiteJournal.start(temporary.locked())
    var number = 0
    while temporary.read("journal.db")?.count ?? 0 < 1 << 20 {
      number += 1
      _ = try journal.append([batch(number, bytes: 200_000)])
      try #require(number < 100)
    }
    _ = try journal.append([batch(0)])
    let image = try temporary.crashImage()
    let again = try SQLiteJournal.start(image.locked(), 2)
    #expect(try again.rows() == journal.rows())
  }
}

/// A random order that is the same in every run.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
