internal import WireFormat

/// A file that knows whether it is whole: magic, version, checksum, content; replaced atomically.
/// What does not prove whole is no file at all.
package struct SealedFile: Sendable {
  private let path: String
  private let magic: [UInt8]

  /// The file at `path`, of the kind that eight bytes of `magic` name, version included.
  package init(path: String, magic: StaticString) {
    self.path = path
    self.magic = magic.withUTF8Buffer { Array($0) }
  }

  /// The content; nil when the file is absent, unreadable, damaged or of another kind.
  package func read() -> [UInt8]? {
    (try? readOrThrow()) ?? nil
  }

  /// The content; nil when the file is absent, damaged or of another kind. Throws when it is there
  /// and cannot be read: what replaced it then might replace something whole.
  package func readOrThrow() throws(FileError) -> [UInt8]? {
    try DurableFile.read(path).flatMap { content(of: $0) }
  }

  /// The content of a file that holds `bytes`; nil as for `read`.
  package func content(of bytes: [UInt8]) -> [UInt8]? {
    guard bytes.starts(with: magic) else { return nil }
    var reader = FieldReader(bytes.dropFirst(magic.count))
    guard let checksum = reader.number(UInt64.self), let content = reader.counted(),
      reader.isAtEnd, contentHash(content) == checksum
    else { return nil }
    return content
  }

  /// Replaces the content; a kill at any instant leaves the old one or this.
  package func replace(with content: [UInt8]) throws(FileError) {
    try DurableFile.replace(path, with: sealed(content))
  }

  /// The bytes of a file with that content.
  package func sealed(_ content: [UInt8]) -> [UInt8] {
    var writer = FieldWriter()
    for byte in magic { writer.put(byte) }
    writer.put(contentHash(content))
    writer.put(counted: content)
    return writer.bytes
  }
}
