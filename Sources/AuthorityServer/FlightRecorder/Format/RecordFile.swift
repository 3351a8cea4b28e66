internal import Foundation
internal import Glibc
internal import Storage
internal import WireFormat

/// The format of one segment of a flight record, a file of its own that replays by itself.
///
/// It begins with the 8 bytes `WWTAPE` 0 3, the last of which is the version. Records follow: the
/// length of the payload (4 bytes), the length's complement (4), the lower half of the payload's
/// `contentHash` with the record's number from 0 as its seed (4), all little-endian, then the
/// payload, in the form of `ByteWriter`: see `TapeRecord`. The first record, and no other, is
/// `begin`. A file that ends within a record was cut off there; whatever else is wrong is damage.
enum RecordFormat {
  static let magic: [UInt8] = Array("WWTAPE".utf8) + [0, 3]
  static let headerBytes = 12
  /// Of one record's payload.
  static let payloadBytesMax = 1 << 30

  /// A record's header and payload.
  static func framed(_ payload: [UInt8], number: UInt64) -> [UInt8] {
    let length = UInt32(truncatingIfNeeded: payload.count)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headerBytes + payload.count)
    for word in [length, ~length, checksum(of: payload[...], number: number)] {
      withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes + payload
  }

  /// The checksum of a record's payload.
  static func checksum(of payload: ArraySlice<UInt8>, number: UInt64) -> UInt32 {
    payload.withUnsafeBytes { UInt32(truncatingIfNeeded: contentHash($0, seed: number)) }
  }
}

/// Why a flight record cannot be replayed.
public enum RecordError: Error, Equatable, CustomStringConvertible {
  case unreadable(path: String, errno: Int32)
  /// It does not begin as one does.
  case notARecord(path: String)
  case otherVersion(UInt8)
  /// The first record is not whole: there is no state to begin with.
  case empty
  case damaged(record: Int, offset: Int)
  /// The bytes are as they were written, and make no sense to this build.
  case unknownForm(record: Int, String)
  case unwritable(path: String, errno: Int32)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .unreadable(let path, let number): "\(path) cannot be read: \(Self.text(number))"
    case .notARecord(let path): "\(path) is not a flight record"
    case .otherVersion(let version):
      "the record has version \(version), and this build reads version "
        + "\(RecordFormat.magic.last ?? 0)"
    case .empty: "the record ends before its first event"
    case .damaged(let record, let offset):
      "the record is damaged: record \(record) at byte \(offset)"
    case .unknownForm(let record, let problem):
      "record \(record) makes no sense to this build: \(problem)"
    case .unwritable(let path, let number): "\(path) cannot be written: \(Self.text(number))"
    }
  }

  private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}

/// A segment that was read: its records, and whether its end is missing.
struct RecordFile {
  var records: [TapeRecord] = []
  /// Where the file was cut off within a record; nil: it was not.
  var cutOffAt: Int?
  /// Whether the recording was ended on purpose.
  var isEnded: Bool {
    if case .ended = records.last { true } else { false }
  }

  /// Reads a file; never traps, whatever is in it.
  init(path: String) throws(RecordError) {
    try self.init(try Self.contents(of: path), path: path)
  }

  /// Reads the bytes of a file.
  init(_ bytes: [UInt8], path: String) throws(RecordError) {
    guard bytes.starts(with: RecordFormat.magic.dropLast()) else { throw .notARecord(path: path) }
    let start = RecordFormat.magic.count
    guard bytes.count >= start else { throw .empty }
    guard bytes[start - 1] == RecordFormat.magic[start - 1] else {
      throw .otherVersion(bytes[start - 1])
    }
    try parse(bytes, from: start)
  }

  /// A segment of records; the first is `begin`.
  init(records: [TapeRecord]) {
    self.records = records
  }

  /// What a file of these records holds.
  var encoded: [UInt8] {
    var context = TapeContext()
    var bytes = RecordFormat.magic
    for (number, record) in records.enumerated() {
      var writer = ByteWriter()
      record.encode(into: &writer, &context)
      bytes += RecordFormat.framed(writer.bytes, number: UInt64(number))
    }
    return bytes
  }

  private mutating func parse(_ bytes: [UInt8], from start: Int) throws(RecordError) {
    var context = TapeContext()
    var position = start
    while position < bytes.count {
      let number = records.count
      guard bytes.count - position >= RecordFormat.headerBytes else {
        cutOffAt = position
        break
      }
      func word(_ index: Int) -> UInt32 {
        bytes.withUnsafeBytes {
          UInt32(
            littleEndian: $0.loadUnaligned(
              fromByteOffset: position + 4 * index, as: UInt32.self))
        }
      }
      let length = word(0)
      guard word(1) == ~length, length > 0, Int(length) <= RecordFormat.payloadBytesMax else {
        throw .damaged(record: number, offset: position)
      }
      let payloadStart = position + RecordFormat.headerBytes
      guard bytes.count - payloadStart >= Int(length) else {
        cutOffAt = position
        break
      }
      let payload = bytes[payloadStart..<payloadStart + Int(length)]
      guard word(2) == RecordFormat.checksum(of: payload, number: UInt64(number)) else {
        throw .damaged(record: number, offset: position)
      }
      do throws(StoredFormError) {
        records.append(try TapeRecord(Array(payload), &context))
      } catch {
        throw .unknownForm(record: number, "\(error)")
      }
      position = payloadStart + Int(length)
    }
    guard case .begin = records.first else { throw .empty }
    let isTwice = records.dropFirst().contains { if case .begin = $0 { true } else { false } }
    if isTwice { throw .unknownForm(record: 0, "it begins twice") }
  }

  private static func contents(of path: String) throws(RecordError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, errno: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(path: path, errno: errno) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }
}

/// Writes all bytes; the error's number when that is not possible.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
  var written = 0
  while written < bytes.count {
    let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    if count <= 0 { return count == 0 ? ENOSPC : errno }
    written += count
  }
  return nil
}

/// Writes a new file that nobody else may read, and makes sure that it is on the disk.
func writeNew(_ bytes: [UInt8], to path: String) throws(RedactionError) {
  let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
  let descriptor = open(path, flags, 0o600)
  guard descriptor >= 0 else {
    throw errno == EEXIST || errno == ELOOP
      ? .exists(path: path) : .unwritable(path: path, errno: errno)
  }
  var number = writeAll(bytes, to: descriptor)
  if number == nil, fsync(descriptor) != 0 { number = errno }
  if close(descriptor) != 0 { number = number ?? errno }
  guard let number else { return }
  unlink(path)
  throw .unwritable(path: path, errno: number)
}
