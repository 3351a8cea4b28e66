/// Whether two texts are the same bytes. `String ==` takes canonically equivalent texts for one,
/// and which texts are equivalent depends on the Unicode version of the library.
func sameBytes(_ left: String, _ right: String) -> Bool {
  left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
}

/// Orders texts by their bytes.
func bytesPrecede(_ left: String, _ right: String) -> Bool {
  left.utf8.lexicographicallyPrecedes(right.utf8)
}

extension Array {
  /// Index of the first element for which `isBefore` is false; elements for which it is true come
  /// first. At most log2(count) + 1 calls.
  func partitionIndex(where isBefore: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if isBefore(self[middle]) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
