package import WatchTransfer

/// The id of what a press makes, since a controller has no place to draw and keep one (DESIGN
/// section 4, Exactly once): made of the 16 bytes of the incarnation and the 8 of the number,
/// big-endian. The same act gives the same id however often it is decided, also after a restore.
/// One that another thing has is refused, as with ids that are drawn.
package func derivedID<Tag>(of act: IncarnationNumber) -> Identifier<Tag> {
  let number = (0..<8).map { UInt8(truncatingIfNeeded: act.number >> (56 - 8 * UInt64($0))) }
  return Identifier(hashing: act.incarnation.bytes + number)
}
