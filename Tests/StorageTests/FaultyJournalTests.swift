import Storage
import Synchronization
import Testing

struct FaultyJournalTests {
  let temporary: TemporaryDirectory
  let faults = JournalFaults()
  private let unknown = StorageError.outcomeUnknown(code: 1_034)

  init() throws {
    temporary = try TemporaryDirectory()
  }

  private func journal() throws -> FaultyJournal {
    FaultyJournal(try SQLiteJournal.start(temporary.locked()), faults: faults)
  }

  @Test("without faults it is the journal it wraps, counted")
  func counts() throws {
    let journal = try journal()
    #expect(try journal.append([batch(1), batch(2)]) == 1...2)
    try journal.storeCheckpoints([checkpoint(1, through: 2)], foldedThrough: 2)
    #expect(try journal.loadAccount(id(1)) == checkpoint(1, through: 2))
    #expect(try journal.checkpoints().count == 1)
    #expect(try journal.rows().count == 2)
    #expect(try journal.foldedThrough == 2)
    #expect(try journal.lastSequence == 2)
    try journal.checkpointLog()
    try journal.close()
    var expected = JournalFaults.Counts()
    (expected.appends, expected.batches, expected.loads) = (1, 2, 1)
    (expected.checkpointStores, expected.checkpoints) = (1, 1)
    (expected.logCheckpoints, expected.closes) = (1, 1)
    #expect(faults.counts == expected)
  }

  @Test(
    "the nth append fails before or after it was done, and no write works afterwards",
    arguments: [(.before, 2), (.after, 3)] as [(JournalFaults.Moment, Int64)])
  func failAppend(moment: JournalFaults.Moment, rows: Int64) throws {
    do {
      let journal = try journal()
      faults.failAppend(3, moment)
      _ = try journal.append([batch(1)])
      _ = try journal.append([batch(2)])
      #expect(throws: unknown) { try journal.append([batch(3)]) }
      #expect(throws: unknown) { try journal.append([batch(4)]) }
      #expect(throws: unknown) { try journal.storeCheckpoints([], foldedThrough: nil) }
      #expect(throws: unknown) { try journal.checkpointLog() }
      #expect(throws: unknown) { try journal.close() }
    }
    #expect(try SQLiteJournal.start(temporary.locked(), 2).lastSequence == rows)
  }

  @Test("a storing of checkpoints can fail, with or without an end")
  func failStore() throws {
    let journal = try journal()
    faults.failCheckpointStore(1, with: .full(.journal))
    faults.failCheckpointStore(2, with: unknown)
    _ = try journal.append([batch(1)])
    let checkpoints = [checkpoint(1, through: 1)]
    #expect(throws: StorageError.full(.journal)) {
      try journal.storeCheckpoints(checkpoints, foldedThrough: nil)
    }
    #expect(try journal.append([batch(2)]) == 2...2)
    #expect(throws: unknown) { try journal.storeCheckpoints(checkpoints, foldedThrough: nil) }
    #expect(throws: unknown) { try journal.append([batch(3)]) }
    #expect(try journal.checkpoints() == [])
  }

  @Test("a held append waits until it is let go", .timeLimit(.minutes(1)))
  func hold() async throws {
    let (held, continuation) = AsyncStream.makeStream(of: Void.self)
    faults.holdAppends(onHeld: { continuation.yield() })
    let thread = JournalThread(temporary.path, faults)
    var waiting = held.makeAsyncIterator()
    await waiting.next()
    #expect(thread.done.load(ordering: .acquiring) == 0)
    #expect(faults.counts.appends == 1)
    faults.letOneAppendGo()
    await waiting.next()
    #expect(thread.done.load(ordering: .acquiring) == 1)
    faults.letAppendsGo()
    #expect(await thread.finished() == 3)
    #expect(faults.counts.appends == 3)
  }
}
