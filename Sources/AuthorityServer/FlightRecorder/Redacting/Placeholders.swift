internal import Authority
internal import Transport
internal import WatchTransfer

/// What stands for texts, secrets and addresses in a redacted record.
///
/// Every placeholder is drawn at random and kept in a table that ends with the redaction: nobody
/// can compute a text from its placeholder, nor try texts until one fits, as with a hash. The same
/// original always has the same placeholder, and no two share one.
///
/// Texts are replaced word by word, since the title match looks at whole words (DESIGN section 6,
/// rule 3): a word keeps its length in bytes, which of its letters are capitals, where it has
/// digits and how many bytes each character takes; two words that differ in ASCII case alone still
/// do. Spaces, and characters that nobody sees, stay. What is not kept: the order of texts,
/// characters that are made of several code points (each becomes a character of its own), and case
/// beyond ASCII, which no rule looks at.
///
/// Unchecked: one thread redacts.
final class Placeholders: @unchecked Sendable {
  /// What a text is, as far as it matters.
  enum TextKind {
    /// Every word goes.
    case name
    /// Words of the closed list of activities stay: the title match looks for them.
    case title
    /// Letters and digits go, the rest stays: nothing else is a zone's spelling.
    case zone
  }

  /// Whether there were more texts of one form than there are placeholders of it: the same word
  /// may then stand for two.
  private(set) var isExhausted = false
  /// Different words that were replaced.
  var wordCount: Int { words.count }

  private var random: any RandomNumberGenerator
  private let kept: Set<[UInt8]>
  /// By the word in small letters.
  private var words: [[UInt8]: [Unicode.Scalar]] = [:]
  private var usedWords: Set<[UInt8]>
  private var noises: [[UInt8]: [UInt8]] = [:]
  private var usedNoises: Set<[UInt8]> = []
  private var networks: [[UInt8]: [UInt8]] = [:]
  private var punctuation: [UInt8: UInt8] = [:]

  private static let triesMax = 20_000

  init(random: any RandomNumberGenerator) {
    self.random = random
    kept = Set(activityWords.map { Array($0.utf8) })
    // No placeholder may read like a word that means something to a rule.
    usedWords = kept.union(
      ["workouts", "minutes", "per", "week", "day", "weight"].map { Array($0.utf8) })
    // One cycle through all of them, so that none stands for itself.
    var cycle = (UInt8(0x21)...0x7E).filter { !Self.isWordByte($0) }
    cycle.shuffle(using: &self.random)
    for (index, byte) in cycle.enumerated() {
      punctuation[byte] = cycle[(index + 1) % cycle.count]
    }
  }

  /// A text's placeholder, of as many bytes; it passes and fails the same checks.
  func text(_ bytes: [UInt8], as kind: TextKind) -> [UInt8] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      // It is refused, whatever it is.
      var unreadable = noise(bytes)
      unreadable[0] = 0xFF
      return unreadable
    }
    var result: [UInt8] = []
    var word: [Unicode.Scalar] = []
    func endWord() {
      if !word.isEmpty { result += self.word(word, as: kind) }
      word = []
    }
    for scalar in text.unicodeScalars {
      if scalar.value >= 0x80 || Self.isWordByte(UInt8(truncatingIfNeeded: scalar.value)) {
        word.append(scalar)
      } else {
        endWord()
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        result.append(kind == .zone ? byte : punctuation[byte] ?? byte)
      }
    }
    endWord()
    return result
  }

  /// See `text`, for what is a `String` already.
  func text(_ text: String, as kind: TextKind = .name) -> String {
    String(decoding: self.text(Array(text.utf8), as: kind), as: UTF8.self)
  }

  /// As many bytes that say nothing.
  func noise(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.isEmpty { return [] }
    if let known = noises[bytes] { return known }
    let found = draw(&usedNoises) { random in
      bytes.map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }
    noises[bytes] = found
    return found
  }

  /// A token's placeholder; weak ones stay weak.
  func token(_ bytes: [UInt8]) -> [UInt8] {
    guard let token = Token(bytes: bytes), token.isWeak else { return noise(bytes) }
    if let known = noises[bytes] { return known }
    let found = draw(&usedNoises) { random in
      var values: [UInt8: UInt8] = [:]
      for byte in bytes where values[byte] == nil {
        values[byte] = UInt8.random(in: .min ... .max, using: &random)
      }
      return bytes.map { values[$0] ?? 0 }
    }
    noises[bytes] = found
    return found
  }

  /// A number's placeholder.
  func number(_ value: UInt64) -> UInt64 {
    noise((0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
      .reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A peer's placeholder. Limits hold for IPv6 by /64 and not at all for this machine: addresses
  /// of one network stay in one, and loopback stays.
  func peer(_ peer: PeerAddress) -> PeerAddress {
    guard case .internet(let address) = peer, !address.isLoopback else { return peer }
    let bytes = address.bytes
    let replaced: [UInt8]
    if bytes.count == 4 {
      replaced = network(bytes) { [10] + $0 }
    } else {
      let host = Array(bytes[8...])
      replaced =
        network(Array(bytes[..<8])) { [0x20, 0x01, 0x0D, 0xB8] + $0 + [0] }
        + (host.allSatisfy { $0 == 0 } ? host : noise(host))
    }
    return IPAddress(bytes: replaced).map { .internet($0) } ?? peer
  }

  private func network(_ bytes: [UInt8], _ make: ([UInt8]) -> [UInt8]) -> [UInt8] {
    if let known = networks[bytes] { return known }
    let found = draw(&usedNoises) { random in
      make((0..<3).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }
    networks[bytes] = found
    return found
  }

  private func draw(
    _ used: inout Set<[UInt8]>, _ make: (inout any RandomNumberGenerator) -> [UInt8]
  ) -> [UInt8] {
    for _ in 0..<Self.triesMax {
      let candidate = make(&random)
      if used.insert(candidate).inserted { return candidate }
    }
    isExhausted = true
    return make(&random)
  }

  // Words.

  private func word(_ word: [Unicode.Scalar], as kind: TextKind) -> [UInt8] {
    let folded = word.map { Self.folded($0) }
    let key = folded.flatMap { Array(UTF8.encode($0) ?? .init()) }
    if kind == .title, kept.contains(key) { return Self.bytes(of: word) }
    let replaced = words[key] ?? drawWord(folded, key)
    return Self.bytes(
      of: zip(word, replaced).map { old, new in
        Self.isCapital(old) ? Unicode.Scalar(UInt8(truncatingIfNeeded: new.value) & 0xDF) : new
      })
  }

  private func drawWord(_ folded: [Unicode.Scalar], _ key: [UInt8]) -> [Unicode.Scalar] {
    var found = folded.map(replacement)
    if !folded.allSatisfy(Self.isUnseen) {
      var isFree = false
      for attempt in 0..<Self.triesMax {
        let candidate = folded.map(replacement)
        let bytes = Self.bytes(of: candidate)
        // A word of one letter may have no other place left than its own.
        if usedWords.contains(bytes) || attempt < Self.triesMax / 2 && bytes == key { continue }
        found = candidate
        isFree = true
        break
      }
      if !isFree {
        isExhausted = true
      }
    }
    usedWords.insert(Self.bytes(of: found))
    words[key] = found
    return found
  }

  /// Another character of as many bytes, which stands by itself.
  private func replacement(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let range: ClosedRange<UInt32> =
      switch scalar.value {
      case 0x30...0x39: 0x30...0x39
      case ..<0x80: 0x61...0x7A
      // Tags and selectors of variants spell names of flags, and may spell anything.
      case 0xE0000...0xE0FFF: 0xE0061...0xE0061
      case _ where Self.isUnseen(scalar): scalar.value...scalar.value
      case ..<0x800: 0x400...0x481
      case ..<0x10000: 0x4E00...0x9FFF
      default: 0x20000...0x2A6DF
      }
    return Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? "?"
  }

  /// Whether checks look at the character: it is not seen, or must not stand in a name.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    isControl(scalar) || scalar.value == 0x2800 || (0x2028...0x202E).contains(scalar.value)
      || (0x2066...0x2069).contains(scalar.value) || scalar.properties.isWhitespace
      || scalar.properties.isDefaultIgnorableCodePoint
      || scalar.properties.isNoncharacterCodePoint
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func isCapital(_ scalar: Unicode.Scalar) -> Bool {
    (0x41...0x5A).contains(scalar.value)
  }

  private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    isCapital(scalar) ? Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value) | 0x20) : scalar
  }

  private static func bytes(of scalars: [Unicode.Scalar]) -> [UInt8] {
    scalars.flatMap { Array(UTF8.encode($0) ?? .init()) }
  }
}
