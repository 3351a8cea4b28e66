import Foundation
import TestSupport
import WatchTransfer
import WireFormat

@testable import AuthorityServer

/// A server that records, and people who tell it what nobody else should know.
final class TalkativeServer {
  let record: RecordedServer
  var fixture: ServerFixture { record.fixture }
  /// What people wrote, as far as it is long enough to be looked for.
  private(set) var texts: Set<String> = []
  /// Tokens, hashes of tokens and codes.
  private(set) var secrets: Set<[UInt8]> = []
  /// Bodies of acts with something new in them; a hash of one tells what it was.
  private(set) var bodies: Set<[UInt8]> = []
  private(set) var phones: [TestDevice] = []
  private var widgets: [TestDevice] = []
  private var known: [ObjectIdentifier: [WidgetView: UInt64]] = [:]
  private var workouts: [(id: WorkoutID, title: String)] = []
  private var routine: RoutineID?
  private var session: SessionID?
  private var matches: [MatchID] = []
  private var entries: [EntryID] = []
  private var random: SeededGenerator
  private var accounts: [String] = []
  private var count = 0

  init(seed: UInt64, bytesMax: Int = RecordOptions.bytesDefault) throws {
    var limits = ServerLimits()
    limits.replacementsBurst = 10_000
    record = try RecordedServer(seed: seed, bytesMax: bytesMax, partitions: 2, limits: limits)
    random = SeededGenerator(seed: seed &+ 77)
  }

  /// Text that stands nowhere else.
  private func secret(_ kind: String) -> String {
    count += 1
    let endings = ["ovská", "ópez", "蘇菲亚", "𝒜lma", "-Ann", "\u{200D}ana", " & Söhne", "O'Neil"]
    let text = "\(kind)zq\(count)\(endings.randomElement(using: &random)!)"
    texts.insert(text)
    return text
  }

  /// Texts of which only a part is an activity's word.
  private func title() -> String {
    let around = [("Morning run, ", ""), ("", " (Strength Training)"), ("ROW/", " hiit"), ("", "")]
    let (before, after) = around.randomElement(using: &random)!
    return before + secret("Mr") + after
  }

  private func keep(_ device: TestDevice) {
    secrets.insert(device.token)
    secrets.insert(TokenHash(of: device.token).bytes)
  }

  func start() async throws {
    try fixture.start()
    for _ in 0..<3 {
      let account = secret("acc")
      accounts.append(account)
      try await fixture.addAccount(account, zone: "Asia/Kolkata")
      for _ in 0..<2 {
        phones.append(try await fixture.device(.phone, account: account, name: secret("dev")))
      }
      widgets.append(try await fixture.device(.widget, account: account, name: secret("wid")))
      let code = try await fixture.code(.watch, account: account)
      secrets.insert(code.digits)
      let watch = fixture.stranger(code)
      watch.deviceName = secret("self")
      try watch.connect()
      watch.code = nil
      phones.append(watch)
    }
    for device in phones + widgets { keep(device) }
    // One that never comes: its hash alone is in the record.
    let token = try await fixture.pair(.phone, account: accounts[0], name: secret("dev"))
    secrets.insert(TokenHash(of: token).bytes)
  }

  /// Workouts that an admin imports.
  private func importWorkouts() async throws {
    let bodies = (0..<3).map { _ in
      let log = imported()
      let body = MessageEncoder().encode(
        ActionBody(occurred: DeviceClock(wall: log.end), action: .logWorkout(log)))
      self.bodies.insert(body)
      return Data(body)
    }
    let account = accounts.randomElement(using: &random)!
    let response = await fixture.server?.admin.perform(
      .importWorkouts(account: account, bodies: bodies + bodies.prefix(1)))
    guard case .imported(logged: 3, known: 1, refused: []) = response else {
      throw WireClient.Failure.unexpected("\(response as Any)")
    }
  }

  /// A workout of a health source; its id is a hash that gives the source away to who guesses.
  private func imported() -> LoggedWorkout {
    let log = logged()
    let source = secret("src")
    let id = Array(TokenHash(of: Array(source.utf8)).bytes.prefix(16))
    secrets.insert(id)
    var moved = LoggedWorkout(
      log: LogID(bytes: id)!, activityType: log.activityType, start: log.start, end: log.end)
    moved.title = log.title
    moved.sourceName = source
    moved.externalUUID = secret("ext")
    return moved
  }

  func step() async throws {
    let device = phones.randomElement(using: &random)!
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<55: try act(device)
    case 55..<65: try again(device)
    case 65..<75: try fetch()
    case 75..<80: device.disconnect()
    case 80..<83: try connected(device).resume(after: nil)
    case 83: try photo()
    case 84: try ask(device)
    case 85..<90: try nonsense()
    case 90..<93:
      try await fixture.advanceClock(milliseconds: .random(in: 1...40_000_000, using: &random))
    case 93: try await importWorkouts()
    case 94: widgets.randomElement(using: &random)!.disconnect()
    case 95..<98: try await pulse(device)
    default: try connected(device).sync()
    }
  }

  @discardableResult
  private func connected(_ device: TestDevice) throws -> TestDevice {
    if device.client == nil { try device.connect() }
    return device
  }

  private func act(_ device: TestDevice) throws {
    try connected(device)
    let before = count
    var act = device.queue(action(), zone: zone())
    var saysSomething = count > before
    switch Int.random(in: 0..<20, using: &random) {
    case 0:
      act.body = Scene.unknownBody.dropLast() + [9] + secret("unk").utf8.prefix(9)
      saysSomething = true
    case 1:
      act.body = Scene.brokenBody + secret("brk").utf8
      saysSomething = true
    case 2:
      act.firstReceipt = Receipt(
        incarnation: act.incarnation, number: act.number,
        outcome: .refused(.invalid(field: secret("fld"))))
    case 3: act.body[Int.random(in: 0..<act.body.count, using: &random)] ^= 0x40
    default: break
    }
    if saysSomething { bodies.insert(act.body) }
    try device.settle(act)
    sentActs[device.outbox.incarnation, default: []].append(act)
    device.forgetLog()
  }

  private var sentActs: [IncarnationID: [Act]] = [:]

  /// What was decided long ago, with the same and with other bytes.
  private func again(_ device: TestDevice) throws {
    guard var act = sentActs[device.outbox.incarnation]?.suffix(200).randomElement(using: &random)
    else { return }
    try connected(device)
    act.firstReceipt = nil
    if Int.random(in: 0..<8, using: &random) == 0, act.body.count > 4 {
      act.body[act.body.count - 1] ^= 1
      _ = try device.conflict(act)
      // The server ignores the outbox from now on.
      device.disconnect()
    } else {
      try device.send(.act(act))
      _ = try device.receipt(of: act)
    }
  }

  private func zone() -> ZoneStamp? {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: ZoneStamp(id: "Europe/Lisbon", offsetSeconds: 3_600)
    case 1: ZoneStamp(id: "Home/\(asciiSecret("zon"))", offsetSeconds: 7_200)
    default: nil
    }
  }

  private func asciiSecret(_ kind: String) -> String {
    count += 1
    let text = "\(kind)Qx\(count)place"
    texts.insert(text)
    return text
  }

  private func action() -> Action {
    switch Int.random(in: 0..<24, using: &random) {
    case 19..<24: return strength()
    case 0:
      let (id, title) = (WorkoutID.random(), title())
      workouts.append((id, title))
      return .defineWorkout(id: id, title: title, exercises: [secret("exe"), secret("exe")])
    case 1 where !workouts.isEmpty:
      return .editWorkout(
        id: workouts.randomElement(using: &random)!.id, title: title(), exercises: nil)
    case 2, 3:
      let at = Scene.noon.advanced(milliseconds: .random(in: 0...90_000_000, using: &random))
      return .scheduleWorkout(id: .random(), workout: reference(), at: at)
    case 4, 5: return .markWorkout(log: .random(), workout: reference())
    case 6: return .unmarkWorkout(workout: reference())
    case 7: return .logWorkout(logged())
    case 8: return .logWorkout(imported())
    case 9: return .setGoal(name: secret("goal"), value: 3)
    case 10: return .setGoal(name: "workouts-per-day", value: .random(in: 1...5, using: &random))
    case 11:
      let match = MatchID.random()
      matches.append(match)
      return .newMatch(
        id: match, home: secret("FC"), away: secret("SC"), halfLengthMilliseconds: 2_700_000)
    case 12 where !matches.isEmpty:
      let entry = EntryID.random()
      entries.append(entry)
      return .addPoint(entry: entry, match: matches.last!, team: .away, insist: true)
    case 13 where !matches.isEmpty:
      return .nameTeam(match: matches.last!, team: .home, name: secret("Team"))
    case 14 where !matches.isEmpty:
      let squad = (0..<2).map { _ in
        SquadPlayer(id: .random(), name: secret("Ada"), number: 7, starts: true)
      }
      return .setSquad(match: matches.last!, team: .home, players: squad)
    case 15 where !matches.isEmpty:
      return .substitute(
        id: .random(), match: matches.last!, team: .home, off: .random(), on: .random())
    case 16:
      return .setKeymap(bindings: [
        KeyBinding(button: 1, gesture: .press, command: .markWorkout(title: secret("Key"))),
        KeyBinding(button: 2, gesture: .press, command: .point(.home)),
      ])
    case 17: return .press(button: .random(in: 0...3, using: &random), gesture: .press)
    default: return .setTheme(mode: .night)
    }
  }

  /// What names an exercise or a routine, and a session that copies the names.
  private func strength() -> Action {
    func define() -> Action {
      .defineExercise(Exercise(id: .random(), name: secret("lift"), equipment: .other))
    }
    guard let routine else {
      let id = RoutineID.random()
      self.routine = id
      let entry = RoutineEntry(
        exercise: ExerciseLibrary.starter[0].id, sets: [TargetSet(reps: 5)])
      return .defineRoutine(
        id: id, title: title(), entries: [entry, entry])
    }
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return define()
    case 1: return .editRoutine(id: routine, title: title(), entries: nil)
    case 2: return .defineRoutine(id: .random(), title: title(), entries: [])
    case 3 where session == nil:
      let id = SessionID.random()
      session = id
      return .startSession(
        id: id, plan: Bool.random(using: &random) ? .routine(routine) : .activity(secret("Sport")))
    case 4:
      guard let session else { return define() }
      self.session = nil
      return .controlSession(session: session, control: .finish)
    default:
      let set = PerformedSet(id: .random(), position: 0, reps: 5)
      return .completeSet(session: session ?? .random(), set: set)
    }
  }

  private func reference() -> WorkoutReference {
    guard let workout = workouts.randomElement(using: &random) else { return .title(title()) }
    return Bool.random(using: &random) ? .id(workout.id) : .title(workout.title)
  }

  private func logged() -> LoggedWorkout {
    let type = ["running", "rowing", "Mr", "traditionalStrengthTraining"]
      .randomElement(using: &random)!
    let end = Scene.noon.advanced(milliseconds: .random(in: 0...90_000_000, using: &random))
    var log = LoggedWorkout(
      log: .random(), activityType: type == "Mr" ? secret("Sport") : type,
      start: end.advanced(milliseconds: -600_000), end: end)
    log.title = Bool.random(using: &random) ? title() : nil
    return log
  }

  private func fetch() throws {
    let widget = widgets.randomElement(using: &random)!
    if widget.client == nil {
      try widget.begin()
      _ = try widget.waitForWelcome()
    }
    let view = WidgetView(
      kind: WidgetKind.allCases.randomElement(using: &random)!,
      family: WidgetFamily.allCases.randomElement(using: &random)!, appearance: .both)
    let hash = known[ObjectIdentifier(widget)]?[view]
    try widget.send(.fetch(Fetch(view: view, knownHash: hash)))
    let found: UInt64? = try widget.wait { message in
      switch message {
      case .snapshot(let snapshot): .some(snapshot.hash)
      case .notModified: .some(hash)
      default: nil
      }
    }
    known[ObjectIdentifier(widget), default: [:]][view] = found
  }

  /// Asks for a page, or for what a deletion would do.
  private func ask(_ device: TestDevice) throws {
    let limit = Int.random(in: 1...64, using: &random)
    let question: Question =
      switch Int.random(in: 0..<7, using: &random) {
      case 0: .streakTrace(StreakTraceQuestion(.last(days: limit), policy: .weekly(days: 2)))
      case 1:
        .exercises(
          ExercisesQuestion(
            text: secret("press"),
            after: ExerciseKey(name: secret("row"), id: .random()), limit: limit))
      case 2: .records(RecordsQuestion(limit: limit))
      case 5:
        .workouts(
          WorkoutsQuestion(
            text: secret("day"), after: WorkoutKey(name: secret("legs"), id: .random())))
      case 3, 4:
        if let workout = workouts.last {
          .previewDeletion(of: workout.id)
        } else {
          .unknown
        }
      default: .history(HistoryQuestion(limit: limit))
      }
    try connected(device).send(.query(Query(id: 1, question: question)))
    try device.sync()
  }

  /// A live value, of the session that runs or of one that nobody knows.
  private func pulse(_ device: TestDevice) async throws {
    await fixture.keepClock()
    let clock = DeviceClock(wall: fixture.testClock ?? Scene.noon)
    var pulse = Pulse(
      session: session ?? .random(), measured: clock,
      heartRate: .random(in: 60...180, using: &random))
    if Bool.random(using: &random) { pulse.energyKilocalories = 12.5 }
    try connected(device).send(.pulse(pulse))
    try device.sync()
    device.forgetLog()
  }

  /// A photo of a workout: sent in two chunks, named, read back, and at times taken away.
  func photo() throws {
    let device = phones.randomElement(using: &random)!
    try connected(device)
    let log = logged()
    try device.settle(device.queue(.logWorkout(log)))
    let bytes = [UInt8](repeating: 0x2E, count: 1_000) + secret("pho").utf8
    let hash = AttachmentHash(bytes: TokenHash(of: bytes).bytes)!
    secrets.insert(hash.bytes)
    for range in [0..<600, 3..<700, 600..<bytes.count] {
      try device.send(
        .chunk(
          Chunk(
            hash: hash, totalBytes: Int64(bytes.count), offset: Int64(range.lowerBound),
            bytes: Array(bytes[range]))))
    }
    try device.sync()
    try device.settle(device.queue(.attachPhoto(log: log.log, hash)))
    let question = AttachmentQuestion(hash: hash, offset: 998, length: 7)
    try device.send(.query(Query(id: 1, question: .attachment(question))))
    try device.send(.query(Query(id: 2, question: .history(HistoryQuestion()))))
    try device.sync()
    if Bool.random(using: &random) {
      try device.settle(device.queue(.removePhoto(log: log.log)))
    }
    device.forgetLog()
  }

  /// Frames that make no sense, each with something that somebody wrote.
  private func nonsense() throws {
    let stranger = try fixture.client()
    var hello = Hello(token: Token().bytes)
    secrets.insert(hello.token)
    hello.deviceName = secret("nobody")
    var frame = MessageEncoder().frame(.hello(hello))
    switch Int.random(in: 0..<4, using: &random) {
    case 0: frame = Array("GET /\(asciiSecret("path")) HTTP/1.1".utf8)
    case 1: frame.removeLast(Int.random(in: 1..<frame.count, using: &random))
    case 2: frame[Int.random(in: 4..<frame.count, using: &random)] ^= 0x81
    default: break
    }
    try stranger.send(bytes: frame)
    stranger.finish()
    _ = stranger.isClosedByPeer()
  }
}
