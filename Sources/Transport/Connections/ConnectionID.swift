/// One connection of one pool.
///
/// A slot is used again after its connection has ended, with the next generation: an id kept too
/// long is recognised as stale, and every call with it does nothing.
public struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
  /// Index into the pool's table, dense from 0: fit for an owner's own table of the same shape.
  public let slot: UInt32
  /// How often the slot has been used before.
  public let generation: UInt32

  /// Names the connection of a slot and generation.
  public init(slot: UInt32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }

  /// For logs: `slot.generation`.
  public var description: String {
    "\(slot).\(generation)"
  }

  /// The 64 bits that readiness events carry.
  init(token: UInt64) {
    slot = UInt32(truncatingIfNeeded: token)
    generation = UInt32(truncatingIfNeeded: token >> 32)
  }

  /// What `init(token:)` reads.
  var token: UInt64 {
    UInt64(generation) << 32 | UInt64(slot)
  }
}
