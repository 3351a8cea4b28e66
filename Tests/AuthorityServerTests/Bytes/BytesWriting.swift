import WatchTransfer

// Encodings written by hand, so that they can be wrong.

/// A varint in its shortest form.
func varint(_ value: UInt64) -> [UInt8] {
  var bytes: [UInt8] = []
  var rest = value
  while rest >= 0x80 {
    bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
    rest >>= 7
  }
  return bytes + [UInt8(rest)]
}

/// A field's tag.
func tag(_ number: UInt64, wireType: UInt64) -> [UInt8] { varint(number << 3 | wireType) }

/// A number.
func number(_ field: UInt64, _ value: UInt64) -> [UInt8] { tag(field, wireType: 0) + varint(value) }

/// A number of a `sint` field.
func signed(_ field: UInt64, _ value: Int64) -> [UInt8] {
  number(field, UInt64(bitPattern: value << 1 ^ value >> 63))
}

/// A `double`.
func double(_ field: UInt64, _ value: Double) -> [UInt8] {
  tag(field, wireType: 1)
    + (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
}

/// Bytes, text, or a message within a message.
func blob(_ field: UInt64, _ content: [UInt8]) -> [UInt8] {
  tag(field, wireType: 2) + varint(UInt64(content.count)) + content
}

/// Text.
func text(_ field: UInt64, _ content: String) -> [UInt8] { blob(field, Array(content.utf8)) }

/// Bytes, `count` times.
func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
  Array(repeatElement(bytes, count: count).joined())
}

/// A length of four bytes, big-endian.
func prefix(_ length: Int) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
}

/// A frame of one payload.
func frame(_ payload: [UInt8]) -> [UInt8] { prefix(payload.count) + payload }

/// Numbers of the fields of `WatchTransferMessage` that rows use.
enum MessageField {
  static let hello: UInt64 = 1
  static let act: UInt64 = 3
  static let resume: UInt64 = 9
  static let fetch: UInt64 = 10
  static let ping: UInt64 = 14
  static let pong: UInt64 = 15
  static let goodbye: UInt64 = 16
  static let pulse: UInt64 = 17
  static let query: UInt64 = 18
  static let chunk: UInt64 = 20
  /// What only the server says: Welcome, Receipt, Conflict, Settled, Hold, Update, Snapshot,
  /// NotModified, Reload, Page, ChunkState.
  static let ofServer: [UInt64] = [2, 4, 5, 6, 7, 8, 11, 12, 13, 19, 21]
}

/// Numbers of the actions of an `ActionBody`.
enum ActionField {
  static let defineWorkout: UInt64 = 16
  static let deleteWorkout: UInt64 = 18
  static let scheduleWorkout: UInt64 = 19
  static let markWorkout: UInt64 = 21
  static let logWorkout: UInt64 = 23
  static let setTheme: UInt64 = 24
  static let setGoal: UInt64 = 25
  static let setPreferences: UInt64 = 26
  static let setZone: UInt64 = 27
  static let newMatch: UInt64 = 28
  static let addPoint: UInt64 = 30
  static let controlClock: UInt64 = 32
  static let defineRoutine: UInt64 = 36
  static let startSession: UInt64 = 39
  static let completeSet: UInt64 = 40
  static let recordSamples: UInt64 = 49
  static let setSquad: UInt64 = 52
  static let setKeymap: UInt64 = 55
  static let press: UInt64 = 56
  static let attachPhoto: UInt64 = 67
  static let removePhoto: UInt64 = 68
}

/// A Ping's frame; what stands behind its nonce may be wrong.
func ping(_ nonce: UInt64, _ more: [UInt8] = []) -> [UInt8] {
  frame(blob(MessageField.ping, number(1, nonce) + more))
}

/// A Hello's payload; what stands behind version and token may be wrong.
func hello(version: UInt64 = UInt64(protocolVersion), token: [UInt8], _ more: [UInt8] = [])
  -> [UInt8]
{
  blob(MessageField.hello, number(1, version) + blob(2, token) + more)
}

/// Sixteen bytes that name something.
func id(_ last: UInt8) -> [UInt8] { Array(repeating: 0x5A, count: 15) + [last] }

/// When bodies say that they occurred: 2026-11-30T12:00:00Z.
let bodyMoment: Int64 = 1_796_040_000_000

/// A body: when it occurred, and an action.
func body(_ action: UInt64, _ content: [UInt8], at wall: Int64 = bodyMoment) -> [UInt8] {
  blob(1, signed(1, wall)) + blob(action, content)
}

/// An Act's frame, written by hand.
func act(incarnation: [UInt8] = id(1), number own: UInt64 = 1, confirmed: UInt64 = 0, body: [UInt8])
  -> [UInt8]
{
  frame(
    blob(
      MessageField.act,
      blob(1, incarnation) + number(2, own) + number(3, confirmed) + blob(5, body)))
}
