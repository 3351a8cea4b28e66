/// A search by name: names that hold every word of a text, ASCII case folded. Those that begin with
/// its first word come first, then they go by their folded bytes, then by id.
public struct NameSearch: Sendable {
  /// Where a name stands.
  public struct Place: Comparable, Sendable {
    fileprivate var follows: Bool
    fileprivate var name: [UInt8]
    fileprivate var id: Identifier<Never>

    /// Orders as the search lists.
    public static func < (left: Self, right: Self) -> Bool {
      if left.follows != right.follows { return right.follows }
      if left.name != right.name { return left.name.lexicographicallyPrecedes(right.name) }
      return left.id < right.id
    }
  }

  private let words: [[UInt8]]

  /// A search for a text; an empty one finds every name.
  public init(_ text: String) {
    words = Self.folded(text).split(separator: 0x20).map(Array.init)
  }

  /// Whether a name holds every word.
  public func finds(_ name: String) -> Bool {
    let name = Self.folded(name)
    return words.allSatisfy { Self.contains(name, $0) }
  }

  /// Where a thing stands, or would.
  public func place<Tag>(of key: NamedKey<Tag>) -> Place {
    let name = Self.folded(key.name)
    return Place(
      follows: !name.starts(with: words.first ?? []), name: name, id: key.id.retagged())
  }

  private static func folded(_ text: String) -> [UInt8] {
    text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
  }

  private static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
    guard word.count <= text.count else { return false }
    return (0...(text.count - word.count)).contains { text[$0...].starts(with: word) }
  }
}
