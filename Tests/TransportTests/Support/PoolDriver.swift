import Testing

@testable import Transport

/// An event as a value that can be kept and compared.
enum Seen: Equatable {
  case connected
  case received([UInt8])
  case endOfInput
  case drained
  case closed(CloseReason)
}

/// A pool driven by hand, turn by turn, without Dispatch; keeps what it was told.
final class PoolDriver {
  let pool: ConnectionPool
  private(set) var seen: [(id: ConnectionID, what: Seen)] = []
  /// How the owner reacts; consumes all input unless a test says otherwise.
  var react: (ConnectionID, ConnectionEvent) -> Int = { _, event in
    if case .received(let bytes) = event { bytes.count } else { 0 }
  }

  init(_ change: (inout ConnectionLimits) -> Void = { _ in }) throws {
    var limits = ConnectionLimits()
    change(&limits)
    pool = try ConnectionPool(limits: limits)
  }

  /// A new connection and its far end.
  func connection(_ wire: Wire = .tcp, unread: [UInt8] = []) throws -> (ConnectionID, Peer) {
    let (socket, peer) = try wire.pair()
    return (pool.adopt(socket, unread: unread), peer)
  }

  func turn(waiting: Duration = .zero) {
    pool.turn(waiting: waiting) { id, event in
      seen.append((id, Seen(event)))
      return react(id, event)
    }
  }

  /// Turns until the condition holds; an issue after 20 s.
  func turn(
    until condition: () -> Bool, _ location: SourceLocation = #_sourceLocation
  ) {
    let end = MonotonicInstant.now().advanced(by: .seconds(20))
    while !condition() {
      guard MonotonicInstant.now() < end else {
        Issue.record(
          "did not happen within 20 s; seen: \(seen.suffix(5))", sourceLocation: location)
        return
      }
      turn(waiting: .milliseconds(50))
    }
  }

  /// What one connection was told, in order.
  func events(of id: ConnectionID) -> [Seen] {
    seen.filter { $0.id == id }.map(\.what)
  }

  /// All bytes that were offered to an owner who consumes everything.
  func received(_ id: ConnectionID) -> [UInt8] {
    events(of: id).flatMap { event -> [UInt8] in
      if case .received(let bytes) = event { bytes } else { [] }
    }
  }

  func closeReason(of id: ConnectionID) -> CloseReason? {
    for case .closed(let reason) in events(of: id) { return reason }
    return nil
  }

  /// Whether neither sockets nor lists hold work: a pool at rest does not spin.
  var isAtRest: Bool {
    pool.ready.isEmpty && pool.ended.isEmpty && pool.readiness.wait(milliseconds: 0) == 0
  }

  /// Has the pool see a later time: sweeps as if this much had passed.
  func sweep(after duration: Duration) {
    pool.sweep(now: MonotonicInstant.now().advanced(by: duration))
  }
}

extension Seen {
  init(_ event: ConnectionEvent) {
    switch event {
    case .connected: self = .connected
    case .received(let bytes): self = .received(Array(bytes))
    case .endOfInput: self = .endOfInput
    case .drained: self = .drained
    case .closed(let reason): self = .closed(reason)
    }
  }
}
