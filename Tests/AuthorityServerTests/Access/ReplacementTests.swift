import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct ReplacementTests {
  @Test func `two copies of a device that fight are slowed down, and nobody else is`() async throws
  {
    var limits = ServerLimits()
    limits.replacementsBurst = 3
    let fixture = try await Scene.server(limits: limits)
    let first = try await fixture.device(.watch)
    let second = TestDevice(fixture, token: first.token, kind: .watch)
    let other = try await fixture.device(.phone)
    try first.connect()
    try second.connect()
    try first.connect()
    try second.connect()
    // Three replacements came at once; the fourth is one too many, and who is there stays.
    try first.begin()
    let goodbye = try first.goodbye()
    #expect(goodbye.reason == .tooMany && goodbye.comeBack)
    #expect(goodbye.retryAfterMilliseconds > 0)
    try second.perform(Scene.goal(1))
    try other.connect()
    #expect(try other.shownGoal == 1)
    await fixture.stop()
  }
}
