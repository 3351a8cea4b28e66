import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@testable import AuthorityServer

@Suite(.timeLimit(.minutes(1))) struct ReloadTests {
  private static let goals = WidgetView(kind: .match, family: .medium, appearance: .day)
  private static let match = MatchID.random()

  /// What the widget was told of all that `phone` did before. A reload leaves once it is durable:
  /// another act of the account is so only behind it.
  private func reloads(of widget: TestDevice, after phone: TestDevice) throws -> [[WidgetKind]] {
    try phone.perform(Scene.goal(Int.random(in: 1...1_000_000)))
    return try widget.sync().compactMap {
      if case .reload(let kinds) = $0 { kinds } else { nil }
    }
  }

  private func fetch(by widget: TestDevice) throws {
    try widget.send(.fetch(Fetch(view: Self.goals)))
    _ = try widget.wait { if case .snapshot = $0 { true } else { nil } }
  }

  private func nextReload(of widget: TestDevice) throws -> [WidgetKind] {
    try widget.wait { if case .reload(let kinds) = $0 { kinds } else { nil } }
  }

  private func name(_ number: Int) -> Action {
    .nameTeam(match: Self.match, team: .home, name: "Reds \(number)")
  }

  @Test func `a day's reloads are counted over connections and restarts, some kept for goals`()
    async throws
  {
    var limits = ServerLimits()
    limits.reloadsPerDay = 5
    limits.reloadPauseMilliseconds = 20
    let fixture = try await Scene.server(limits: limits)
    let phone = try await fixture.device(.phone)
    let widget = try await fixture.device(.widget)
    try phone.connect()
    try widget.connect()
    try phone.perform(Scene.match(Self.match))
    for number in 1...4 {
      try fetch(by: widget)
      try phone.perform(name(number))
      #expect(try reloads(of: widget, after: phone) == [[.match]])
    }
    // Whoever asks is answered, and costs nothing.
    try fetch(by: widget)
    try phone.perform(name(5))
    #expect(try reloads(of: widget, after: phone).isEmpty)
    try await fixture.restart()
    try phone.connect()
    try widget.connect()
    try fetch(by: widget)
    try phone.perform(name(6))
    #expect(try reloads(of: widget, after: phone).isEmpty)
    #expect(try await fixture.status().limitRefusals["reloadsPerDay"] ?? 0 > 0)
    try phone.perform(Scene.point(in: Self.match))
    #expect(try nextReload(of: widget) == [.match])
    try fetch(by: widget)
    try phone.perform(Scene.point(in: Self.match))
    #expect(try reloads(of: widget, after: phone).isEmpty)
    // What is owed is told when the budget is back, without a further change.
    try await fixture.setClock(Scene.instant("2026-06-16T00:00:01+02:00"))
    #expect(try nextReload(of: widget) == [.match])
    await fixture.stop()
  }

  @Test func `a widget that does not fetch is told again, ever more seldom`() async throws {
    var limits = ServerLimits()
    limits.reloadPauseMilliseconds = 1
    let fixture = try await Scene.server(limits: limits)
    let phone = try await fixture.device(.phone)
    let widget = try await fixture.device(.widget)
    try phone.connect()
    try widget.connect()
    try phone.perform(Scene.match(Self.match))
    try fetch(by: widget)
    try phone.perform(name(1))
    for _ in 0..<3 { #expect(try nextReload(of: widget) == [.match]) }
    // Nothing is owed to a widget that has fetched, nor to one that would show the same.
    try fetch(by: widget)
    try phone.perform(name(2))
    try phone.perform(name(1))
    _ = try reloads(of: widget, after: phone)
    #expect(try reloads(of: widget, after: phone).isEmpty)
    await fixture.stop()
  }

  @Test func `a reload waits after each telling, and a change shortens the wait to a pause`() {
    var owed = OwedReload(at: 1_000, isBigMoment: false)
    var told: [Int64] = []
    for _ in 0..<6 {
      told.append(owed.dueAt)
      owed.tell(at: owed.dueAt, pause: 10)
    }
    #expect(told == [1_000, 1_050, 1_200, 1_800, 4_200, 6_600])
    owed.change(at: 6_605, isBigMoment: true, pause: 10)
    #expect(owed.dueAt == 6_610 && owed.isBigMoment)
    owed.change(at: 6_700, isBigMoment: false, pause: 10)
    #expect(owed.dueAt == 6_610 && owed.isBigMoment)
    owed.postpone(at: 6_700, pause: 10)
    #expect(owed.dueAt == 6_710)
  }
}
