/// Lower-case hexadecimal digits, two a byte.
public func hexadecimal(of bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}

/// The bytes that an even number of hexadecimal digits spell; nil for anything else.
public func hexadecimalBytes(of text: some StringProtocol) -> [UInt8]? {
  var bytes: [UInt8] = []
  var high: UInt8?
  for character in text.utf8 {
    let digit: UInt8
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
    default: return nil
    }
    if let first = high {
      bytes.append(first << 4 | digit)
      high = nil
    } else {
      high = digit
    }
  }
  return high == nil ? bytes : nil
}
