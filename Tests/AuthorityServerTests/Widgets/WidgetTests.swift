import AuthorityServer
import TestSupport
import Testing
import WatchTransfer
import WireFormat

@Suite(.timeLimit(.minutes(1))) struct WidgetTests {
  static let streak = WidgetView(kind: .streak, family: .small, appearance: .both)
  static let match = WidgetView(kind: .match, family: .medium, appearance: .day)

  func fetch(_ view: WidgetView, known: UInt64? = nil, by widget: TestDevice) throws -> Snapshot? {
    try widget.send(.fetch(Fetch(view: view, knownHash: known)))
    return try widget.wait { message -> Snapshot?? in
      switch message {
      case .snapshot(let snapshot): .some(snapshot)
      case .notModified: .some(nil)
      default: nil
      }
    }
  }

  /// What the widget was told of all that `phone` did before. A reload leaves once it is durable:
  /// another act of the account is so only behind it.
  func reloads(of widget: TestDevice, after phone: TestDevice) throws -> [[WidgetKind]] {
    try phone.perform(Scene.goal(Int.random(in: 2...1_000_000)))
    return try widget.sync().compactMap { if case .reload(let kinds) = $0 { kinds } else { nil } }
  }

  @Test(arguments: WidgetKind.allCases, WidgetFamily.allCases)
  func `every widget in every family and appearance is a timeline of a week`(
    kind: WidgetKind, family: WidgetFamily
  ) async throws {
    let fixture = try await Scene.server()
    let widget = try await fixture.device(.widget)
    try widget.connect()
    for appearance in Appearance.allCases {
      let view = WidgetView(kind: kind, family: family, appearance: appearance)
      let snapshot = try #require(try fetch(view, by: widget))
      #expect(snapshot.view == view)
      #expect(snapshot.content.count <= 4_096)
      #expect(snapshot.hash == contentHash(snapshot.content))
      let timeline = try MessageDecoder(limits: .fromServer).decodeTimeline(snapshot.content)
      let first = try #require(timeline.entries.first)
      #expect(first.from <= Scene.noon.advanced(milliseconds: 60_000))
      #expect(timeline.reloadAfter > Scene.noon)
      if kind != .match {
        let last = try #require(timeline.entries.last)
        #expect(last.from.milliseconds(since: Scene.noon) > 6 * 86_400_000)
      }
      #expect((timeline.day != nil) == (appearance != .night))
      #expect((timeline.night != nil) == (appearance != .day))
    }
    await fixture.stop()
  }

  @Test func `a widget that has the snapshot is told so, until it changes`() async throws {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    let widget = try await fixture.device(.widget)
    try phone.connect()
    try widget.connect()
    let snapshot = try #require(try fetch(Self.streak, by: widget))
    #expect(try fetch(Self.streak, known: snapshot.hash, by: widget) == nil)
    #expect(try fetch(Self.streak, known: snapshot.hash ^ 1, by: widget) == snapshot)
    try phone.perform(Scene.goal(1))
    #expect(try fetch(Self.streak, known: snapshot.hash, by: widget) == nil, "it shows no goals")
    try phone.perform(.markWorkout(log: .random(), workout: .title("Row")))
    let changed = try #require(try fetch(Self.streak, known: snapshot.hash, by: widget))
    #expect(changed.hash != snapshot.hash)
    #expect(changed.revision == phone.state.revision)
    await fixture.stop()
  }

  @Test func `WID-05: a reload is owed after each change until the widget has fetched`()
    async throws
  {
    var limits = ServerLimits()
    limits.reloadPauseMilliseconds = 0
    let fixture = try await Scene.server(limits: limits)
    let phone = try await fixture.device(.phone)
    let widget = try await fixture.device(.widget)
    try phone.connect()
    let match = MatchID.random()
    try phone.perform(Scene.match(match))
    try widget.connect()
    try phone.perform(Scene.point(in: match))
    #expect(try reloads(of: widget, after: phone).isEmpty, "it has fetched nothing yet")
    _ = try fetch(Self.match, by: widget)
    _ = try fetch(Self.streak, by: widget)
    #expect(try reloads(of: widget, after: phone).isEmpty)
    try phone.perform(Scene.goal(1))
    #expect(try reloads(of: widget, after: phone).isEmpty, "nothing that a widget shows")
    // The first reload is lost on the widget's side; the second change owes one again.
    for _ in 1...2 {
      try phone.perform(Scene.point(in: match))
      // Without a pause it is told again each second.
      #expect(Set(try reloads(of: widget, after: phone)) == [[.match]])
    }
    _ = try fetch(Self.match, by: widget)
    #expect(try reloads(of: widget, after: phone).isEmpty)
    try phone.perform(.setTheme(mode: .night))
    #expect(Set(try reloads(of: widget, after: phone)) == [[.streak, .match]])
    await fixture.stop()
  }

  @Test func `a change that is taken back before the widget fetches owes nothing more`()
    async throws
  {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    let widget = try await fixture.device(.widget)
    try phone.connect()
    try widget.connect()
    let snapshot = try #require(try fetch(Self.streak, by: widget))
    try phone.perform(.markWorkout(log: .random(), workout: .title("Row")))
    #expect(try reloads(of: widget, after: phone) == [[.streak]])
    try phone.perform(.unmarkWorkout(workout: .title("Row")))
    #expect(try reloads(of: widget, after: phone).isEmpty)
    #expect(try fetch(Self.streak, known: snapshot.hash, by: widget) == nil)
    await fixture.stop()
  }
}
