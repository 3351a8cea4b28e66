public import WatchTransfer

/// The facets of one account, encoded once: what surfaces are sent, and what a checkpoint keeps so
/// that restart, cold launch and resume need not project.
public struct FacetTable: Hashable, Sendable {
  /// The kind's number is the index; 0 is no kind.
  private var facets: [EncodedFacet?]

  /// Shared by all tables without facets, of which there is one for each account not in memory.
  private static let none: [EncodedFacet?] = Array(
    repeating: nil, count: Int(FacetKind.allCases.map(\.rawValue).max() ?? 0) + 1)

  /// No facets yet.
  public init() {
    facets = Self.none
  }

  /// The facet of a kind; nil before it was first projected.
  public subscript(kind: FacetKind) -> EncodedFacet? {
    facets[Int(kind.rawValue)]
  }

  /// Whether no facet was projected yet.
  public var isEmpty: Bool { facets.allSatisfy { $0 == nil } }

  /// Puts a facet in; bytes that did not change keep their revision.
  /// - Returns: whether it changed.
  @discardableResult
  public mutating func put(_ kind: FacetKind, content: [UInt8], revision: Revision) -> Bool {
    let index = Int(kind.rawValue)
    if let present = facets[index], present.content == content { return false }
    facets[index] = EncodedFacet(kind: kind, revision: revision, content: content)
    return true
  }

  /// Puts a facet in with the revision of the row that touched it, whatever its bytes: after a
  /// recovery it is not known what was seen in between (DESIGN section 3).
  public mutating func putRecovered(_ kind: FacetKind, content: [UInt8], revision: Revision) {
    facets[Int(kind.rawValue)] = EncodedFacet(kind: kind, revision: revision, content: content)
  }

  /// The facets of `kinds` that changed after `revision`, in the order of their numbers.
  public func changed(since revision: Revision, of kinds: [FacetKind]) -> [EncodedFacet] {
    kinds.compactMap { kind in
      guard let facet = self[kind], facet.revision > revision else { return nil }
      return facet
    }
  }

  /// The stored form. `build` names the projection's version: rows of another are projected anew.
  public func encoded(build: String) -> [UInt8] {
    var writer = ByteWriter()
    writer.text(build)
    writer.list(facets.compactMap(\.self)) { writer, facet in
      writer.byte(facet.kind.rawValue)
      writer.unsigned(facet.revision)
      writer.blob(facet.content)
    }
    return writer.bytes
  }

  /// Reads the stored form; nil when it is of another build.
  public static func decoded(_ bytes: [UInt8], build: String) throws(StoredFormError) -> FacetTable?
  {
    var reader = ByteReader(bytes)
    guard Array(try reader.text().utf8) == Array(build.utf8) else { return nil }
    var table = FacetTable()
    for _ in 0..<(try reader.count()) {
      let kind: FacetKind = try reader.choice(of: "facet")
      table.facets[Int(kind.rawValue)] = EncodedFacet(
        kind: kind, revision: try reader.unsigned(), content: try reader.blob())
    }
    try reader.expectEnd()
    return table
  }
}
