import Authority
import Guards
import Storage
import TestSupport
import Testing
import Transport
import WatchTransfer

@testable import AuthorityServer

@Suite(.timeLimit(.minutes(1))) struct CommitterTests {
  static let epoch = EpochID(high: 1, low: 1)

  /// A committer over a fresh journal.
  func committer(in temporary: borrowing TemporaryDirectory) throws -> Committer {
    let directory = try DataDirectory(path: "\(temporary.path)/data")
    let journal = try SQLiteJournal.open(
      directory: directory, epoch: Self.epoch, startedMilliseconds: 0)
    return Committer(
      journal: journal, build: "test", on: DispatchWorkQueue(label: "committer"),
      counters: Counters()
    ) { error in
      Issue.record("\(error)")
    }
  }

  @Test func `work is done in the order it was handed over`() throws {
    let temporary = try TemporaryDirectory()
    let committer = try committer(in: temporary)
    let rows = Rows()
    let done = Gate()
    for number in 1...20 {
      let batch = JournalBatch(epoch: Self.epoch, bytes: [UInt8(number)])
      committer.submit(.append(batch) { rows.add($0) })
    }
    committer.submit(.barrier { done.open() })
    try done.wait()
    #expect(rows.all == Array(1...20))
    committer.submit(.close { done.open() })
    try done.wait()
  }

  @Test func `how far is folded never goes back, though partitions tell it out of order`() throws {
    let temporary = try TemporaryDirectory()
    let committer = try committer(in: temporary)
    let rows = Rows()
    let done = Gate()
    for number in 1...5 {
      committer.submit(
        .append(JournalBatch(epoch: Self.epoch, bytes: [UInt8(number)])) { _ in })
    }
    // One partition read the lowest row, then another did, and handed it over first.
    for row: Int64 in [4, 2, 9, 3] {
      committer.submit(
        .checkpoint([], foldedThrough: row) { newest in #expect(newest == 5) })
      committer.submit(
        .inspect { journal in
          rows.add((try? journal?.foldedThrough) ?? -1)
          done.open()
        })
      try done.wait()
    }
    #expect(rows.all == [4, 4, 5, 5])
    committer.submit(.close { done.open() })
    try done.wait()
  }
}

/// Numbers that another queue notes.
final class Rows: Sendable {
  private let rows = Lock<[Int64]>([])

  var all: [Int64] { rows.withLock { $0 } }

  func add(_ row: Int64) { rows.withLock { $0.append(row) } }
}
