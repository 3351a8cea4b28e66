import AuthorityLink
import Testing
import WatchTransfer

/// What an update does to a surface (DESIGN sections 3 and 4).
struct SurfaceMachineTests {
  private func encoded(_ kind: FacetKind, _ revision: Revision) -> EncodedFacet {
    EncodedFacet(kind: kind, revision: revision, content: [UInt8(kind.rawValue), UInt8(revision)])
  }

  private func update(
    from: Revision, to: Revision, _ facets: [EncodedFacet] = [], epoch start: EpochID = epoch(1),
    cues: [Cue] = []
  ) -> Update {
    Update(epoch: start, from: from, to: to, facets: facets, cues: cues)
  }

  private func decode(_ facet: EncodedFacet) -> Facet? {
    switch facet.kind {
    case .teams: .teams(nil)
    case .score: .score(nil)
    default: nil
    }
  }

  /// A connected surface at revision 40.
  private func connected(revision: Revision = 40) -> SurfaceMachine {
    var machine = SurfaceMachine()
    machine.received(welcome(revision: revision))
    _ = machine.received(
      update(from: 0, to: revision, [encoded(.teams, 3), encoded(.score, revision)]),
      decode: decode)
    return machine
  }

  private let cue = Cue(kind: .goal, at: Instant(milliseconds: 5))

  @Test func aFirstUpdateFillsTheSurface() {
    let machine = connected()
    #expect(machine.state.revision == 40)
    #expect(machine.state.account == account(1))
    #expect(machine.state.facets == [.teams: .teams(nil), .score: .score(nil)])
    #expect(!machine.state.isStale)
    let cursor = Cursor(
      epoch: epoch(1), revision: 40, facetSet: DeviceKind.watch.facetSet)
    #expect(machine.state.cursor == cursor)
  }

  @Test("WCH-01: after days idle, old updates neither set the state back nor act again")
  func afterDaysIdle() {
    var machine = connected()
    var acted: [Revision] = []
    var revisions: [Revision] = []
    var before: Revision = 40
    for to in [41, 44, 44, 47, 53, 53] as [Revision] {
      let change = update(from: before, to: to, [encoded(.score, to)], cues: [cue])
      if case .applied(let applied) = machine.received(change, decode: decode) {
        if !applied.cues.isEmpty { acted.append(applied.to) }
      }
      revisions.append(machine.state.revision)
      before = to
    }
    #expect(acted == [41, 44, 47, 53])
    #expect(revisions == [41, 44, 44, 47, 53, 53])
    #expect(machine.state.encoded[.score]?.revision == 53)
  }

  @Test(
    "WCH-01: whatever comes twice, late or with holes: never back, and no update acts twice",
    arguments: UInt64(1)...50)
  func anySequence(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var machine = connected()
    // What the server said, in the order it said it; each from where the last one ended.
    var said: [Update] = []
    var end: Revision = 40
    for _ in 0..<12 {
      let next = end + Revision(random.next() % 4)
      said.append(update(from: end, to: next, [encoded(.score, next)], cues: [cue]))
      end = next
    }
    var acted: [Revision: Int] = [:]
    var last: Revision = 40
    for _ in 0..<80 {
      let change = said[Int(random.next() % UInt64(said.count))]
      if case .applied(let applied) = machine.received(change, decode: decode),
        !applied.cues.isEmpty
      {
        acted[applied.to, default: 0] += 1
      }
      #expect(machine.state.revision >= last)
      last = machine.state.revision
    }
    for change in said { _ = machine.received(change, decode: decode) }
    #expect(acted.values.allSatisfy { $0 == 1 }, "\(acted)")
    #expect(machine.state.revision == end)
    #expect(machine.state.encoded[.score]?.revision == end)
  }

  @Test("WCH-01: an update that comes late is ignored, and the server asked once")
  func lateUpdate() {
    var machine = connected()
    let late = update(from: 30, to: 35, [encoded(.score, 35)], cues: [cue])
    #expect(machine.received(late, decode: decode) == .resume(machine.state.cursor))
    #expect(machine.received(late, decode: decode) == .ignored)
    #expect(machine.state.revision == 40)
    #expect(machine.state.encoded[.score]?.revision == 40)
  }

  @Test func afterTheAnswerItMayAskAgain() {
    var machine = connected()
    let late = update(from: 30, to: 35)
    _ = machine.received(late, decode: decode)
    _ = machine.received(update(from: 40, to: 41), decode: decode)
    #expect(machine.received(late, decode: decode) == .resume(machine.state.cursor))
  }

  @Test func anUpdateAfterAGapIsNotApplied() {
    var machine = connected()
    let change = update(from: 45, to: 46, [encoded(.score, 46)])
    #expect(machine.received(change, decode: decode) == .resume(machine.state.cursor))
    #expect(machine.state.revision == 40)
  }

  @Test func anOverlappingUpdateChangesOnlyWhatIsNewer() {
    var machine = connected()
    let change = update(from: 35, to: 42, [encoded(.score, 39), encoded(.teams, 42)])
    guard case .applied(let applied) = machine.received(change, decode: decode) else {
      Issue.record("not applied")
      return
    }
    #expect(applied.facets == [.teams(nil)])
    #expect(machine.state.encoded[.score]?.revision == 40)
    #expect(machine.state.revision == 42)
  }

  // WCH-09
  @Test func theWholeStateAskedForAgainIsTakenThoughNothingChanged() {
    var machine = connected()
    machine.askForEverything()
    let whole = update(from: 0, to: 40, [encoded(.teams, 3), encoded(.score, 40)])
    guard case .applied(let applied) = machine.received(whole, decode: decode) else {
      Issue.record("silenced")
      return
    }
    #expect(applied.facets.count == 2)
  }

  @Test func theWholeStateReplacesWhatIsNoLongerPartOfIt() {
    var machine = connected()
    _ = machine.received(
      update(from: 0, to: 2, [encoded(.teams, 2)], epoch: epoch(2)), decode: decode)
    #expect(machine.state.encoded.keys.sorted { $0.rawValue < $1.rawValue } == [.teams])
    #expect(machine.state.epoch == epoch(2))
    #expect(machine.state.revision == 2)
  }

  @Test func aServerThatStartedAgainContinuesExactlyWhereTheSurfaceStands() {
    var machine = connected()
    machine.disconnected()
    #expect(machine.state.isStale)
    machine.received(welcome(epoch: epoch(2), revision: 43))
    let exact = update(from: 40, to: 43, [encoded(.score, 42)], epoch: epoch(2))
    guard case .applied = machine.received(exact, decode: decode) else {
      Issue.record("not applied")
      return
    }
    #expect(machine.state.epoch == epoch(2))
    #expect(!machine.state.isStale)
    var other = connected()
    other.received(welcome(epoch: epoch(2), revision: 43))
    let elsewhere = update(from: 39, to: 43, epoch: epoch(2))
    #expect(other.received(elsewhere, decode: decode) == .resume(other.state.cursor))
  }

  @Test func anEmptySurfaceThatIsNotSentTheWholeStateAsksForIt() {
    var machine = SurfaceMachine()
    machine.received(welcome(revision: 9))
    #expect(machine.received(update(from: 8, to: 9), decode: decode) == .resume(nil))
  }

  @Test func nothingIsTakenWithoutAWelcome() {
    var machine = SurfaceMachine()
    #expect(machine.received(update(from: 0, to: 9), decode: decode) == .ignored)
    #expect(machine.state == .empty)
  }

  @Test func aKeptStateIsConfirmedByAWelcomeAtItsRevision() {
    var machine = SurfaceMachine(connected().state)
    #expect(machine.state.isStale)
    machine.received(welcome(revision: 40))
    #expect(!machine.state.isStale)
    machine.received(welcome(revision: 41))
    #expect(machine.state.isStale)
    machine.received(welcome(revision: 40, facetSet: 9))
    #expect(machine.state.isStale)
  }

  @Test func aFacetThatCannotBeReadIsKeptAndNotShown() {
    var machine = connected()
    _ = machine.received(update(from: 40, to: 41, [encoded(.goals, 41)]), decode: decode)
    #expect(machine.state.facets[.goals] == nil)
    #expect(machine.state.encoded[.goals]?.revision == 41)
    #expect(machine.state.revision == 41)
  }

  @Test func readingsAreReplacedAndNotKeptOverAConnection() {
    var machine = connected()
    let reading = Reading.delivery(DeliveryReading(refused: 1))
    var change = update(from: 40, to: 40)
    change.readings = [reading]
    _ = machine.received(change, decode: decode)
    #expect(machine.state.readings == [.delivery: reading])
    machine.received(welcome(revision: 40))
    #expect(machine.state.readings.isEmpty)
  }

  @Test func surfacesReadTimelinesByTheCorrectedClock() {
    var machine = connected()
    machine.received(clockOffsetMilliseconds: 300_000)
    let slow = DeviceClock(wall: Instant(milliseconds: 1_000))
    #expect(machine.state.correctedNow(slow) == Instant(milliseconds: 301_000))
  }
}
