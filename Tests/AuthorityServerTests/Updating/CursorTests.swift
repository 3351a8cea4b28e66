import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct CursorTests {
  enum BadCursor: String, CaseIterable {
    case none
    case unknownEpoch
    case anotherSet
    case fromTheFuture
    case ofNothing

    func cursor(_ good: Cursor) -> Cursor? {
      var cursor = good
      switch self {
      case .none: return nil
      case .unknownEpoch: cursor.epoch = .random()
      case .anotherSet: cursor.facetSet = DeviceKind.activity.facetSet
      case .fromTheFuture: cursor.revision += 1
      case .ofNothing: cursor.revision = 0
      }
      return cursor
    }
  }

  @Test(arguments: BadCursor.allCases, [false, true])
  func `a cursor that does not hold gets the whole state`(bad: BadCursor, restarts: Bool)
    async throws
  {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    try watch.perform(Scene.goal(1))
    let revision = watch.state.revision
    let good = try #require(watch.state.cursor(facetSet: DeviceKind.watch.facetSet))
    if restarts { try await fixture.restart() }
    let update = try watch.connect(cursor: bad.cursor(good))
    #expect(update.from == 0)
    #expect(update.facets.map(\.kind) == DeviceKind.watch.facets)
    #expect(try watch.shownGoal == 1)
    // No revision goes back within an epoch: a start that is not listed makes a turn first.
    let makesTurn = restarts && bad != .none
    #expect(update.to == revision + (makesTurn ? 1 : 0))
    #expect((update.epoch == good.epoch) == !makesTurn)
    let alarms = try await fixture.status().alarms
    #expect(alarms.contains { $0.contains("seen more") } == (bad == .fromTheFuture))
    await fixture.stop()
  }

  /// A copy is taken at revision r, the watch sees r+3, the copy is put back, and the phone makes
  /// `changes` before the watch comes again.
  @Test(arguments: [0, 1, 3, 6])
  func `a server that went back in time is noticed`(changes: Int) async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    let phone = try await fixture.device(.phone)
    try watch.connect()
    try watch.perform(Scene.goal(1))
    let before = watch.state
    let copy = "\(fixture.directory.path)/copy"
    try fixture.copyData(to: copy)
    for value in 2...4 { try watch.perform(Scene.goal(value)) }
    let seen = watch.state.revision
    await fixture.stop()
    try fixture.replaceJournal(from: copy)
    try fixture.start()
    try phone.connect()
    for value in 0..<changes { try phone.perform(Scene.goal(100 + value)) }
    watch.outbox = TestOutbox()
    let update = try watch.connect()
    #expect(update.from == 0)
    #expect(update.epoch != before.epoch)
    #expect(try watch.shownGoal == (changes == 0 ? 1 : 99 + changes))
    if seen > before.revision + Revision(changes) {
      #expect(try await fixture.status().alarms.contains { $0.contains("seen more") })
    }
    // Who saw no more than the copy goes on where it was.
    let other = try await fixture.device(.watch, name: "other")
    other.state = before
    let resumed = try other.connect()
    #expect(resumed.from == before.revision)
    #expect(other.state.contents == watch.state.contents)
    await fixture.stop()
  }

  @Test func `a quiet account over 20 restarts resumes incrementally`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    try watch.perform(Scene.goal(1))
    let cursor = watch.state.cursor(facetSet: DeviceKind.watch.facetSet)
    for _ in 1...20 {
      try await fixture.restart()
      let update = try watch.connect()
      #expect(update.from == cursor?.revision)
      #expect(update.to == update.from)
      #expect(update.facets.isEmpty)
      #expect(watch.welcome?.epoch == cursor?.epoch)
    }
    await fixture.stop()
  }

  @Test func `a cursor holds over the last 16 starts that changed something`() async throws {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    let watch = try await fixture.device(.watch)
    try phone.connect()
    try phone.perform(Scene.goal(1))
    try watch.connect()
    let first = try #require(watch.state.cursor(facetSet: DeviceKind.watch.facetSet))
    for start in 1...16 {
      try await fixture.restart()
      try phone.connect()
      try phone.perform(Scene.goal(1 + start))
      let update = try watch.connect(cursor: first)
      #expect(update.from == (start < 16 ? first.revision : 0))
      #expect(watch.state.contents == phone.state.contents(shownOn: .watch))
    }
    await fixture.stop()
  }
}
