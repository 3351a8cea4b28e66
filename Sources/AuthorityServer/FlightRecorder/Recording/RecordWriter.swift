internal import Dispatch
internal import Glibc
internal import Guards
internal import Storage

/// Where and how much is recorded.
public struct RecordOptions: Sendable {
  /// The newest segment; older ones are `FILE.1`, `FILE.2` and `FILE.3`.
  public var path: String
  /// Of all segments together.
  public var bytesMax: Int
  /// The program and its version, for who reads it.
  public var program: String

  /// Least and default size.
  public static let bytesMin = 1 << 20
  public static let bytesDefault = 64 << 20
  /// The newest and the older ones.
  static let segmentsMax = 4

  /// A record at `path`.
  public init(path: String, bytesMax: Int = bytesDefault, program: String = "") {
    self.path = path
    self.program = program
    self.bytesMax = max(Self.bytesMin, bytesMax)
  }

  /// Size at which a segment is full. What is under way when it fills up still goes in, up to half
  /// as much again.
  var segmentBytesMax: Int { bytesMax / (Self.segmentsMax * 3 / 2) }

  /// Of the state that a segment begins with: half a segment, so that the other half is left for
  /// what happens.
  var stateBytesMax: Int { segmentBytesMax / 2 }

  /// The least `bytesMax`, in whole MiB, with room for a state of so many bytes, and for twice as
  /// much, since accounts grow.
  static func bytesNeeded(forStateOf bytes: Int) -> Int {
    let mebibyte = 1 << 20
    let least = 2 * bytes * 2 * (segmentsMax * 3 / 2) + mebibyte
    return max(bytesMin, least / mebibyte * mebibyte)
  }
}

/// Writes segments behind the back of the queues that fill them. An error ends it, nothing else.
final class RecordWriter: Sendable {
  private enum Job {
    case bytes([UInt8])
    /// A new segment.
    case segment
  }

  private struct State {
    var jobs: [Job] = []
    var backlogBytes = 0
    var isScheduled = false
    var isOver = false
    /// Of the segment that is filled, and how many records it has.
    var segmentBytes = 0
    var records: UInt64 = 0
    var context = TapeContext()
  }

  /// Bytes that wait to be written; more, and the disk is too slow.
  private var backlogBytesMax: Int { options.segmentBytesMax + 32 << 20 }

  let options: RecordOptions
  private let state = Lock(State())
  private let queue = DispatchQueue(label: "wristwire.record")
  /// Open for writing; touched on `queue` alone.
  private let descriptor: Lock<Int32>
  private let onFailure: @Sendable (String) -> Void

  /// Makes the first file, in place of an older record, which moves on.
  ///
  /// - Parameter onFailure: told once why nothing more is recorded.
  /// - Throws: `notARecord` for a file that is something else, `unwritable`.
  init(
    _ options: RecordOptions, onFailure: @escaping @Sendable (String) -> Void
  ) throws(RecordError) {
    self.options = options
    self.onFailure = onFailure
    try Self.expectRecord(options.path)
    descriptor = Lock(-1)
    if let number = startFile() { throw .unwritable(path: options.path, errno: number) }
  }

  deinit {
    _ = descriptor.withLock { close($0) }
  }

  /// Whether the segment has room for what comes by itself, and for what is under way.
  var fill: (isFull: Bool, isOverfull: Bool) {
    let bytes = state.withLock { $0.segmentBytes }
    let full = options.segmentBytesMax
    return (bytes > full, bytes > full + full / 2 - full / 8)
  }

  /// Begins a segment with its first record; the first one is already open.
  func begin(_ record: TapeRecord) {
    let mustSchedule = state.withLock { state -> Bool in
      if state.records > 0 { state.jobs.append(.segment) }
      state.context = TapeContext()
      state.records = 0
      state.segmentBytes = 0
      return add(record, to: &state)
    }
    if mustSchedule { schedule() }
  }

  /// Adds a record to the segment, if one was begun.
  func append(_ record: TapeRecord) {
    let mustSchedule = state.withLock { state in
      state.records > 0 && add(record, to: &state)
    }
    if mustSchedule { schedule() }
  }

  /// Returns once everything is in the file.
  func drain() { queue.sync {} }

  private func add(_ record: TapeRecord, to state: inout State) -> Bool {
    if state.isOver || state.backlogBytes > backlogBytesMax { return false }
    var writer = ByteWriter()
    record.encode(into: &writer, &state.context)
    let bytes = RecordFormat.framed(writer.bytes, number: state.records)
    state.records += 1
    state.segmentBytes += bytes.count
    state.backlogBytes += bytes.count
    state.jobs.append(.bytes(bytes))
    defer { state.isScheduled = true }
    return !state.isScheduled
  }

  private func schedule() { queue.async { self.write() } }

  private func write() {
    let (jobs, isTooSlow) = state.withLock { state in
      defer {
        state.jobs = []
        state.backlogBytes = 0
        state.isScheduled = false
      }
      return (state.jobs, state.backlogBytes > backlogBytesMax)
    }
    if isTooSlow { return end("the disk is too slow for it") }
    var run: [UInt8] = []
    for job in jobs {
      switch job {
      case .bytes(let bytes): run += bytes
      case .segment:
        if let number = write(&run) ?? startFile() { return end(String(cString: strerror(number))) }
      }
    }
    if let number = write(&run) { return end(String(cString: strerror(number))) }
  }

  private func write(_ run: inout [UInt8]) -> Int32? {
    defer { run.removeAll(keepingCapacity: true) }
    return descriptor.withLock { writeAll(run, to: $0) }
  }

  private func end(_ problem: String) {
    let isFirst = state.withLock { state in
      defer {
        state.isOver = true
        state.jobs = []
      }
      return !state.isOver
    }
    if isFirst { onFailure(problem) }
  }

  /// Moves older segments on, and opens a new file; the error's number when that is not possible.
  private func startFile() -> Int32? {
    let path = options.path
    for age in stride(from: RecordOptions.segmentsMax - 1, to: 0, by: -1) {
      let older = age == 1 ? path : "\(path).\(age - 1)"
      if access(older, F_OK) == 0, rename(older, "\(path).\(age)") != 0 { return errno }
    }
    let opened = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard opened >= 0 else { return errno }
    descriptor.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = opened
    }
    return writeAll(RecordFormat.magic, to: opened)
  }

  /// A file of somebody's must not be taken for an older segment.
  private static func expectRecord(_ path: String) throws(RecordError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 {
      if errno == ENOENT { return }
      throw .unwritable(path: path, errno: errno)
    }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: 6)
    let count = read(descriptor, &head, 6)
    guard count == 0 || count == 6 && head == Array(RecordFormat.magic.prefix(6)) else {
      throw .notARecord(path: path)
    }
  }
}
