internal import WatchTransfer

/// A page of what is listed by name.
struct NamedPage<Tag> {
  /// Which of the keys are on it.
  let range: Range<Int>
  /// What the next page comes after; nil: there is none.
  let next: NamedKey<Tag>?

  /// The page behind a key; `keys` stand in the order of the search.
  init(
    _ keys: [NamedKey<Tag>], in search: NameSearch, after: NamedKey<Tag>?, limit: Int,
    within limits: ClosedRange<Int>
  ) {
    var start = 0
    if let after {
      let place = search.place(of: after)
      start = keys.partitionIndex { !(place < search.place(of: $0)) }
    }
    let limit = min(max(limit, limits.lowerBound), limits.upperBound)
    let end = min(keys.count, start + limit)
    range = start..<end
    next = end < keys.count ? keys[end - 1] : nil
  }
}
