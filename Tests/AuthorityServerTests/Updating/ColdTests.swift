import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct ColdTests {
  @Test(
    arguments: [
      (.phone, FacetKind.allCases),
      (.watch, FacetKind.allCases.filter { $0 != .squads && $0 != .playTime }),
      (
        .activity,
        [.goals, .preferences, .theme, .teams, .score, .matchClock, .session, .lastSession]
      ), (.widget, []),
      (.health, []), (.controller, []),
    ] as [(DeviceKind, [FacetKind])])
  func `a cold surface is sent its whole set, and nothing of another's`(
    kind: DeviceKind, facets: [FacetKind]
  ) async throws {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone, name: "maker")
    try phone.connect()
    let match = MatchID.random()
    for action in [Scene.goal(3), Scene.match(match), Scene.point(in: match)] {
      try phone.perform(action)
    }
    let device = try await fixture.device(kind)
    let update = try device.connect(cursor: nil)
    #expect(update.from == 0)
    #expect(update.to == phone.state.revision)
    #expect(update.facets.map(\.kind) == facets)
    #expect(update.cues.isEmpty)
    #expect(device.welcome?.facetSet == kind.facetSet)
    #expect(device.welcome?.kind == kind)
    for facet in update.facets { #expect(facet == phone.state.facets[facet.kind]) }
    await fixture.stop()
  }

  @Test(arguments: [0, 1, 2, 5])
  func `a resuming surface is sent only the facets that changed since`(changes: Int) async throws {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    let watch = try await fixture.device(.watch)
    try phone.connect()
    try phone.perform(Scene.goal(0))
    try watch.connect()
    let seen = watch.state.revision
    watch.disconnect()
    let actions: [Action] = [
      Scene.goal(1), .setTheme(mode: .night), Scene.goal(2), .setTheme(mode: .day), Scene.goal(3),
    ]
    for action in actions[..<changes] { try phone.perform(action) }
    let update = try watch.connect()
    #expect(update.from == seen)
    #expect(update.to == seen + Revision(changes))
    let expected: [FacetKind] = changes == 0 ? [] : changes == 1 ? [.goals] : [.goals, .theme]
    #expect(update.facets.map(\.kind) == expected)
    #expect(watch.state.contents == phone.state.contents(shownOn: .watch))
    await fixture.stop()
  }

  @Test func `connections of one kind at one revision are sent the same bytes`() async throws {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    try phone.connect()
    try phone.perform(Scene.goal(1))
    var updates: [Update] = []
    for name in ["a", "b", "c"] {
      updates.append(try await fixture.device(.watch, name: name).connect(cursor: nil))
    }
    #expect(Set(updates).count == 1)
    await fixture.stop()
  }
}
