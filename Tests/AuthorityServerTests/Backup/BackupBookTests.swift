import Storage
import TestSupport
import Testing
import WatchTransfer

@testable import AuthorityServer

/// What the book of a directory says, and what devices are told by it.
@Suite struct BackupBookTests {
  private let anna = AccountID(high: 1, low: 1)
  private let outbox = IncarnationID(high: 7, low: 7)
  private let epoch = EpochID(high: 5, low: 5)

  private func manifest(
    _ made: Int64, anna number: ActionNumber?, setAside: Bool = false, damaged: Bool = false
  ) -> BackupManifest {
    var contents = BackupContents(firstRow: 1, lastRow: made, lastRowEpoch: "", accounts: [])
    if let number {
      contents.accounts = [
        BackupContents.Account(
          id: anna.description, epoch: epoch.description, revision: number + 1,
          outboxes: [outbox.description: number])
      ]
    }
    if setAside { contents.setAside = [anna.description] }
    if damaged { contents.damaged = [anna.description] }
    return BackupManifest(
      name: "b\(made)", source: "s", madeMilliseconds: made, epoch: epoch.description, files: [],
      contents: contents)
  }

  @Test func `a newer backup that has an account without a replay breaks no promise`() {
    var book = BackupBook()
    book.note(manifest(10, anna: 6))
    #expect(book.promisesBroken(by: manifest(20, anna: nil, setAside: true)) == 0)
    #expect(book.promisesBroken(by: manifest(5, anna: nil, setAside: true)) == 1)
    #expect(book.promisesBroken(by: manifest(20, anna: nil, damaged: true)) == 1)
    #expect(
      book.promisesBroken(by: manifest(20, anna: nil, setAside: true, damaged: true)) == 1)
  }

  @Test(arguments: [true, false])
  func `what an account was told is not forgotten when a newer backup leaves it out`(
    setAside: Bool
  ) throws {
    var book = BackupBook()
    book.note(manifest(10, anna: 6))
    for made: Int64 in [20, 30] {
      book.note(manifest(made, anna: nil, setAside: setAside, damaged: !setAside))
    }
    #expect(book.promisesBroken(by: manifest(5, anna: 3)) == 1)
    #expect(book.promisesBroken(by: manifest(15, anna: 8)) == 0)
    // Back to it: it is known that she was told of more, and she is told of nothing herself.
    book.goBack(to: manifest(5, anna: 3))
    #expect(book.restore?.brokenPromises == 1)
    // Once a backup has her again, that counts alone.
    book.note(manifest(40, anna: 9))
    #expect(book.carried == nil)
    #expect(book.promisesBroken(by: manifest(35, anna: 8)) == 1)
  }

  @Test func `a book and a manifest of before are read`() throws {
    let directory = try TestSupport.TemporaryDirectory()
    let data = try DataDirectory(path: directory.path)
    var book = BackupBook()
    book.note(manifest(10, anna: 6))
    try book.write(to: data.path(of: .backups))
    let text = String(decoding: try #require(try data.read(.backups)), as: UTF8.self)
    for key in ["begun", "unfinished", "carried", "damaged"] { #expect(!text.contains(key)) }
    let (read, isDamaged) = BackupBook.read(in: data)
    #expect(read == book && !isDamaged)
  }

  @Test(arguments: [Int64.min, -1, 253_402_300_800_000, Int64.max])
  func `a moment that no server writes makes a book and a manifest damaged`(moment: Int64) throws {
    let directory = try TestSupport.TemporaryDirectory()
    let data = try DataDirectory(path: directory.path)
    var manifest = manifest(10, anna: 6)
    manifest.madeMilliseconds = moment
    try BackupFile.write(manifest, to: "\(directory.path)/\(BackupManifest.fileName)")
    #expect(throws: BackupError.self) { try BackupManifest.read(in: directory.path) }
    var books: [BackupBook] = []
    for _ in 1...3 { books.append(BackupBook()) }
    books[0].note(manifest)
    books[1].begunMilliseconds = moment
    books[2].unfinished = .init(atMilliseconds: moment, count: 1)
    for book in books {
      try book.write(to: data.path(of: .backups))
      #expect(BackupBook.read(in: data).isDamaged)
    }
    var book = BackupBook()
    book.unfinished = .init(atMilliseconds: 0, count: .max)
    try book.write(to: data.path(of: .backups))
    #expect(BackupBook.read(in: data).isDamaged)
  }

  @Test func `after a backup in which the server ended the next planned one waits, ever longer`()
    throws
  {
    let temporary = try TestSupport.TemporaryDirectory()
    let directory = try DataDirectory(path: temporary.path)
    let plan = BackupPlan(target: "/nowhere", everyMilliseconds: 86_400_000, keep: 1)
    var now = Scene.noon
    func started() -> (Continuity, [String]) {
      let counters = Counters()
      let continuity = Continuity(plan: plan, directory: directory, counters: counters)
      return (continuity, counters.alarms)
    }
    for wait: Int64 in [15, 30, 60, 120, 240, 480, 960, 1_440, 1_440] {
      var (continuity, _) = started()
      #expect(continuity.isDue(at: now, triedAt: nil))
      try continuity.begin(at: now)
      // The server ends, and a second time without having tried.
      for _ in 1...2 {
        let alarms: [String]
        (continuity, alarms) = started()
        #expect(alarms.contains { $0.contains("for \(wait) min") }, "\(alarms)")
        let almost = now.advanced(milliseconds: wait * 60_000 - 1)
        #expect(!continuity.isDue(at: now, triedAt: nil))
        #expect(!continuity.isDue(at: almost, triedAt: nil))
      }
      now = now.advanced(milliseconds: wait * 60_000)
      #expect(continuity.isDue(at: now, triedAt: nil))
      // A clock that was set back does not hold it up.
      #expect(continuity.isDue(at: Scene.noon.advanced(milliseconds: -1_000), triedAt: nil))
    }
    let (continuity, _) = started()
    try continuity.begin(at: now)
    // An orderly end is no crash.
    continuity.end()
    #expect(started().1.allSatisfy { $0.contains("9 times") })
    try continuity.note(manifest(now.milliseconds, anna: 1))
    #expect(started().1.isEmpty)
  }
}
