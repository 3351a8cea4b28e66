import AuthorityServer
import WatchTransfer
import WireFormat

@testable import Simulation

/// A server and the devices of one person, on simulated time: what each hears, and when.
final class PulseStage {
  /// Something that a peer heard.
  struct Heard {
    /// The world's clock, in milliseconds.
    let at: Int64
    let message: ServerMessage
  }

  let world = World(seed: 5)
  let network: Network
  let server: SimulatedServer
  let judge: PeerJudge
  let watch: TalkingPeer
  let phone: TalkingPeer
  let activity: TalkingPeer
  let session = SessionID(high: 7, low: 1)
  private let encoder = MessageEncoder()
  private var heard: [ObjectIdentifier: [Heard]] = [:]
  private var peers: [TalkingPeer] { [watch, phone, activity] }

  init() throws {
    let network = Network(world)
    network.isFaulty = false
    let server = SimulatedServer(
      world, network, registry: PeerCast.registry, limits: ServerLimits(), partitions: 1,
      zones: try MachineZones())
    let judge = PeerJudge(server.store, reloadsPerDay: ServerLimits().reloadsPerDay)
    func peer(_ kind: DeviceKind, _ world: World) -> TalkingPeer {
      let member = PeerCast.members.firstIndex { $0.device.kind == kind } ?? 0
      return TalkingPeer(member, in: world, network, judge)
    }
    self.network = network
    self.server = server
    self.judge = judge
    (watch, phone, activity) = (peer(.watch, world), peer(.phone, world), peer(.activity, world))
    for peer in peers {
      peer.onHeard = { [unowned self, unowned peer] message in
        heard[ObjectIdentifier(peer), default: []].append(Heard(at: now, message: message))
        if case .ping(let ping) = message {
          say(peer, .pong(Pong(nonce: ping.nonce, clock: clock(of: peer))))
        }
      }
    }
    // An outbox of its own.
    phone.renew()
    server.start()
  }

  /// The world's clock, in milliseconds.
  var now: Int64 { world.now / 1_000_000 }

  /// What the server's wall clock shows.
  var wall: Instant {
    Instant(milliseconds: SimulatedMachine.epochMilliseconds + now + server.wallOffset)
  }

  /// Everything that a peer has heard.
  func log(_ peer: TalkingPeer) -> [Heard] { heard[ObjectIdentifier(peer)] ?? [] }

  /// Forgets what was heard so far.
  func forget() { heard = [:] }

  /// The updates that a peer has heard, with when.
  func updates(_ peer: TalkingPeer) -> [(at: Int64, update: Update)] {
    log(peer).compactMap { heard in
      if case .update(let update) = heard.message { (heard.at, update) } else { nil }
    }
  }

  /// The live readings that a peer has heard, with when.
  func readings(_ peer: TalkingPeer) -> [(at: Int64, live: LiveReading?)] {
    updates(peer).flatMap { at, update in
      update.readings.compactMap { if case .live(let live) = $0 { (at, live) } else { nil } }
    }
  }

  /// What a peer shows by now.
  func shown(_ peer: TalkingPeer) -> LiveReading? { readings(peer).last?.live }

  /// Whether a peer was told that nothing is measured any more.
  func isCleared(_ peer: TalkingPeer) -> Bool {
    !readings(peer).isEmpty && shown(peer) == nil
  }

  /// Lets time pass, a little at a time.
  func pass(_ milliseconds: Int64) {
    var left = milliseconds
    while left > 0 {
      world.run(for: min(left, 10) * 1_000_000)
      left -= 10
      for peer in peers { peer.listen() }
    }
  }

  func say(_ peer: TalkingPeer, _ message: ClientMessage) { peer.say(encoder.frame(message)) }

  /// Connects and greets.
  func greet(_ peer: TalkingPeer, minimumInterval: UInt32 = 0, wait: Int64 = 100) {
    peer.connect()
    say(
      peer,
      .hello(
        Hello(
          token: peer.token, minimumIntervalMilliseconds: minimumInterval, clock: clock(of: peer)))
    )
    pass(wait)
  }

  /// Connects all of them.
  func greetAll() {
    for peer in peers { greet(peer) }
  }

  /// Acts, and waits for what comes of it.
  func act(
    _ peer: TalkingPeer, _ action: Action, occurred: DeviceClock? = nil, wait: Int64 = 200
  ) {
    let number = peer.nextNumber
    let body = encoder.encode(ActionBody(occurred: occurred ?? clock(of: peer), action: action))
    say(
      peer,
      .act(Act(incarnation: peer.incarnation, number: number, confirmed: number - 1, body: body)))
    peer.nextNumber = number + 1
    pass(wait)
  }

  /// The watch starts the session, and everybody sees it.
  func start() {
    greetAll()
    act(watch, .startSession(id: session, plan: .activity("running")))
    // The activity is told of it when its interval allows, and may be told more after another.
    pass(10_500)
    forget()
  }

  /// Says that something is measured, some time ago.
  func pulse(
    _ peer: TalkingPeer, _ heartRate: Double?, energy: Double? = nil, distance: Double? = nil,
    of session: SessionID? = nil, ago: Int64 = 0, cadence: UInt32 = Pulse.cadenceDefault,
    wait: Int64 = 50
  ) {
    var measured = clock(of: peer)
    measured.boot?.milliseconds -= ago
    say(
      peer,
      .pulse(
        Pulse(
          session: session ?? self.session, measured: measured, heartRate: heartRate,
          energyKilocalories: energy, distanceMeters: distance, cadenceMilliseconds: cadence)))
    pass(wait)
  }

  /// What its clocks show.
  func clock(of peer: TalkingPeer) -> DeviceClock {
    // Their wall clocks are wrong: what counts is the one that runs through.
    DeviceClock(
      wall: Instant(milliseconds: 1_000_000_000_000),
      boot: BootReading(id: BootID(high: 0xB007, low: 1), milliseconds: now + 3_600_000))
  }

  /// Ends it; the first broken promise, or nil.
  func end() -> String? {
    server.crash()
    for peer in peers {
      peer.onHeard = { _ in }
      peer.machine.kill()
    }
    network.end()
    world.end()
    return judge.violation
  }
}
