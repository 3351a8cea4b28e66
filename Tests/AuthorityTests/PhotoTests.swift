import Testing
import WatchTransfer

@testable import Authority

/// The rules of uploads and of the photos of logs.
@Suite final class PhotoTests {
  private static let noon = local("2026-06-15 12:00", "Europe/Berlin")
  private static let hour: Int64 = 3_600_000
  private static let photo = hash(1)
  private static let other = hash(2)

  private static func hash(_ number: UInt8) -> AttachmentHash {
    AttachmentHash(bytes: Array(repeating: number, count: 32))!
  }

  private var account: TestAccount

  init() {
    account = TestAccount(at: Self.noon)
    account.mark("Legs", log: 1, at: Self.noon)
    account.mark("Arms", log: 2, at: Self.noon)
  }

  private static func after(_ milliseconds: Int64) -> Instant {
    noon.advanced(milliseconds: milliseconds)
  }

  /// What this suite counts photos in: the fewest bytes of a chunk that is not the last.
  private static let unit = Int64(AttachmentLimits.chunkBytesMin)

  private func chunk(
    _ hash: AttachmentHash = PhotoTests.photo, total: Int64 = 10, offset: Int64 = 0, count: Int = 10
  ) -> Chunk {
    Chunk(
      hash: hash, totalBytes: total * Self.unit, offset: offset * Self.unit,
      bytes: [UInt8](repeating: 0, count: count * Int(Self.unit)))
  }

  /// How far an upload is, counted in units.
  private func inUnits(_ state: ChunkState) -> ChunkState {
    var state = state
    state.offset /= Self.unit
    return state
  }

  /// Offers a chunk, and takes what comes of it; a whole upload is the right one.
  @discardableResult
  private func offer(
    _ chunk: Chunk, at now: Instant = PhotoTests.noon, isSame: Bool = true
  ) -> ChunkState {
    switch judge(account.state, chunk, now: now) {
    case .answered(let state): return inUnits(state)
    case .stored(let events, let state):
      account.commit(events)
      #expect(chunkState(account.state, chunk.hash) == state)
      return inUnits(state)
    case .complete(let events, _):
      if !events.isEmpty { account.commit(events) }
      account.commit(eventsOfComparison(account.state, chunk.hash, isSame: isSame, now: now))
      return inUnits(chunkState(account.state, chunk.hash))
    }
  }

  private func attach(
    _ log: UInt64, _ hash: AttachmentHash = PhotoTests.photo, reoffered: Bool = false
  ) -> DecidedOutcome {
    account.act(.attachPhoto(log: .test(log), hash), at: Self.noon, reoffered: reoffered)
  }

  @Test("an upload goes on from what is kept, whatever is offered")
  func upload() {
    #expect(offer(chunk(count: 0)) == ChunkState(hash: Self.photo, offset: 0))
    #expect(account.state.attachments.all.isEmpty, "a question keeps nothing")
    #expect(offer(chunk(count: 4)).offset == 4)
    #expect(offer(chunk(count: 4)) == ChunkState(hash: Self.photo, offset: 4), "known already")
    #expect(offer(chunk(offset: 5, count: 1)).refusal == .wrongOffset)
    #expect(offer(chunk(offset: 4, count: 7)).refusal == .tooLarge)
    #expect(offer(chunk(count: 0)).offset == 4)
    #expect(offer(chunk(offset: 4, count: 6)).isComplete)
    #expect(account.state.wholeBytes(of: Self.photo) == 10 * Self.unit)
    // Whoever offers it again hears that it is there, whatever total he names.
    #expect(offer(chunk(total: 3, count: 3)).isComplete)
  }

  @Test("bytes of another hash go, and the upload begins anew")
  func mismatch() {
    #expect(offer(chunk(), isSame: false) == ChunkState(hash: Self.photo, offset: 0))
    #expect(offer(chunk()).isComplete)
  }

  @Test("an upload of another size takes the place of the one before")
  func otherSize() {
    offer(chunk(total: 20, count: 5))
    #expect(offer(chunk(offset: 5, count: 5)).refusal == .wrongOffset)
    #expect(offer(chunk(count: 3)).offset == 3)
    #expect(account.state.attachments.bytes == 10 * Self.unit)
  }

  @Test(
    "a photo has 1 byte to 4 MiB", arguments: [0, AttachmentLimits.totalBytes.upperBound + 1])
  func size(total: Int64) {
    var first = chunk(count: 1)
    first.totalBytes = total
    #expect(offer(first).refusal == .tooLarge)
    first.totalBytes = AttachmentLimits.totalBytes.upperBound
    #expect(offer(first).offset == 1)
  }

  @Test("only the last chunk is small: rows on disk are bounded as bytes are")
  func smallChunks() {
    var small = chunk(total: 2, count: 1)
    small.bytes.removeLast()
    #expect(offer(small) == ChunkState(hash: Self.photo, offset: 0, refusal: .tooSmall))
    #expect(account.state.attachments.all.isEmpty)
    #expect(offer(chunk(total: 2, count: 1)).offset == 1)
    small.offset = Self.unit
    #expect(offer(small).refusal == .tooSmall)
    #expect(offer(chunk(total: 2, offset: 1, count: 1)).isComplete)
    let last = Chunk(hash: Self.other, totalBytes: 1, offset: 0, bytes: [1])
    #expect(offer(last).isComplete)
  }

  @Test("four uploads may be unfinished, and what they announce counts to the quota")
  func quota() {
    for number in 1...4 as ClosedRange<UInt8> {
      #expect(offer(chunk(Self.hash(number), count: 1)).offset == 1)
    }
    #expect(offer(chunk(Self.hash(5), count: 1)).refusal == .uploads)
    offer(chunk(Self.hash(1), offset: 1, count: 9))
    #expect(offer(chunk(Self.hash(5), count: 1)).refusal == nil)
    var full = AccountState()
    for number in 1...64 as ClosedRange<UInt8> {
      full.attachments.add(
        Attachment(
          hash: Self.hash(number), totalBytes: AttachmentLimits.totalBytes.upperBound,
          storedBytes: 0, isComplete: true, touchedAt: Self.noon))
    }
    account.state.attachments = full.attachments
    #expect(offer(chunk(Self.hash(65), total: 1, count: 1)).refusal == .quota)
  }

  @Test("a log has one photo, whose bytes must be there")
  func attaching() {
    #expect(attach(1) == .refused(.incomplete))
    offer(chunk(count: 9))
    #expect(attach(1) == .refused(.incomplete))
    offer(chunk(offset: 9, count: 1))
    offer(chunk(Self.other))
    #expect(attach(1) == .applied)
    #expect(attach(1) == .applied, "the same again changes nothing")
    #expect(account.events.isEmpty)
    #expect(attach(1, Self.other) == .refused(.limit(of: "photos")))
    #expect(attach(9) == .refused(.notFound))
    #expect(
      account.state.shownPhoto(of: .test(1))
        == LogPhoto(hash: Self.photo, totalBytes: 10 * Self.unit))
    #expect(account.state.shownPhoto(of: .test(2)) == nil)
  }

  /// Every way in which a log with a photo goes.
  enum Going: CaseIterable, Sendable {
    case removed, deleted, unmarked
  }

  @Test("bytes go with the last log that shows them", arguments: Going.allCases)
  func freed(going: Going) {
    offer(chunk())
    #expect(attach(1) == .applied)
    #expect(attach(2) == .applied)
    for (log, title, isLast) in [(UInt64(1), "Legs", false), (2, "Arms", true)] {
      let action: Action =
        switch going {
        case .removed: .removePhoto(log: .test(log))
        case .deleted: .deleteLog(log: .test(log))
        case .unmarked: .unmarkWorkout(workout: .title(title))
        }
      #expect(account.act(action, at: Self.noon) == .applied)
      #expect(account.events.contains(.attachment(.attachmentDropped(Self.photo))) == isLast)
      #expect(account.state.attachments.photo(of: .test(log)) == nil)
    }
    #expect(account.state.attachments == AttachmentBook())
    #expect(
      account.act(.removePhoto(log: .test(1)), at: Self.noon)
        == .refused(going == .removed ? .notFound : .gone))
  }

  @Test("a session that is discarded takes its photo along")
  func session() {
    let id = SessionID.test(30)
    account.act(.startSession(id: id, plan: .activity("rowing")), at: Self.noon)
    #expect(attach(30) == .refused(.notFound), "it has no log yet")
    account.act(.controlSession(session: id, control: .finish), at: Self.after(Self.hour))
    offer(chunk())
    let log: LogID = id.retagged()
    #expect(
      account.act(.attachPhoto(log: log, Self.photo), at: Self.after(Self.hour)) == .applied)
    #expect(account.act(.deleteLog(log: log), at: Self.after(2 * Self.hour)) == .applied)
    #expect(account.state.attachments == AttachmentBook())
  }

  @Test("what nobody wants goes by itself, and a turn is due for it")
  func unwanted() {
    offer(chunk(count: 4))
    offer(chunk(Self.other))
    let day = AuthorityLimits.uploadIdleMilliseconds
    #expect(!turnIsDue(account.state, now: Self.after(day - 1), zoneDataVersion: "test-1"))
    #expect(turnIsDue(account.state, now: Self.after(day), zoneDataVersion: "test-1"))
    account.turn(at: Self.after(day))
    #expect(account.state.attachments.all.map(\.hash) == [Self.other])
    account.turn(at: Self.after(AuthorityLimits.unattachedMilliseconds))
    #expect(account.state.attachments.all.isEmpty)
    // What a log shows stays.
    offer(chunk(), at: Self.after(8 * day))
    #expect(attach(1) == .applied)
    account.turn(at: Self.after(60 * day))
    #expect(account.state.wholeBytes(of: Self.photo) == 10 * Self.unit)
  }

  @Test("one turn drops some bytes, the next ones the rest")
  func unwantedInSlices() {
    for number in 1...5 as ClosedRange<UInt8> {
      account.state.attachments.add(
        Attachment(
          hash: Self.hash(number), totalBytes: AttachmentLimits.totalBytes.upperBound,
          storedBytes: AttachmentLimits.totalBytes.upperBound, isComplete: true,
          touchedAt: Self.noon))
    }
    let later = Self.after(AuthorityLimits.unattachedMilliseconds)
    for left in [3, 1, 0] {
      #expect(turnIsDue(account.state, now: later, zoneDataVersion: "test-1"))
      account.turn(at: later)
      #expect(account.state.attachments.all.count == left)
    }
    #expect(!turnIsDue(account.state, now: later, zoneDataVersion: "test-1"))
  }

  @Test("offered again after a restore a photo is missing until its bytes come back")
  func reoffered() {
    #expect(attach(1, reoffered: true) == .applied)
    // Its log comes back later.
    #expect(attach(5, reoffered: true) == .applied)
    account.mark("Row", log: 5, at: Self.noon)
    for log in [1, 5] as [UInt64] {
      #expect(
        account.state.shownPhoto(of: .test(log)) == LogPhoto(hash: Self.photo, totalBytes: nil))
    }
    offer(chunk())
    for log in [1, 5] as [UInt64] {
      #expect(account.state.shownPhoto(of: .test(log))?.totalBytes == 10 * Self.unit)
    }
    account.commit(eventsOfLoss(account.state, Self.photo))
    #expect(account.state.shownPhoto(of: .test(1)) == LogPhoto(hash: Self.photo, totalBytes: nil))
    #expect(eventsOfLoss(account.state, Self.photo).isEmpty)
    offer(chunk())
    #expect(account.state.shownPhoto(of: .test(1))?.totalBytes == 10 * Self.unit)
  }

  @Test("a later photo is not taken away by an earlier wish")
  func superseded() {
    offer(chunk())
    #expect(
      account.act(.attachPhoto(log: .test(1), Self.photo), at: Self.after(5_000)) == .applied)
    #expect(
      account.act(.removePhoto(log: .test(1)), at: Self.noon, now: Self.after(6_000))
        == .refused(.superseded))
  }

  @Test("the history shows notes, tags and the photo")
  func history() {
    var change = LogChange()
    change.notes = "Wet.\nFelt good"
    change.tags = ["hill", "rain"]
    account.act(.editLog(log: .test(1), change), at: Self.noon)
    offer(chunk())
    #expect(attach(1) == .applied)
    let page = answer(account.state, .history(HistoryQuestion()), now: Self.noon)
    guard case .history(let entries, _) = page,
      let entry = entries.first(where: { $0.key.log == .test(1) }),
      let bare = entries.first(where: { $0.key.log == .test(2) })
    else {
      Issue.record("\(page)")
      return
    }
    #expect(entry.notes == "Wet.\nFelt good" && entry.tags == ["hill", "rain"])
    #expect(entry.photo == LogPhoto(hash: Self.photo, totalBytes: 10 * Self.unit))
    #expect(bare.notes.isEmpty && bare.tags.isEmpty && bare.photo == nil)
    // The ready text stays what it was.
    #expect(entry.text == bare.text)
  }

  @Test("what a deletion takes along is said beforehand")
  func preview() {
    var change = LogChange()
    change.notes = "Wet"
    change.tags = ["hill"]
    account.act(.editLog(log: .test(1), change), at: Self.noon)
    offer(chunk())
    #expect(attach(1) == .applied)
    #expect(attach(2) == .applied)
    func preview(_ log: UInt64) -> Page.Answer {
      answer(account.state, .previewLogDeletion(of: .test(log)), now: Self.noon)
    }
    #expect(
      preview(1)
        == .deletion(
          DeletionPreview(
            goes: ["Legs, 15 Jun 2026", "Its notes", "Its 1 tag", "Its photo"],
            stays: ["The same photo of 1 other log"])))
    account.act(.deleteLog(log: .test(1)), at: Self.noon)
    #expect(preview(1) == .refused(.gone))
    #expect(preview(9) == .refused(.notFound))
    #expect(
      preview(2)
        == .deletion(DeletionPreview(goes: ["Arms, 15 Jun 2026", "Its photo"], stays: [])))
  }

  @Test("replayed, uploads and photos are the same")
  func replay() {
    offer(chunk(count: 4))
    offer(chunk(offset: 4, count: 6))
    #expect(attach(1) == .applied)
    offer(chunk(Self.other, count: 3))
    var replayed = AccountState()
    for (index, events) in account.journal.enumerated() {
      replayed.apply(events, revision: Revision(index + 1))
    }
    #expect(replayed == account.state)
  }
}
