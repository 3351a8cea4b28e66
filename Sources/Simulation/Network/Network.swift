internal import Transport

/// The wires between processes: bytes take time, are split anywhere, and stop when a wire is cut.
final class Network {
  private let world: World
  private var endpoints: [Int32: Endpoint] = [:]
  private var nextDescriptor: Int32 = 3
  /// Who accepts; nil: nobody listens.
  private var listener: (machine: SimulatedMachine, accept: (AcceptedSocket) -> Void)?
  /// Faults that happened, by kind.
  var faults = FaultCounts()
  /// While false, nothing is cut or split, and all is fast: for the end of a story.
  var isFaulty = true

  init(_ world: World) {
    self.world = world
  }

  /// Accepts from now on.
  func listen(_ machine: SimulatedMachine, _ accept: @escaping (AcceptedSocket) -> Void) {
    listener = (machine, accept)
  }

  /// A connection to whoever listens; its outcome comes to `pool`.
  func connect(from machine: SimulatedMachine) -> Endpoint {
    let near = makeEndpoint(machine)
    guard let listener, listener.machine.isRunning else {
      world.schedule(after: latency(), of: machine) { near.refused() }
      return near
    }
    let far = makeEndpoint(listener.machine)
    near.peer = far
    far.peer = near
    world.schedule(after: latency(), of: listener.machine) {
      far.isConnected = true
      listener.accept(AcceptedSocket(descriptor: far.descriptor, peer: .unix(user: 0)))
    }
    world.schedule(after: 2 * latency(), of: machine) { near.connected() }
    return near
  }

  /// The end of a wire that an accepted socket stands for.
  func endpoint(_ descriptor: Int32) -> Endpoint? { endpoints[descriptor] }

  /// A process is gone: the kernel closes its sockets, or the host is gone with it and nobody says
  /// so.
  func processDied(_ machine: SimulatedMachine) {
    if listener?.machine === machine { listener = nil }
    for endpoint in endpoints.values.sorted(by: { $0.descriptor < $1.descriptor })
    where endpoint.machine === machine {
      if isFaulty, world.chance(oneIn: 6) {
        faults.count("half-open")
        endpoint.peer?.isSilent = true
        forget(endpoint)
      } else {
        close(endpoint, byReset: world.chance(oneIn: 2))
      }
    }
  }

  /// Ends a wire at both ends, each at its own time, or silently.
  func cut(of machine: SimulatedMachine) {
    let own = endpoints.values.filter { $0.machine === machine }
    for endpoint in own.sorted(by: { $0.descriptor < $1.descriptor }) {
      if world.chance(oneIn: 4) {
        faults.count("half-open")
        endpoint.isSilent = true
        endpoint.peer?.isSilent = true
        continue
      }
      faults.count("cut")
      for end in [endpoint, endpoint.peer].compactMap(\.self) {
        end.isSilent = true
        world.schedule(after: latency() * world.pick(1...20), of: nil) { end.wasReset() }
      }
    }
  }

  /// Sends bytes that stand in order behind what was sent before.
  func transmit(_ bytes: [UInt8], from endpoint: Endpoint) {
    guard let peer = endpoint.peer, !endpoint.isSilent else { return }
    var rest = bytes[...]
    while !rest.isEmpty {
      let splits = isFaulty && world.chance(oneIn: 4)
      let count = splits ? Int(world.pick(1...Int64(rest.count))) : rest.count
      let part = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      deliver(from: endpoint) { peer.arrived(part) }
    }
  }

  /// This side sends no more.
  func finish(_ endpoint: Endpoint) {
    guard let peer = endpoint.peer, !endpoint.isSilent else { return }
    deliver(from: endpoint) { peer.finished() }
  }

  /// This side is gone.
  func close(_ endpoint: Endpoint, byReset: Bool) {
    forget(endpoint)
    guard let peer = endpoint.peer, !endpoint.isSilent else { return }
    if byReset {
      // A reset overtakes what is on its way.
      world.schedule(after: latency(), of: nil) { peer.wasReset() }
    } else {
      deliver(from: endpoint) { peer.finished() }
      deliver(from: endpoint) { peer.wasReset() }
    }
  }

  /// Forgets all wires: each holds the machine it ends at, and that the network.
  func end() {
    endpoints = [:]
    listener = nil
  }

  /// Open wires.
  var count: Int { endpoints.count }

  private func deliver(from endpoint: Endpoint, _ arrival: @escaping () -> Void) {
    endpoint.lastArrival = max(endpoint.lastArrival, world.now + latency())
    world.schedule(at: endpoint.lastArrival, of: nil) {
      if !endpoint.isSilent { arrival() }
    }
  }

  private func latency() -> Int64 {
    guard isFaulty else { return 100 * Span.microsecond }
    if world.chance(oneIn: 50) { return world.pick(1...2_000) * Span.millisecond }
    return world.pick(20...3_000) * Span.microsecond
  }

  private func makeEndpoint(_ machine: SimulatedMachine) -> Endpoint {
    let endpoint = Endpoint(descriptor: nextDescriptor, of: machine)
    nextDescriptor += 1
    endpoints[endpoint.descriptor] = endpoint
    return endpoint
  }

  private func forget(_ endpoint: Endpoint) {
    endpoint.isClosed = true
    endpoints[endpoint.descriptor] = nil
  }
}

/// One end of a wire.
final class Endpoint {
  let descriptor: Int32
  let machine: SimulatedMachine
  weak var peer: Endpoint?
  /// Who reads it; nil: nobody yet, it waits in the backlog.
  weak var pool: SimulatedConnections?
  /// What arrived and was not read.
  var inbox: [UInt8] = []
  var hasFinished = false
  var isReset = false
  var isRefused = false
  var isConnected = false
  var isClosed = false
  /// What is sent here reaches nobody, and nothing comes.
  var isSilent = false
  /// When the last byte on its way arrives.
  var lastArrival: Int64 = 0

  init(descriptor: Int32, of machine: SimulatedMachine) {
    self.descriptor = descriptor
    self.machine = machine
  }

  /// Bytes the peer may still send before the socket is full.
  var room: Int { max(0, Self.bufferBytes - inbox.count) }

  static let bufferBytes = 128 * 1_024

  func connected() {
    isConnected = true
    pool?.becameReady(self)
  }

  func refused() {
    isRefused = true
    pool?.becameReady(self)
  }

  func arrived(_ bytes: [UInt8]) {
    if isClosed { return }
    inbox += bytes
    pool?.becameReady(self)
  }

  func finished() {
    hasFinished = true
    pool?.becameReady(self)
  }

  func wasReset() {
    isReset = true
    pool?.becameReady(self)
  }
}

/// How often each kind of fault happened.
struct FaultCounts {
  private(set) var byKind: [String: Int] = [:]

  mutating func count(_ kind: String) { byKind[kind, default: 0] += 1 }

  /// Adds another's.
  mutating func add(_ other: FaultCounts) { byKind.merge(other.byKind) { $0 + $1 } }
}
