public import WatchTransfer

/// Keeps a surface's state from what the server sends; a value, without I/O.
///
/// Invariant: the cursor is never ahead of the facets. Both change in one step.
public struct SurfaceMachine: Sendable {
  /// What an update came to.
  public enum Reaction: Hashable, Sendable {
    /// The state changed, or was confirmed.
    case applied(SurfaceUpdate)
    /// The update does not continue this state; the server is to send what comes after the cursor,
    /// or everything (nil).
    case resume(Cursor?)
    /// Out of place, and the server was already asked.
    case ignored
  }

  /// What the surface shows.
  public private(set) var state: SurfaceState
  private var welcomed: Welcome?
  private var hasAsked = false

  /// Starts from a kept state, which is stale until the server says otherwise.
  public init(_ state: SurfaceState = .empty) {
    self.state = state
    self.state.isStale = true
    self.state.readings = [:]
  }

  /// The server's answer to the greeting, of the account that the state belongs to or of a first
  /// one.
  public mutating func received(_ welcome: Welcome) {
    welcomed = welcome
    hasAsked = false
    state.account = welcome.account
    state.readings = [:]
    let isCurrent =
      state.epoch == welcome.epoch && state.revision == welcome.revision
      && state.facetSet == welcome.facetSet
    state.isStale = !isCurrent
  }

  /// The connection is gone.
  public mutating func disconnected() {
    welcomed = nil
    state.isStale = true
  }

  /// The server's clock minus the device's.
  public mutating func received(clockOffsetMilliseconds: Int64) {
    state.clockOffsetMilliseconds = clockOffsetMilliseconds
  }

  /// The surface asks for everything.
  public mutating func askForEverything() {
    hasAsked = true
  }

  /// An update: `from 0` replaces what there is; another one continues it, or is out of place.
  /// `decode` reads a facet, or tells that this version cannot.
  public mutating func received(
    _ update: Update, decode: (EncodedFacet) -> Facet?
  ) -> Reaction {
    guard let welcomed else { return .ignored }
    if update.from != 0 {
      if state.revision == 0 { return ask(nil) }
      if update.epoch != state.epoch {
        // A server that started again continues a cursor it knows, and only exactly there.
        guard update.from == state.revision, update.to >= update.from else {
          return ask(state.cursor)
        }
      } else if update.to < state.revision || update.from > state.revision {
        // Late by its way, or after a gap: what it says is not where this surface stands.
        return ask(state.cursor)
      }
    }
    hasAsked = false
    return .applied(apply(update, from: welcomed, decode: decode))
  }

  private mutating func ask(_ cursor: Cursor?) -> Reaction {
    // One question at a time: an answer to each stray update would be a storm.
    if hasAsked { return .ignored }
    hasAsked = true
    return .resume(cursor)
  }

  private mutating func apply(
    _ update: Update, from welcome: Welcome, decode: (EncodedFacet) -> Facet?
  ) -> SurfaceUpdate {
    let isNew = update.epoch != state.epoch || update.to > state.revision
    if update.from == 0 {
      state.facets = [:]
      state.encoded = [:]
      state.readings = [:]
    }
    var changed: [Facet] = []
    for facet in update.facets {
      if let known = state.encoded[facet.kind], known.revision >= facet.revision { continue }
      state.encoded[facet.kind] = facet
      let decoded = decode(facet)
      state.facets[facet.kind] = decoded
      if let decoded { changed.append(decoded) }
    }
    for reading in update.readings { state.readings[reading.kind] = reading }
    state.epoch = update.epoch
    state.revision = update.to
    state.facetSet = welcome.facetSet
    state.isStale = update.epoch == welcome.epoch && update.to < welcome.revision
    return SurfaceUpdate(
      from: update.from, to: update.to, facets: changed, readings: update.readings,
      cues: isNew ? update.cues : [])
  }
}
