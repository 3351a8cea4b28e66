public import WatchTransfer

/// A set of facets, iterated in the order of their numbers.
public struct FacetSet: Sendable, Hashable, Sequence, ExpressibleByArrayLiteral {
  /// Bit n is the facet with the number n.
  public private(set) var bits: UInt32 = 0

  /// No facets.
  public init() {}

  /// The facets given.
  public init(arrayLiteral kinds: FacetKind...) {
    self.init(kinds)
  }

  /// The facets given.
  public init(_ kinds: some Sequence<FacetKind>) {
    for kind in kinds { insert(kind) }
  }

  /// Every facet.
  public static let all = FacetSet(FacetKind.allCases)

  /// Whether it is empty.
  public var isEmpty: Bool { bits == 0 }

  /// Whether a facet is in it.
  public func contains(_ kind: FacetKind) -> Bool { bits & Self.bit(kind) != 0 }

  /// Adds a facet.
  public mutating func insert(_ kind: FacetKind) { bits |= Self.bit(kind) }

  /// Adds the facets of another set.
  public mutating func formUnion(_ other: FacetSet) { bits |= other.bits }

  /// The facets of either set.
  public func union(_ other: FacetSet) -> FacetSet {
    var both = self
    both.formUnion(other)
    return both
  }

  /// The facets of both sets.
  public func intersection(_ other: FacetSet) -> FacetSet {
    var both = self
    both.bits &= other.bits
    return both
  }

  /// Its facets, in the order of their numbers.
  public func makeIterator() -> Iterator { Iterator(bits: bits) }

  /// Takes the lowest bit each time.
  public struct Iterator: IteratorProtocol {
    fileprivate var bits: UInt32

    /// The next facet.
    public mutating func next() -> FacetKind? {
      guard bits != 0 else { return nil }
      let number = bits.trailingZeroBitCount
      bits &= bits - 1
      return FacetKind(rawValue: UInt8(truncatingIfNeeded: number))
    }
  }

  private static func bit(_ kind: FacetKind) -> UInt32 { 1 << UInt32(kind.rawValue) }
}
