/// What a proxy has done since its start.
public struct ProxyStatistics: Hashable, Sendable {
  /// Clients that came.
  public var connections = 0
  /// Of them, those that are still there.
  public var open = 0
  /// Of them, those for whom the server could not be reached.
  public var unreachable = 0
  /// Bytes passed on from clients to the server, and back.
  public var bytesUp: UInt64 = 0
  public var bytesDown: UInt64 = 0
  /// Writes that passed them on.
  public var writes = 0
  /// Blocks that were held for a time.
  public var delayed = 0
  /// Bytes of which a bit was turned over.
  public var corrupted: UInt64 = 0
  /// Connections that ended, half or whole, by each fault, commands included.
  public var cuts = 0
  public var resets = 0
  public var halfCloses = 0
  public var stalls = 0

  /// Nothing yet.
  public init() {}

  /// Every figure with its name, in a fixed order.
  public var figures: [(name: String, value: UInt64)] {
    [
      ("connections", UInt64(connections)), ("open", UInt64(open)),
      ("unreachable", UInt64(unreachable)), ("bytesUp", bytesUp), ("bytesDown", bytesDown),
      ("writes", UInt64(writes)), ("delayed", UInt64(delayed)), ("corrupted", corrupted),
      ("cuts", UInt64(cuts)), ("resets", UInt64(resets)), ("halfCloses", UInt64(halfCloses)),
      ("stalls", UInt64(stalls)),
    ]
  }

  /// Counts an ending.
  mutating func count(_ ending: FaultEnding) {
    switch ending {
    case .cut: cuts += 1
    case .reset: resets += 1
    case .halfClose: halfCloses += 1
    case .stall: stalls += 1
    }
  }
}
