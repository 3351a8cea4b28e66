public import WatchTransfer

/// What a surface shows: the last state the authority sent, and how much it can be relied on.
public struct SurfaceState: Sendable, Equatable {
  /// Whose state it is; nil: nothing was ever received.
  public var account: AccountID?
  /// The server's start that `revision` belongs to.
  public var epoch: EpochID?
  /// Everything up to it is in `facets`; 0: nothing is.
  public var revision: Revision
  /// Which set of facets it is.
  public var facetSet: UInt32
  /// Not confirmed by the server in this run, or not connected.
  public var isStale: Bool
  /// Decoded; one that this version cannot read is absent.
  public var facets: [FacetKind: Facet]
  /// As they came, for the cache.
  public var encoded: [FacetKind: EncodedFacet]
  /// As last heard on the newest connection; they are not kept over it.
  public var readings: [ReadingKind: Reading]
  /// The server's clock minus the device's.
  public var clockOffsetMilliseconds: Int64

  /// The state of a surface that knows nothing.
  public static let empty = SurfaceState(
    account: nil, epoch: nil, revision: 0, facetSet: 0, isStale: true, facets: [:], encoded: [:],
    readings: [:], clockOffsetMilliseconds: 0)

  /// Where the surface stands; nil: everything is wanted.
  public var cursor: Cursor? {
    guard let epoch, revision > 0 else { return nil }
    return Cursor(epoch: epoch, revision: revision, facetSet: facetSet)
  }

  /// The server's time when the device's clocks show `clock`: what timelines are read by.
  public func correctedNow(_ clock: DeviceClock) -> Instant {
    clock.wall.advanced(milliseconds: clockOffsetMilliseconds)
  }

  /// What is measured in the running session when the device's clocks show `clock`: a surface that
  /// hears nothing more shows nothing from its expiry on.
  public func live(at clock: DeviceClock) -> LiveReading? {
    guard case .live(let reading?) = readings[.live], !reading.isExpired(at: correctedNow(clock))
    else { return nil }
    return reading
  }
}
