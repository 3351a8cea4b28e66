import Testing
import WatchTransfer

@testable import Authority

/// Durations, averages and loads (DESIGN section 6, rule 7).
@Suite struct SessionFiguresTests {
  private func at(_ minutes: Int64, _ seconds: Int64 = 0) -> Instant { Gym.at(minutes, seconds) }

  /// One value, so many seconds after noon.
  private func point(_ seconds: Int64, _ value: Double) -> SamplePoint {
    SamplePoint(at: at(0, seconds), value: value)
  }

  private func heart(_ number: UInt32, _ points: [SamplePoint]) -> Action {
    .recordSamples(session: Gym.session, block: SampleBlock(number: number, heartRate: points))
  }

  @Test(
    "HR-01: 0 is no value; with nothing else the average is absent",
    arguments: [
      ([0, 150, 0, 160], 155), ([150, 0, 160, 0], 155), ([0, 0, 0, 0], nil), ([0, 90, 0, 0], 90),
      ([100, 100, 100, 130], 107.5),
    ] as [([Double], Double?)])
  func zeroIsNoValue(values: [Double], average: Double?) {
    var account = Gym.running()
    let points = values.enumerated().map { point(Int64($0.offset), $0.element) }
    account.act(heart(0, points), by: Devices.watch, at: at(0, 4))
    account.session(.finish, at: at(0, 4))
    #expect(account.log?.averageHeartRate == average)
    #expect(account.lastSession?.averageHeartRate == average)
    #expect(account.lastSession?.maximumHeartRate == values.max().flatMap { $0 > 0 ? $0 : nil })
  }

  @Test("HR-03: a pause carries no weight", arguments: [1, 300, 3_600] as [Int64])
  func pause(seconds: Int64) throws {
    var account = Gym.running()
    account.session(.pause, at: at(0, 60))
    account.session(.resume, at: at(0, 60 + seconds))
    account.session(.finish, at: at(0, 120 + seconds))
    for block in 0..<2 {
      let start = block == 0 ? 0 : 60 + seconds
      let points = (start..<start + 60).map { point($0, block == 0 ? 150 : 130) }
      account.act(
        heart(UInt32(block), points), by: Devices.watch, at: at(0, start + 60), now: at(200))
    }
    #expect(account.log?.averageHeartRate == 140)
    #expect(account.log?.activeMilliseconds == 120_000)
  }

  @Test("HR-05: a value holds until the next or the end; what is outside the span does not count")
  func outsideTheSpan() {
    var account = TestAccount(at: at(-60))
    account.act(
      .startSession(id: Gym.session, plan: .activity("running")), by: Devices.watch, at: at(10))
    account.session(.finish, at: at(40))
    let points = [
      point(-60, 90), point(600, 130), point(1_500, 139), point(2_407, 133), point(2_422, 126),
    ]
    account.act(heart(0, points), by: Devices.watch, at: at(45))
    #expect(account.log?.averageHeartRate == 134.5)
    #expect(account.log?.maximumHeartRate == 139)
  }

  @Test("DUR-01: an open pause ends with the workout; never negative", arguments: [0, 20, 60])
  func openPause(pausedAfter minutes: Int64) throws {
    var account = Gym.running()
    account.session(.pause, at: at(minutes))
    account.session(.finish, at: at(60))
    let summary = try #require(account.lastSession)
    #expect(summary.activeMilliseconds == minutes * 60_000)
    #expect(summary.pausedMilliseconds == (60 - minutes) * 60_000)
    #expect(summary.spanMilliseconds == 3_600_000)
    #expect(account.log?.shownMilliseconds == minutes * 60_000)
  }

  @Test("Start = end is legal, and nothing is divided by zero")
  func noTime() throws {
    var account = Gym.running()
    account.act(heart(0, [point(0, 120)]), by: Devices.watch, at: at(0))
    account.session(.finish, at: at(0))
    let summary = try #require(account.lastSession)
    #expect(summary.spanMilliseconds == 0 && summary.activeMilliseconds == 0)
    #expect(summary.averageHeartRate == nil)
    #expect(account.log?.counts == true)
    // A finish that is stamped before its start: no time either.
    var odd = Gym.account()
    odd.session(.finish, at: at(-5), now: at(1))
    odd.act(
      .startSession(id: Gym.session, plan: .activity("rowing")), by: Devices.watch, at: at(0),
      now: at(10))
    #expect(odd.log?.start == odd.log?.end)
    #expect(odd.log?.activeMilliseconds == 0)
  }

  @Test("Energy and average are the recorder's alone; the same block again changes nothing")
  func recorderOnly() {
    var account = Gym.running()
    account.act(.takeOverSession(session: Gym.session), at: at(10))
    let early = SampleBlock(
      number: 0, heartRate: [point(60, 100)], energy: [point(60, 30), point(660, 5)])
    let late = SampleBlock(
      number: 0, heartRate: [point(660, 200)], energy: [point(60, 7), point(660, 20)])
    for _ in 0..<2 {
      account.act(.recordSamples(session: Gym.session, block: early), by: Devices.watch, at: at(12))
      account.act(.recordSamples(session: Gym.session, block: late), at: at(12))
    }
    #expect(account.events.isEmpty)
    account.session(.finish, at: at(20), by: Devices.phone)
    #expect(account.log?.energyKilocalories == 50)
    // 100 from 1:00 to 11:00, then 200 to 20:00.
    #expect(account.log?.averageHeartRate == 2_800.0 / 19)
  }

  @Test("Samples that come late amend the log; of a session long sealed they are refused")
  func lateSamples() {
    var account = Gym.running()
    account.session(.finish, at: at(30))
    #expect(account.log?.averageHeartRate == nil)
    account.act(heart(0, [point(0, 120)]), by: Devices.watch, at: at(29), now: at(90))
    #expect(account.log?.averageHeartRate == 120)
    for index in 1...UInt64(AuthorityLimits.unsealedSessionsMax) {
      let start = at(Int64(index) * 100)
      account.train(.test(700 + index), Gym.squat, from: start, sets: [], firstSet: 0)
    }
    #expect(account.state.sessions[Gym.session]?.blocks.isEmpty == true)
    #expect(account.log?.averageHeartRate == 120)
    #expect(
      account.act(heart(1, [point(9, 90)]), by: Devices.watch, at: at(29), now: at(2_000))
        == .refused(.limit(of: "samples")))
    #expect(account.set(1, at: at(3), weight: kilograms(60), now: at(2_000)) == .applied)
    #expect(account.log?.averageHeartRate == 120)
    #expect(account.state.sessions[Gym.session]?.volumeKilograms == 300)
  }

  @Test(
    "UNI-10: a set keeps the decimal that was entered",
    arguments: ["82.25", "82.250", "0.5", "100", "7.125", "-21", "-0.75"])
  func enteredDecimal(figure: String) throws {
    var account = Gym.running()
    let weight = try #require(Weight(figure, unit: .kilograms))
    account.set(1, at: at(1), weight: weight)
    let set = try #require(account.session?.sets.first)
    #expect(set.weight == weight)
    #expect(set.text.hasPrefix("5 × \(figure) kg"))
  }

  @Test("Assistance is a negative load: shown, never volume, never a record")
  func assistance() throws {
    var account = Gym.running()
    account.set(1, at: at(1), reps: 12, weight: kilograms(-21))
    #expect(account.session?.sets.first?.text == "12 × -21 kg assisted")
    account.session(.finish, at: at(5))
    #expect(account.lastSession?.volumeKilograms == 0)
    let best = account.state.strengthBests(of: [Gym.squat]) { _ in true }[Gym.squat]
    #expect(best?.weight == nil && best?.estimatedMaximum == nil)
  }

  @Test("e1RM is w·36/(37-r) for 1 to 12 repetitions, else absent")
  func estimate() {
    for reps in -1...40 {
      let expected = (1...12).contains(reps) ? 100.0 * 36 / Double(37 - reps) : nil
      #expect(estimatedMaximum(load: 100, reps: reps) == expected)
    }
    #expect(estimatedMaximum(load: 0, reps: 5) == nil)
    #expect(estimatedMaximum(load: -20, reps: 5) == nil)
  }
}
