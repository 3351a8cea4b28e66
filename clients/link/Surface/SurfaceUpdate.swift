public import WatchTransfer

/// What one update changed on a surface.
public struct SurfaceUpdate: Hashable, Sendable {
  /// The revision it continues; 0: it replaced everything.
  public var from: Revision
  /// Where the surface stands now.
  public var to: Revision
  /// The facets that changed, in the order they came.
  public var facets: [Facet]
  /// The readings that came with it.
  public var readings: [Reading]
  /// Moments worth a haptic; none when the update said nothing new.
  public var cues: [Cue]

  /// An update.
  public init(
    from: Revision, to: Revision, facets: [Facet], readings: [Reading] = [], cues: [Cue] = []
  ) {
    self.from = from
    self.to = to
    self.facets = facets
    self.readings = readings
    self.cues = cues
  }
}
