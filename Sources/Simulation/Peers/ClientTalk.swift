internal import AuthorityLink
internal import Transport
internal import WatchClient
internal import WatchTransfer
internal import WidgetClient

/// The client libraries of a watch and a widget on simulated time and network, whose programs do
/// what bytes tell them, and a server that says what bytes tell it.
///
/// A move is one byte, then what that needs. However the talk goes, whoever asked the libraries for
/// something is told once what came of it, at the latest by an honest server.
///
/// Unchecked: see `World`.
package final class ClientTalk: @unchecked Sendable {
  private let world: World
  private let network: Network
  private let device: SimulatedMachine
  private let server: FalseServer
  private let watch: WatchClient
  private let widget: WidgetClient
  private var script: MoveScript
  /// What was asked of the libraries, and how often each was answered.
  private var answers: [Int] = []
  private let photos = SimulatedPhotos.all

  private static let movesMax = 200

  /// A talk that `bytes` tell; the watch's files are in `folder`.
  package init(_ bytes: UnsafeRawBufferPointer, folder: String) throws {
    script = MoveScript(bytes)
    let first = script.byte()
    world = World(seed: UInt64(first % 16))
    world.stepsMax = 200_000
    network = Network(world)
    network.isFaulty = first & 16 != 0
    server = FalseServer(SimulatedMachine("server", in: world, network))
    server.saysNotModified = first & 32 != 0
    device = SimulatedMachine("device", in: world, network)
    let clock = SimulatedDeviceClock(world)
    var link = LinkConfiguration(
      address: try SocketAddress(parsing: "unix:/simulated"),
      token: [UInt8](repeating: 7, count: 32))
    link.machine = device
    link.firstBackoffMilliseconds = 5
    link.backoffMaxMilliseconds = 50
    watch = try WatchClient(WatchConfiguration(link: link, directory: folder, clock: clock))
    widget = WidgetClient(link: link, cacheDirectory: nil, clock: clock)
  }

  /// Makes every move; the first broken promise, or nil.
  package func run() -> String? {
    onWatch { $0.start() }
    var moves = 0
    while !script.isAtEnd, moves < Self.movesMax, server.violation == nil {
      move()
      moves += 1
      pass(milliseconds: 1)
    }
    settle()
    device.kill()
    server.machine.kill()
    network.end()
    world.end()
    return server.violation
  }

  private func move() {
    let kind = script.byte()
    switch kind % 16 {
    case 0, 1: welcome()
    case 2, 3: state()
    case 4: page()
    case 5: tellWidget()
    case 6: server.say(bytes: framed(script.counted()))
    case 7: server.say(bytes: script.counted())
    case 8: goodbye()
    case 9: server.cut(byReset: kind & 16 == 0)
    case 10: pass(milliseconds: 1 << Int64(script.byte() % 20))
    case 11, 12: upload()
    case 13: ask()
    case 14: fetch()
    default: act(Int(kind / 16))
    }
  }

  // What the server says.

  private func welcome() {
    let choice = script.byte()
    let sizes: [UInt32] = [65_536, 40_960, 1_024, 200, 0]
    server.say(
      .welcome(
        FalseServer.welcome(
          account: UInt64(choice / 128) + 1, frameBytesMax: sizes[Int(choice) % sizes.count],
          inFlightMax: UInt32(choice / 8))))
  }

  private func state() {
    let choice = script.byte()
    let photo = photos[Int(choice) % photos.count]
    let offsets: [Int64] = [
      0, Int64(script.byte()), Int64(photo.bytes.count) / 2, Int64(photo.bytes.count), .max,
    ]
    var state = ChunkState(hash: photo.hash, offset: offsets[Int(choice / 4) % offsets.count])
    state.offset = min(state.offset, AttachmentLimits.totalBytes.upperBound)
    let refusal = script.byte()
    state.refusal = refusal < 128 ? nil : ChunkRefusal(rawValue: refusal % 8)
    state.isComplete = refusal == 127
    state.retryAfterMilliseconds = choice & 128 == 0 ? 0 : 1 << UInt32(refusal % 20)
    server.say(.chunkState(state))
  }

  private func page() {
    let choice = script.byte()
    let photo = photos[Int(choice) % photos.count]
    let answers: [Page.Answer] = [
      .refused(.notFound), .history([], next: nil),
      .attachment(
        AttachmentRange(
          hash: photo.hash, totalBytes: Int64(photo.bytes.count), offset: 0,
          bytes: Array(photo.bytes.prefix(Int(choice))))),
    ]
    server.say(
      .page(
        Page(
          id: choice & 128 == 0 ? server.lastQuery : UInt64(choice % 8) + 1, revision: 1,
          answer: answers[Int(choice / 4) % answers.count])))
  }

  private func tellWidget() {
    let choice = script.byte()
    let other = WidgetView(kind: .match, family: .small, appearance: .both)
    let view = choice & 16 == 0 ? server.lastView ?? other : other
    switch choice % 4 {
    case 0: server.say(.reload([view.kind]))
    case 1: server.say(.notModified(NotModified(view: view, revision: 2)))
    default:
      server.say(
        .snapshot(
          Snapshot(view: view, revision: 1, hash: UInt64(choice), content: script.counted())))
    }
  }

  private func goodbye() {
    let choice = script.byte()
    let reason = Goodbye.Reason(rawValue: choice % 16) ?? .idle
    server.say(
      .goodbye(
        Goodbye(
          reason, retryAfterMilliseconds: UInt32(choice / 16) * 100, comeBack: choice & 16 == 0)))
    server.cut(byReset: false)
  }

  private func framed(_ payload: [UInt8]) -> [UInt8] {
    let count = UInt32(payload.count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + payload
  }

  // What the programs ask for.

  private func upload() {
    let photo = photos[Int(script.byte()) % photos.count]
    server.uploadsBegun[photo.hash, default: 0] += 1
    let answered = asked()
    onWatch { $0.upload(photo.bytes) { _ in answered() } }
  }

  private func ask() {
    let photo = photos[Int(script.byte()) % photos.count]
    let answered = asked()
    onWatch { client in
      client.ask(.attachment(AttachmentQuestion(hash: photo.hash, offset: 0))) { _ in answered() }
    }
  }

  private func fetch() {
    let choice = script.byte()
    let kinds = WidgetKind.allCases
    let view = WidgetView(
      kind: kinds[Int(choice) % kinds.count], family: .small, appearance: .both)
    server.fetchesBegun += 1
    let answered = asked()
    guard let queue = widget.executor.queue as? SimulatedQueue else { return }
    queue.enter { widget.assumeIsolated { $0.fetch(view) { _ in answered() } } }
  }

  private func act(_ choice: Int) {
    switch choice {
    case 0: onWatch { $0.cancelUploads() }
    case 1: onWatch { $0.disconnect() }
    case 2, 3: onWatch { $0.start() }
    case 4: onWatch { $0.resumeEverything() }
    default: onWatch { $0.submit(.setGoal(name: "steps", value: Double(choice))) { _ in } }
    }
  }

  /// Somebody asks for something; what is returned is called with every answer.
  private func asked() -> @Sendable () -> Void {
    let index = answers.count
    answers.append(0)
    return { [self] in
      answers[index] += 1
      if answers[index] > 1 { server.broken("somebody is answered twice") }
    }
  }

  private func onWatch(_ work: @Sendable (isolated WatchClient) -> Void) {
    guard let queue = watch.executor.queue as? SimulatedQueue else { return }
    queue.enter { watch.assumeIsolated { work($0) } }
  }

  private func pass(milliseconds: Int64) {
    world.run(for: milliseconds * Span.millisecond)
    server.listen()
    if world.isStorm { server.broken("a storm: there is no end to what clients and server say") }
  }

  /// The server is honest from now on, and waits longer than it ever told a client to.
  private func settle() {
    network.isFaulty = false
    server.isHonest = true
    server.cut(byReset: true)
    onWatch { $0.start() }
    var passed: Int64 = 0
    let end = LinkLimits.retryAfterMaxMilliseconds + 2_000_000
    while passed < end, server.violation == nil, answers.contains(0) {
      let step: Int64 = passed < 2_000 ? 5 : 1_000
      pass(milliseconds: step)
      passed += step
    }
    if answers.contains(0) { server.broken("somebody is never answered") }
  }
}
