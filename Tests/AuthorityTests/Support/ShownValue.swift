import WatchTransfer

/// Every leaf of a value as a surface shows it at a moment, by its path: of a list whose entries
/// have moments only the current entry, without when it began, which may be when its turn was made.
/// Found by reflection, so that no field that comes later is forgotten.
struct ShownValue: Equatable {
  private(set) var leaves: [String: String] = [:]
  /// The leaves that are text.
  private(set) var texts: [String: String] = [:]

  /// nil: every entry of every list.
  init(_ value: Any, at moment: Instant?) {
    take(value, at: moment, path: "")
  }

  private mutating func take(_ value: Any, at moment: Instant?, path: String) {
    if let text = value as? String {
      leaves[path] = text
      texts[path] = text
      return
    }
    if let moment, let timed = value as? [any Timed], !timed.isEmpty {
      let current = timed.last { $0.from <= moment } ?? timed[0]
      for child in Mirror(reflecting: current).children where child.label != "from" {
        take(child.value, at: moment, path: "\(path).\(child.label ?? "")")
      }
      return
    }
    let children = Mirror(reflecting: value).children
    if children.isEmpty { leaves[path] = "\(value)" }
    for (index, child) in children.enumerated() {
      take(child.value, at: moment, path: "\(path).\(child.label ?? String(index))")
    }
  }

  /// Where two differ.
  func differences(from other: ShownValue) -> [String] {
    Set(leaves.keys).union(other.leaves.keys).sorted().compactMap { path in
      guard leaves[path] != other.leaves[path] else { return nil }
      return "\(path): \(leaves[path] ?? "–") | \(other.leaves[path] ?? "–")"
    }
  }
}
