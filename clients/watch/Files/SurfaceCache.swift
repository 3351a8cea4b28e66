package import AuthorityLink
package import WatchTransfer

/// The last state on disk, for a cold launch without a network: cursor and facets in one file, so
/// that the cursor is never ahead of the facets. What is broken is no cache.
package struct SurfaceCache: Sendable {
  private let file: SealedFile

  /// The cache at `path`.
  init(path: String) {
    file = SealedFile(path: path, magic: "WWSURF01")
  }

  /// The kept state, stale; facets that `decode` cannot read are left out of what is shown.
  func load(decode: (EncodedFacet) -> Facet?) -> SurfaceState? {
    file.read().flatMap { Self.state(from: $0, decode: decode) }
  }

  /// Reads the content of the file; nil when it is none.
  package static func state(
    from content: [UInt8], decode: (EncodedFacet) -> Facet?
  ) -> SurfaceState? {
    var reader = FieldReader(content)
    guard let account = reader.id(AccountTag.self), let epoch = reader.optionalID(EpochTag.self),
      let revision = reader.number(UInt64.self), let facetSet = reader.number(UInt32.self),
      let offset = reader.number(Int64.self), let count = reader.number(UInt8.self)
    else { return nil }
    var state = SurfaceState.empty
    state.account = account
    state.epoch = epoch
    state.revision = revision
    state.facetSet = facetSet
    state.clockOffsetMilliseconds = offset
    for _ in 0..<count {
      guard let number = reader.number(UInt8.self), let revision = reader.number(UInt64.self),
        let content = reader.counted(), let kind = FacetKind(rawValue: number)
      else { return nil }
      let facet = EncodedFacet(kind: kind, revision: revision, content: content)
      state.encoded[kind] = facet
      state.facets[kind] = decode(facet)
    }
    return reader.isAtEnd ? state : nil
  }

  /// Replaces the kept state; a kill at any instant leaves the old one or this. Readings are not
  /// kept.
  func store(_ state: SurfaceState) throws(FileError) {
    if let content = Self.content(of: state) { try file.replace(with: content) }
  }

  /// The content of the file; nil for a state of nobody.
  package static func content(of state: SurfaceState) -> [UInt8]? {
    guard let account = state.account else { return nil }
    var writer = FieldWriter()
    writer.put(account)
    writer.put(state.epoch)
    writer.put(state.revision)
    writer.put(state.facetSet)
    writer.put(state.clockOffsetMilliseconds)
    writer.put(UInt8(clamping: state.encoded.count))
    for kind in FacetKind.allCases {
      guard let facet = state.encoded[kind] else { continue }
      writer.put(kind.rawValue)
      writer.put(facet.revision)
      writer.put(counted: facet.content)
    }
    return writer.bytes
  }
}
