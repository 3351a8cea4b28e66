internal import Authority
internal import AuthorityServer
package import WatchTransfer
internal import WireFormat

/// A server on simulated time, network and disk, and peers of two accounts that do and say what
/// bytes tell them: half of it well formed, half of it not.
///
/// A move is one byte for the peer and one for what it does, then what that needs.
package final class PeerTalk {
  private let world: World
  private let network: Network
  private let server: SimulatedServer
  private let judge: PeerJudge
  private let peers: [TalkingPeer]
  private let encoder = MessageEncoder()
  private let zones: any ZoneRulesSource
  private var script: MoveScript
  private var starts = 0

  private static let movesMax = 200
  private static let startsMax = 4

  /// A talk that `bytes` tell.
  package init(_ bytes: UnsafeRawBufferPointer, zones: any ZoneRulesSource) {
    script = MoveScript(bytes)
    let first = script.byte()
    world = World(seed: UInt64(first % 16))
    network = Network(world)
    network.isFaulty = first & 16 != 0
    var limits = ServerLimits()
    limits.checkpointSeconds = 2
    limits.idleAccountsMax = first & 32 == 0 ? 0 : 10
    limits.batchEntriesMax = first & 64 == 0 ? 2 : 512
    limits.reloadsPerDay = Int(first % 8)
    limits.reloadPauseMilliseconds = 200
    server = SimulatedServer(
      world, network, registry: PeerCast.registry, limits: limits,
      partitions: first & 128 == 0 ? 1 : 2, zones: zones)
    self.zones = zones
    let judge = PeerJudge(server.store, reloadsPerDay: limits.reloadsPerDay)
    self.judge = judge
    peers = PeerCast.members.indices.map { [world, network] in
      TalkingPeer($0, in: world, network, judge)
    }
  }

  /// Makes every move; the first broken promise, or nil.
  package func run() -> String? {
    start()
    var moves = 0
    while !script.isAtEnd, moves < Self.movesMax, judge.violation == nil {
      move()
      moves += 1
      pass(milliseconds: 1)
    }
    settle()
    server.crash()
    for peer in peers { peer.machine.kill() }
    return judge.violation
  }

  private func move() {
    let choice = script.byte()
    // The sixth came later, as did what it and others may say: what the kept inputs say stays
    // nearly what it was.
    let peer = peers[choice >= 248 ? 5 : Int(choice % 8) % 5]
    let kind = script.byte()
    switch kind >= 252 ? kind : kind % 24 {
    case 252, 254, 255: pulse(peer)
    case 253: say(peer, .goodbye(Goodbye(.shuttingDown)))
    case 0, 1: greet(peer)
    case 2, 3: act(peer, SimpleAction(&script, secret: peer.account).action)
    case 4: act(peer, body: script.counted())
    case 5: say(peer, .resume(script.byte() % 2 == 0 ? nil : peer.cursor))
    case 6: fetch(peer)
    case 7: say(peer, .ping(Ping(nonce: UInt64(script.byte()), pending: 1)))
    case 8: say(peer, .pong(Pong(nonce: peer.lastNonce, clock: clock(of: peer))))
    case 9: peer.say(framed(script.counted()))
    case 10: peer.say(script.counted())
    case 11: peer.cut(byReset: choice & 8 == 0)
    case 12: peer.finish()
    case 13: peer.isReading.toggle()
    case 14: peer.renew()
    case 15: peer.nextNumber = max(1, peer.nextNumber &+ UInt64(script.byte()) &- 16)
    case 16: restart()
    case 17: server.wallOffset += (Int64(script.byte()) - 100) * 600_000
    case 20: ask(peer)
    case 21, 22: upload(peer)
    case 23: read(peer)
    case 18: pass(milliseconds: 1 << Int64(script.byte() % 16))
    default: pass(milliseconds: Int64(script.byte()))
    }
  }

  private func greet(_ peer: TalkingPeer) {
    peer.connect()
    let state = IncarnationState(
      incarnation: peer.incarnation, confirmed: peer.nextNumber - 1,
      oldest: max(1, peer.nextNumber / 2), next: peer.nextNumber)
    say(
      peer,
      .hello(
        Hello(
          token: peer.token, incarnations: [state],
          cursor: script.byte() % 2 == 0 ? nil : peer.cursor, clock: clock(of: peer))))
  }

  private func act(_ peer: TalkingPeer, _ action: Action) {
    act(peer, body: encoder.encode(ActionBody(occurred: clock(of: peer), action: action)))
  }

  private func act(_ peer: TalkingPeer, body: [UInt8]) {
    let number = min(max(1, peer.nextNumber), ActionLimits.numberEnd - 2)
    say(
      peer,
      .act(
        Act(incarnation: peer.incarnation, number: number, confirmed: number - 1, body: body)))
    peer.nextNumber = number + 1
  }

  private func fetch(_ peer: TalkingPeer) {
    let choice = script.byte()
    let kinds = WidgetKind.allCases
    let kind = kinds[Int(choice) % kinds.count]
    let family = WidgetFamily(rawValue: choice / 4 % 7 + 1) ?? .small
    let view = WidgetView(kind: kind, family: family, appearance: .both)
    say(peer, .fetch(Fetch(view: view, knownHash: choice & 128 == 0 ? nil : peer.knownHash)))
  }

  /// A live value: of one of few sessions, one of few devices, measured now or some time ago.
  private func pulse(_ peer: TalkingPeer) {
    let choice = script.byte()
    var pulse = Pulse(
      session: SessionID(high: 0xAAAA, low: UInt64(choice / 4 % 8) + 1), measured: clock(of: peer),
      heartRate: Double(script.byte()))
    if choice & 1 != 0 { pulse.energyKilocalories = Double(choice) }
    if choice & 2 != 0 { pulse.measured.boot?.milliseconds -= Int64(choice) * 200 }
    if choice & 128 != 0 { pulse.cadenceMilliseconds = 1_000 }
    say(peer, .pulse(pulse))
  }

  private func ask(_ peer: TalkingPeer) {
    let choice = script.byte()
    let rest = Int(choice / 8)
    let question: Question =
      switch choice % 8 {
      case 0 where rest < 16:
        .previewDeletion(of: WorkoutID(high: 0xAAAA, low: UInt64(rest % 8) + 1))
      case 0: .previewLogDeletion(of: LogID(high: 0xAAAA, low: UInt64(rest % 8) + 1))
      case 1: .unknown
      case 2: .streakTrace(trace(rest))
      case 3:
        .exercises(
          ExercisesQuestion(
            text: rest % 2 == 0 ? "" : "Press row", equipment: Equipment(rawValue: UInt8(rest / 2)),
            limit: rest + 1))
      case 4: .records(RecordsQuestion(limit: rest + 1))
      case 5: .workouts(WorkoutsQuestion(text: rest % 2 == 0 ? "" : "Run", limit: rest / 2 + 1))
      default: .history(HistoryQuestion(limit: rest * 2 + 1))
      }
    say(peer, .query(Query(id: UInt64(choice), question: question)))
  }

  private func trace(_ choice: Int) -> StreakTraceQuestion {
    let spans: [DaySpan] = [
      .last(days: choice + 1), .from(CivilDay(number: 20_000), days: 64),
      .month(of: CivilDay(number: 20_800)),
    ]
    let policies: [StreakPolicy?] = [nil, .daily, .weekly(days: 3), .scheduled]
    return StreakTraceQuestion(spans[choice % 3], policy: policies[choice % 4])
  }

  /// The next chunk of a photo, or one that makes no sense.
  private func upload(_ peer: TalkingPeer) {
    let choice = script.byte()
    let photo = SimulatedPhotos.all[Int(choice) % SimulatedPhotos.all.count]
    var chunk = Chunk(
      hash: photo.hash, totalBytes: Int64(photo.bytes.count),
      offset: peer.uploaded[photo.hash] ?? 0)
    if choice & 16 != 0 { chunk.offset = Int64(script.byte()) }
    if choice & 32 != 0 { chunk.totalBytes += Int64(script.byte()) - 8 }
    let start = min(Int(chunk.offset), photo.bytes.count)
    let most = choice & 64 == 0 ? AttachmentLimits.chunkBytesMax : Int(script.byte())
    chunk.bytes = Array(photo.bytes[start..<min(photo.bytes.count, start + most)])
    if choice & 128 != 0, !chunk.bytes.isEmpty { chunk.bytes[0] ^= script.byte() }
    say(peer, .chunk(chunk))
  }

  private func read(_ peer: TalkingPeer) {
    let choice = script.byte()
    let photo = SimulatedPhotos.all[Int(choice) % SimulatedPhotos.all.count]
    let question = AttachmentQuestion(
      hash: photo.hash, offset: choice & 16 == 0 ? 0 : Int64(script.byte()),
      length: choice & 32 == 0 ? AttachmentLimits.rangeBytes.upperBound : Int64(choice))
    say(peer, .query(Query(id: UInt64(choice), question: .attachment(question))))
  }

  /// Says a message, with a byte changed when the script says so.
  private func say(_ peer: TalkingPeer, _ message: ClientMessage) {
    var frame = encoder.frame(message)
    if script.byte() == 0xFF { frame[Int(script.byte()) % frame.count] ^= script.byte() }
    peer.say(frame)
  }

  private func clock(of peer: TalkingPeer) -> DeviceClock {
    DeviceClock(
      wall: Instant(milliseconds: peer.machine.wallMilliseconds()),
      boot: BootReading(
        id: BootID(high: 0xB007, low: 1), milliseconds: world.now / Span.millisecond))
  }

  private func framed(_ payload: [UInt8]) -> [UInt8] {
    let count = UInt32(payload.count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + payload
  }

  private func start() {
    server.start()
    if let failure = server.startFailure { judge.broken("the server does not start: \(failure)") }
  }

  private func restart() {
    guard starts < Self.startsMax else { return }
    starts += 1
    server.crash()
    start()
  }

  private func pass(milliseconds: Int64) {
    world.run(for: milliseconds * Span.millisecond)
    for peer in peers { peer.listen() }
  }

  /// Nothing is cut any more; the journal must say the same as its checkpoints.
  private func settle() {
    network.isFaulty = false
    start()
    for peer in peers { peer.isReading = true }
    for _ in 0..<4 { pass(milliseconds: 1_000) }
    for problem in server.store.history.violations { judge.broken(problem) }
    do {
      for finding in try replayFindings(of: SimulatedJournal(server.store), zones: zones) {
        judge.broken(finding)
      }
    } catch {
      judge.broken("the journal cannot be replayed: \(error)")
    }
  }
}
