import CExpat
import Glibc

/// The attributes of one start tag, borrowed from expat for the duration of its callback.
struct ElementAttributes {
  private let pairs: UnsafeMutablePointer<UnsafePointer<XML_Char>?>

  /// Wraps expat's array of names and values in turn, which ends with a null.
  init(_ pairs: UnsafeMutablePointer<UnsafePointer<XML_Char>?>) {
    self.pairs = pairs
  }

  /// The value of an attribute, copied. expat has checked that it is UTF-8 and that no name stands
  /// twice.
  subscript(_ name: StaticString) -> String? {
    var index = 0
    while let key = pairs[index], let value = pairs[index + 1] {
      if Self.isSame(key, name) { return String(cString: value) }
      index += 2
    }
    return nil
  }

  /// Whether a name of expat's is this one.
  static func isSame(_ text: UnsafePointer<XML_Char>, _ name: StaticString) -> Bool {
    // Equal so far means that the text is at least as long as the name, so its next byte is there.
    name.withUTF8Buffer { buffer in
      guard let base = buffer.baseAddress else { return false }
      return strncmp(text, UnsafeRawPointer(base).assumingMemoryBound(to: CChar.self), buffer.count)
        == 0 && text[buffer.count] == 0
    }
  }
}
