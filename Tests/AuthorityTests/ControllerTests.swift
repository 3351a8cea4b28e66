import Testing
import WatchTransfer

@testable import Authority

/// Buttons and what they do (DESIGN sections 4 and 6, BikeControl).
@Suite struct ControllerTests {
  private let match = MatchID.test(100)
  private let start = instant("2026-06-10T10:00:00Z")

  private func at(_ seconds: Double) -> Instant {
    start.advanced(milliseconds: Int64(seconds * 1_000))
  }

  private static let bindings: [KeyBinding] = [
    KeyBinding(button: 1, gesture: .press, command: .point(.home)),
    KeyBinding(button: 1, gesture: .hold, command: .undoPoint),
    KeyBinding(button: 1, gesture: .double, command: .point(.away)),
    KeyBinding(button: 2, gesture: .press, command: .clock(.start)),
    KeyBinding(button: 2, gesture: .hold, command: .clock(.pause)),
    KeyBinding(button: 2, gesture: .double, command: .clock(.nextHalf)),
    KeyBinding(button: 3, gesture: .press, command: .markWorkout(title: "Legs")),
    KeyBinding(button: 4, gesture: .press, command: .clock(.reset)),
    KeyBinding(button: 4, gesture: .hold, command: .clock(.end)),
  ]

  private func mapped() -> TestAccount {
    var account = TestAccount(at: at(-100))
    account.act(
      .newMatch(id: match, home: "Reds", away: "Blues", halfLengthMilliseconds: 2_700_000),
      at: at(-50))
    account.act(.setKeymap(bindings: Self.bindings), at: at(-40))
    return account
  }

  @Test("Each command is the action it stands for, by the controller", arguments: bindings)
  func commands(binding: KeyBinding) throws {
    var account = mapped()
    account.press(1, .press, number: 1, at: at(0))
    account.press(2, .press, number: 2, at: at(1))
    let action: Action
    switch binding.command {
    case .point(let team):
      action = .addPoint(
        entry: derivedID(of: act(7)), match: match, team: team, insist: false)
    case .undoPoint: action = .undoPoint(match: match, entry: derivedID(of: act(1)))
    case .clock(let control): action = .controlClock(match: match, control: control)
    case .markWorkout(let title):
      action = .markWorkout(log: derivedID(of: act(7)), workout: .title(title))
    }
    // A watch may ask for it itself; with the controller's id it is the same.
    let asked = account.decision(
      action, by: ActingDevice(id: Devices.controller.id, name: "Bar", kind: .watch), at: at(60))
    let pressed = account.decision(
      .press(button: binding.button, gesture: binding.gesture), by: Devices.controller,
      at: at(60), number: 7)
    #expect(pressed == asked)
    #expect(pressed.outcome == .applied)
    #expect(!pressed.events.isEmpty)
  }

  private func act(_ number: ActionNumber) -> IncarnationNumber {
    IncarnationNumber(incarnation: .test(77), number: number)
  }

  @Test("Ids of what a press makes are a hash of incarnation and number, the same ever after")
  func derived() {
    #expect(
      EntryID(hashing: "".utf8).description == "6c62272e07bb014262b821756295c58d")
    #expect(
      EntryID(hashing: "foobar".utf8).description == "343e1662793c64bf6f0d3597ba446f18")
    let id: EntryID = derivedID(
      of: IncarnationNumber(incarnation: IncarnationID(high: 1, low: 2), number: 3))
    #expect(id.description == "fdb52bf0246017ca69a34d19fc76ba2d")
    var account = mapped()
    account.press(1, .press, number: 5, at: at(0))
    #expect(account.score?.entries.map(\.id) == [derivedID(of: act(5))])
    account.press(1, .press, number: 6, at: at(10))
    #expect(account.score?.home == 2)
  }

  @Test("A press that nothing is bound to is refused, and so is one without a match")
  func unmapped() {
    var account = TestAccount(at: at(-100))
    #expect(account.press(1, .press, at: at(0)) == .refused(.unmapped))
    account.act(.setKeymap(bindings: Self.bindings), at: at(1))
    #expect(account.press(1, .press, at: at(2)) == .refused(.notFound))
    #expect(account.press(2, .press, at: at(2)) == .refused(.notFound))
    #expect(account.press(9, .press, at: at(2)) == .refused(.unmapped))
    #expect(account.press(3, .hold, at: at(2)) == .refused(.unmapped))
    #expect(account.press(3, .press, at: at(2)) == .applied)
    account.act(.setKeymap(bindings: []), at: at(3))
    #expect(account.press(3, .press, at: at(4)) == .refused(.unmapped))
  }

  @Test(
    "A press lasts 120 s, whatever it would do and whoever the recorder is",
    arguments: bindings, [(120.0, DecidedOutcome.applied), (120.001, .expired)])
  func perishes(binding: KeyBinding, late: (seconds: Double, outcome: DecidedOutcome)) {
    var account = mapped()
    account.press(1, .press, number: 1, at: at(0))
    account.press(2, .press, number: 2, at: at(1))
    #expect(account.clock?.recorder == Devices.controller.id, "it started the clock")
    let press = Action.press(button: binding.button, gesture: binding.gesture)
    #expect(isPerishable(account.state, press, by: Devices.controller.id, at: at(60)))
    #expect(
      account.act(
        press, by: Devices.controller, at: at(60), now: at(60 + late.seconds), number: 3)
        == late.outcome)
  }

  @Test("An undo takes back the controller's own newest point, not another's")
  func undo() {
    var account = mapped()
    #expect(account.press(1, .hold, at: at(0)) == .refused(.notFound))
    account.press(1, .press, number: 1, at: at(1))
    account.press(1, .double, number: 2, at: at(10))
    account.point(match, .home, entry: 60, at: at(20))
    #expect(account.press(1, .hold, number: 3, at: at(30)) == .applied)
    #expect(account.score?.away == 0)
    #expect(account.score?.home == 2)
    #expect(account.press(1, .hold, number: 4, at: at(31)) == .applied)
    #expect(account.press(1, .hold, number: 5, at: at(32)) == .refused(.notFound))
    #expect(account.score?.entries.map(\.by) == ["Watch"])
  }

  @Test("Rules of the action hold: two referees are one point, an over match takes none")
  func rules() {
    var account = mapped()
    account.point(match, .home, entry: 60, at: at(0))
    #expect(account.press(1, .press, number: 1, at: at(2)) == .refused(.coincides))
    #expect(account.press(1, .press, number: 2, at: at(3.001)) == .applied)
    account.control(match, .start, at: at(10))
    account.control(match, .end, at: at(20))
    #expect(account.press(1, .press, number: 3, at: at(30)) == .refused(.ended))
    #expect(account.press(2, .press, number: 4, at: at(30)) == .refused(.ended))
    #expect(account.press(1, .hold, number: 5, at: at(30)) == .applied, "a mistake can be mended")
  }

  @Test("A controller may press and nothing else", arguments: DeviceKind.allCases)
  func rights(kind: DeviceKind) {
    let account = mapped()
    let device = ActingDevice(id: .test(70), name: "D", kind: kind)
    let press = account.decision(.press(button: 1, gesture: .press), by: device, at: at(0))
    #expect(
      (press.outcome == .applied) == [.phone, .watch, .controller].contains(kind))
    let keymap = account.decision(.setKeymap(bindings: []), by: device, at: at(0)).outcome
    #expect(keymap == ([.phone, .watch].contains(kind) ? .applied : .refused(.forbidden)))
    if kind == .controller {
      var generator = ActionGenerator(random: SeededGenerator(seed: 1))
      for _ in 0..<500 {
        let action = generator.action(around: at(0))
        if case .press = action { continue }
        #expect(account.decision(action, by: device, at: at(0)).outcome == .refused(.forbidden))
      }
    }
  }

  @Test("Of two keymaps the later corrected time wins, ties the higher device id")
  func laterWins() {
    var account = mapped()
    let pause = KeyBinding(button: 1, gesture: .press, command: .clock(.pause))
    #expect(
      account.act(.setKeymap(bindings: [pause]), at: at(-41), now: at(0))
        == .refused(.superseded))
    #expect(
      account.act(.setKeymap(bindings: [pause]), by: Devices.watch, at: at(-40), now: at(0))
        == .applied)
    #expect(account.state.keymap.value == [pause])
    #expect(
      account.act(.setKeymap(bindings: []), at: at(-40), now: at(1)) == .refused(.superseded))
    // A clock that went back leaves none that no edit can replace.
    account.act(.setKeymap(bindings: Self.bindings), at: at(500))
    account.turn(at: at(100))
    #expect(account.act(.setKeymap(bindings: []), at: at(101)) == .applied)
  }

  @Test(
    "What is wrong with a keymap is refused",
    arguments: [
      (
        [
          KeyBinding(button: 1, gesture: .press, command: .undoPoint),
          KeyBinding(button: 2, gesture: .press, command: .undoPoint),
          KeyBinding(button: 1, gesture: .press, command: .point(.home)),
        ], .invalid(field: "bindings")
      ),
      (
        [KeyBinding(button: 1, gesture: .press, command: .markWorkout(title: ""))],
        .invalid(field: "title")
      ),
      (
        (0..<33).map { KeyBinding(button: $0, gesture: .press, command: .undoPoint) },
        .limit(of: "bindings")
      ),
    ] as [([KeyBinding], RefusalReason)])
  func refused(bindings: [KeyBinding], reason: RefusalReason) {
    var account = mapped()
    #expect(account.act(.setKeymap(bindings: bindings), at: at(0)) == .refused(reason))
    let most = (0..<32).map { KeyBinding(button: $0, gesture: .press, command: .undoPoint) }
    #expect(account.act(.setKeymap(bindings: most.reversed()), at: at(1)) == .applied)
    #expect(account.state.keymap.value == most, "in order, however it was sent")
  }

  @Test("Offered again after a restore, a press has the same id, and without its keymap no effect")
  func reoffered() {
    var account = mapped()
    account.press(1, .press, number: 4, at: at(0))
    let shown = account.score
    var restored = mapped()
    #expect(
      restored.act(
        .press(button: 1, gesture: .press), by: Devices.controller, at: at(0), now: at(9_000),
        reoffered: true, number: 4) == .applied)
    #expect(restored.score == shown)
    #expect(
      restored.act(
        .press(button: 1, gesture: .press), by: Devices.controller, at: at(0), now: at(9_001),
        reoffered: true, number: 4) == .applied)
    #expect(restored.score == shown, "it is there already")
    #expect(
      restored.act(
        .press(button: 9, gesture: .press), by: Devices.controller, at: at(0), now: at(9_000),
        reoffered: true, number: 5) == .applied)
    #expect(restored.score == shown)
  }
}

extension TestAccount {
  /// Presses a button of the controller.
  @discardableResult
  mutating func press(
    _ button: UInt8, _ gesture: Gesture, number: ActionNumber = 99, at occurred: Instant
  ) -> DecidedOutcome {
    act(
      .press(button: button, gesture: gesture), by: Devices.controller, at: occurred,
      number: number)
  }
}
