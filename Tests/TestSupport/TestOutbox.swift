public import WatchTransfer
internal import WireFormat

/// An outbox of a test's own: numbers acts and encodes bodies, and forgets nothing.
public struct TestOutbox {
  public let incarnation: IncarnationID
  public var next: ActionNumber = 1
  public var confirmed: ActionNumber = 0
  public private(set) var bodies: [ActionNumber: [UInt8]] = [:]
  private let encoder = MessageEncoder()

  public init(incarnation: IncarnationID = .random()) {
    self.incarnation = incarnation
  }

  /// What Hello says of it.
  public var state: IncarnationState {
    IncarnationState(
      incarnation: incarnation, confirmed: confirmed, oldest: confirmed + 1, next: next)
  }

  /// Numbers an action that occurred at `wall`.
  public mutating func act(
    _ action: Action, at wall: Instant, boot: BootReading? = nil, zone: ZoneStamp? = nil,
    expiresAt: Instant? = nil
  ) -> Act {
    let body = encoder.encode(
      ActionBody(
        occurred: DeviceClock(wall: wall, boot: boot), zone: zone, expiresAt: expiresAt,
        action: action))
    return act(body: body)
  }

  /// Numbers a body, readable or not.
  public mutating func act(body: [UInt8]) -> Act {
    defer { next += 1 }
    bodies[next] = body
    return Act(incarnation: incarnation, number: next, confirmed: confirmed, body: body)
  }

  /// Forgets the bodies that have their receipts.
  public mutating func forgetConfirmed() {
    let confirmed = confirmed
    bodies = bodies.filter { $0.key > confirmed }
  }

  /// The act of a number, as it is offered again.
  public func again(_ number: ActionNumber) -> Act {
    Act(
      incarnation: incarnation, number: number, confirmed: confirmed, body: bodies[number] ?? [])
  }
}
