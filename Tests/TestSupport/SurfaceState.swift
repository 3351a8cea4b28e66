public import WatchTransfer
internal import WireFormat

/// What a surface knows from its updates, and whether they kept their promises: `from` is the
/// revision it was sent last or 0, facets lie after it and not past `to`, and no revision goes back
/// within an epoch.
public struct SurfaceState {
  public private(set) var epoch: EpochID?
  public private(set) var revision: Revision = 0
  public private(set) var facets: [FacetKind: EncodedFacet] = [:]
  public private(set) var readings: [ReadingKind: Reading] = [:]
  /// Whether a connection's first update has not come yet: it may start from any revision.
  public var isJoining = true
  /// Where the answer to a Resume under way starts; what was sent before it arrived comes first.
  private var asked: Revision?

  public init() {}

  /// The cursor that stands for it.
  public func cursor(facetSet: UInt32) -> Cursor? {
    epoch.map { Cursor(epoch: $0, revision: revision, facetSet: facetSet) }
  }

  /// Takes an update in; throws when it breaks a promise.
  public mutating func take(_ update: Update) throws {
    for reading in update.readings { readings[reading.kind] = reading }
    if !update.readings.isEmpty, update.facets.isEmpty, update.from == update.to { return }
    guard update.from == 0 || update.from == revision || update.from == asked else {
      throw broken("an update from \(update.from) came to a surface at \(revision)")
    }
    guard update.to >= update.from else { throw broken("an update goes back") }
    if !isJoining, update.epoch == epoch, update.to < revision {
      throw broken("revision \(update.to) came after \(revision) of one epoch")
    }
    for facet in update.facets {
      guard facet.revision > update.from, facet.revision <= update.to else {
        throw broken("\(facet.kind) of \(facet.revision) in \(update.from) to \(update.to)")
      }
    }
    if update.from != revision { asked = nil }
    if update.from == 0 { facets = [:] }
    for facet in update.facets { facets[facet.kind] = facet }
    epoch = update.epoch
    revision = update.to
    isJoining = false
  }

  /// A new connection starts from an earlier revision.
  public mutating func rewind(to revision: Revision) {
    self.revision = revision
    asked = nil
  }

  /// Everything that was under way has come, the answer to a Resume too.
  public mutating func synced() { asked = nil }

  /// The surface asks, on this connection, for everything after an earlier revision again.
  public mutating func ask(after revision: Revision) { asked = revision }

  /// A facet's value.
  public func facet(_ kind: FacetKind) throws -> Facet {
    guard let facet = facets[kind] else { throw broken("\(kind) was not sent") }
    return try MessageDecoder(limits: .fromServer).decodeFacet(facet)
  }

  /// The bytes of every facet.
  public var contents: [FacetKind: [UInt8]] { facets.mapValues(\.content) }

  /// The bytes of the facets that a kind of device is shown.
  public func contents(shownOn kind: DeviceKind) -> [FacetKind: [UInt8]] {
    contents.filter { kind.facets.contains($0.key) }
  }

  private func broken(_ promise: String) -> WireClient.Failure { .unexpected(promise) }
}
