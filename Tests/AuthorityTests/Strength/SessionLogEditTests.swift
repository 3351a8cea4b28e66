import Testing
import WatchTransfer

@testable import Authority

/// The log of a session is edited and deleted like any other; what amends the session later keeps
/// what a person edited.
@Suite struct SessionLogEditTests {
  private static let log: LogID = Gym.session.retagged()

  private func at(_ minutes: Int64) -> Instant { Gym.at(minutes) }

  /// Finished after an hour, with a set.
  private func finished() -> TestAccount {
    var account = Gym.running()
    account.set(1, at: at(1), weight: kilograms(100))
    account.session(.finish, at: at(60))
    return account
  }

  private func renamed() -> LogChange {
    var change = LogChange()
    change.title = "Heavy day"
    change.notes = "Knee felt fine"
    return change
  }

  @Test("An edit of a session's log stays when the session is amended", arguments: [false, true])
  func edited(isReplayed: Bool) throws {
    var account = finished()
    #expect(account.act(.editLog(log: Self.log, renamed()), at: at(70)) == .applied)
    account.set(2, at: at(2), weight: kilograms(105), now: at(71))
    account.act(
      .recordSamples(
        session: Gym.session,
        block: SampleBlock(number: 1, energy: [SamplePoint(at: at(3), value: 50)])),
      by: Devices.watch, at: at(3), now: at(72))
    if isReplayed {
      var state = AccountState()
      for (index, events) in account.journal.enumerated() {
        state.apply(events, revision: UInt64(index + 1))
      }
      #expect(state == account.state)
    }
    let log = try #require(account.state.log(Self.log))
    #expect(log.title == "Heavy day")
    #expect(log.notes == "Knee felt fine")
    #expect(log.energyKilocalories == 50)
    #expect(account.today.days[0].items.map(\.title) == ["Heavy day"])
  }

  @Test("The summary of a session says what the person amended, as the history does")
  func amendedSummary() throws {
    var account = finished()
    var change = renamed()
    change.end = .instant(at(45))
    change.energyKilocalories = .set(320)
    change.averageHeartRate = .set(121)
    #expect(account.act(.editLog(log: Self.log, change), at: at(70)) == .applied)
    #expect(touchedFacets(by: account.events).contains(.lastSession))
    let log = try #require(account.state.log(Self.log))
    let summary = try #require(account.lastSession)
    #expect(summary.title == "Heavy day")
    #expect(summary.text == "Heavy day · 45 min · 1 set · 500 kg")
    #expect(summary.startedAt == log.start && summary.endedAt == log.end)
    #expect(summary.activeMilliseconds == log.activeMilliseconds)
    #expect(summary.spanMilliseconds == 45 * 60_000 && summary.pausedMilliseconds == 0)
    #expect(summary.energyKilocalories == 320 && summary.averageHeartRate == 121)
    #expect(summary.maximumHeartRate == log.maximumHeartRate)
  }

  @Test("No day has more sessions than logs, also of those that only their end is known of")
  func strayEnds() throws {
    var account = Gym.account()
    let max = AuthorityLimits.logsPerDayMax
    for number in 1...UInt64(max + 5) {
      let outcome = account.session(.finish, at: at(1), of: .test(7_000 + number))
      #expect(outcome == (number <= max ? .applied : .refused(.limit(of: "logs"))))
    }
    let day = try #require(account.state.logs.days.last)
    #expect(day.logs.count == max)
    // One that runs can be ended all the same.
    var running = Gym.running()
    for number in 1...UInt64(max) {
      running.session(.finish, at: at(1), of: .test(7_000 + number))
    }
    #expect(running.session(.finish, at: at(2)) == .applied)
  }

  @Test("An end that was edited past midnight keeps its day when the session is amended")
  func editedEnd() throws {
    var account = finished()
    var change = LogChange()
    change.end = .instant(at(24 * 60))
    #expect(account.act(.editLog(log: Self.log, change), at: at(25 * 60)) == .applied)
    let day = try #require(account.state.log(Self.log)).day
    account.set(2, at: at(2), weight: kilograms(105), now: at(25 * 60 + 1))
    let log = try #require(account.state.log(Self.log))
    #expect(log.day == day && log.end == at(24 * 60))
    #expect(account.state.logs.count == 1)
  }

  @Test("A deleted log takes its session along, and nothing brings it back")
  func deleted() {
    var account = finished()
    #expect(account.act(.deleteLog(log: Self.log), at: at(70)) == .applied)
    #expect(account.state.log(Self.log) == nil)
    #expect(account.lastSession == nil)
    #expect(account.today.days[0].items.isEmpty)
    #expect(account.set(2, at: at(2), now: at(71)) == .refused(.gone))
    #expect(account.act(.deleteLog(log: Self.log), at: at(72)) == .refused(.gone))
    #expect(account.act(.editLog(log: Self.log, renamed()), at: at(73)) == .refused(.gone))
    #expect(account.state.logs.count == 0)
  }

  @Test("A running session has no log to edit or delete yet")
  func running() {
    var account = Gym.running()
    #expect(account.act(.deleteLog(log: Self.log), at: at(1)) == .refused(.notFound))
    #expect(account.act(.editLog(log: Self.log, renamed()), at: at(1)) == .refused(.notFound))
    #expect(account.session != nil)
  }

  @Test("An edit that comes back before its session's finish is put in when the finish comes")
  func reofferedEdit() throws {
    for isStarted in [true, false] {
      var account = isStarted ? Gym.running() : TestAccount(at: Gym.at(0))
      let edit = Action.editLog(log: Self.log, renamed())
      #expect(account.act(edit, at: at(70), reoffered: true) == .applied)
      if !isStarted {
        account.act(
          .startSession(id: Gym.session, plan: .activity("strength")),
          by: Devices.watch, at: at(0), now: at(71), reoffered: true)
      }
      #expect(account.act(edit, at: at(70), reoffered: false) == .refused(.notFound))
      account.act(
        .controlSession(session: Gym.session, control: .finish), by: Devices.watch, at: at(60),
        now: at(72), reoffered: true)
      let log = try #require(account.state.log(Self.log))
      #expect(log.title == "Heavy day")
      #expect(account.state.waiting.isEmpty)
    }
  }

  @Test("A deletion that comes back before its session's finish lets nothing come back")
  func reofferedDeletion() {
    var account = Gym.running()
    #expect(account.act(.deleteLog(log: Self.log), at: at(70), reoffered: true) == .applied)
    account.act(
      .controlSession(session: Gym.session, control: .finish), by: Devices.watch, at: at(60),
      now: at(72),
      reoffered: true)
    #expect(account.session == nil)
    #expect(account.state.logs.count == 0)
  }
}
