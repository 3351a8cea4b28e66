internal import Glibc
internal import Guards
internal import Synchronization
internal import Transport

/// What a run is taken down on, so that it can be run again: the same frames and clock give the
/// same bytes out.
///
/// While it records, the work of lobby and partitions runs one piece at a time, in an order that is
/// thereby known: what they share (lists, counters, addresses) needs no record of its own then. The
/// committer runs beside them as ever, since what it tells them depends on the order of what it is
/// given, and comes as work of its own.
///
/// Unchecked: everything that changes is atomic, behind a lock, or touched by the holder of `gate`
/// alone.
package final class Tape: @unchecked Sendable {
  /// What a segment begins with, and when it can: asked of the core.
  struct Source: Sendable {
    var isQuiet: @Sendable () -> Bool
    var state: @Sendable () -> [UInt8]
  }

  private let gate = Lock(())
  /// The thread whose work is being taken down; 0: none.
  private let owner = Atomic<UInt>(0)
  /// The queue whose work it is.
  private var running = 0
  private var entries: [TapeEntry] = []
  private var isRecording = false
  private let isOver = Atomic<Bool>(false)
  private let holding = Atomic<Bool>(false)

  private var queues: [RecordingQueue] = []
  private var source: Source?
  /// When a segment that is wanted may be tried for, and until when input is held back for it.
  private var wantedSince: Int64?
  private var nextTry: Int64 = 0
  /// The threads of queues that are not taken down, by queue.
  private let rows = Atomic<Int64>(0)
  private let besides = Lock<[UInt: Int]>([:])
  private let nextStream = Atomic<UInt64>(1)
  /// The streams of sockets on their way between two queues, by descriptor.
  private let passing = Lock<[Int32: UInt64]>([:])

  private let writer: RecordWriter
  private let onFailure: Lock<@Sendable (String) -> Void>

  /// How long input may be held back for a moment at which nothing is under way, and how long to
  /// leave it alone after that did not help; nanoseconds.
  private static let holdMax: Int64 = 300_000_000
  private static let holdPause: Int64 = 2_000_000_000

  /// Records to `options`; what goes wrong later is told to `onFailure`, once, and ends the record
  /// alone.
  ///
  /// - Throws: `RecordError` when the first file cannot be made.
  package init(
    _ options: RecordOptions, onFailure: @escaping @Sendable (String) -> Void
  ) throws(RecordError) {
    let failed = Lock<@Sendable (String) -> Void>(onFailure)
    self.onFailure = failed
    let over = Over()
    writer = try RecordWriter(options) { problem in over.tell(problem) }
    over.tape.withLock { $0 = { [weak self] in self?.fail($0) } }
  }

  /// Tells the tape, which is not there yet when its writer is made.
  private final class Over: Sendable {
    let tape = Lock<(@Sendable (String) -> Void)?>(nil)

    func tell(_ problem: String) { tape.withLock { $0 }?(problem) }
  }

  /// The program that records.
  var program: String { writer.options.program }

  /// Begins to record as soon as nothing is under way.
  func start(_ source: Source) {
    gate.withLock { _ in
      self.source = source
      wantedSince = MonotonicInstant.now().nanoseconds
    }
  }

  /// Ends the record: what comes later is not in it.
  func finish() {
    gate.withLock { _ in
      if isRecording, !hasStopped { writer.append(.ended) }
      stop()
    }
    writer.drain()
  }

  /// Whether input is held back for the moment.
  var isHolding: Bool { holding.load(ordering: .relaxed) && !hasStopped }

  /// Whether nothing is recorded any more.
  var hasStopped: Bool { isOver.load(ordering: .relaxed) }

  /// Whether this thread may touch what belongs to queues: it copies their state.
  private(set) var isCopying = false

  /// Whether the caller's work is being taken down.
  var isInside: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

  // Queues.

  /// Takes a queue in; its number.
  func add(_ queue: RecordingQueue) {
    gate.withLock { _ in queues.append(queue) }
  }

  /// Runs one piece of a queue's work and takes it down.
  func run(_ queue: Int, _ cause: TapeEvent.Cause, _ work: () -> Void) {
    if isOver.load(ordering: .acquiring) { return work() }
    gate.withLock { _ in
      // It may have ended while this waited.
      if isOver.load(ordering: .acquiring) { return work() }
      owner.store(UInt(pthread_self()), ordering: .relaxed)
      running = queue
      work()
      if isRecording {
        writer.append(.event(TapeEvent(queue: queue, cause: cause, entries: entries)))
        entries.removeAll(keepingCapacity: true)
        watchSegment()
      }
      if wantedSince != nil { tryToBegin() }
      owner.store(0, ordering: .relaxed)
    }
  }

  /// Runs work of a queue that is not taken down, but whose gifts to others are told apart.
  func runBeside(_ queue: Int, _ work: () -> Void) {
    let thread = UInt(pthread_self())
    besides.withLock { $0[thread] = queue }
    work()
    besides.withLock { $0[thread] = nil }
  }

  /// Who hands work over now: a queue, or nil for somebody outside of all.
  var giver: Int? {
    if isInside { return running }
    return besides.withLock { $0[UInt(pthread_self())] }
  }

  /// Does what a command does, and takes it down.
  func outside(_ command: @autoclosure () -> OutsideCommand, _ body: () -> Void) {
    // Within a queue's work it follows from that.
    if isInside || hasStopped { return body() }
    gate.withLock { _ in
      body()
      if isRecording, !hasStopped { writer.append(.command(command())) }
    }
  }

  // What happens within a piece of work.

  /// Takes down an entry, where one is due.
  func note(_ entry: @autoclosure () -> TapeEntry) {
    if isInside, isRecording { entries.append(entry()) }
  }

  /// Takes down what the journal said; called on the committer's queue.
  func note(journal record: TapeRecord) {
    if !hasStopped { writer.append(record) }
  }

  /// The journal's newest row, as it last said.
  var newestRow: Int64 {
    get { rows.load(ordering: .acquiring) }
    set { rows.store(newValue, ordering: .releasing) }
  }

  /// The stream of a socket that is adopted: the one it had, or a new one.
  func stream(of socket: AcceptedSocket) -> UInt64 {
    passing.withLock { $0.removeValue(forKey: socket.descriptor) }
      ?? nextStream.wrappingAdd(1, ordering: .relaxed).oldValue
  }

  /// A socket is on its way to another queue.
  func passes(_ socket: AcceptedSocket, _ stream: UInt64) {
    passing.withLock { $0[socket.descriptor] = stream }
  }

  // Segments.

  private func watchSegment() {
    let fill = writer.fill
    if fill.isOverfull { return fail("what is under way never ends: no new segment can begin") }
    guard fill.isFull, wantedSince == nil else { return }
    let now = MonotonicInstant.now().nanoseconds
    if now >= nextTry { wantedSince = now }
  }

  /// Begins a segment if nothing is under way; else holds input back for a while.
  private func tryToBegin() {
    guard let wantedSince, let source else { return }
    // Whoever copies a queue's state asserts to be on it.
    isCopying = true
    defer { isCopying = false }
    if queues.allSatisfy(\.isIdle), source.isQuiet() {
      let state = source.state()
      guard state.count < writer.options.stateBytesMax else {
        return fail(
          "the accounts in memory take \(state.count) bytes, and a part of "
            + "--record-bytes \(writer.options.bytesMax) has room for "
            + "\(writer.options.stateBytesMax); start the server with --record-bytes "
            + "\(RecordOptions.bytesNeeded(forStateOf: state.count)) or more")
      }
      writer.begin(.begin(state))
      isRecording = true
      entries.removeAll(keepingCapacity: true)
      self.wantedSince = nil
      holding.store(false, ordering: .relaxed)
      return
    }
    let now = MonotonicInstant.now().nanoseconds
    if now - wantedSince > Self.holdMax {
      holding.store(false, ordering: .relaxed)
      nextTry = now + Self.holdPause
      self.wantedSince = isRecording ? nil : now + Self.holdPause
    } else {
      holding.store(now >= wantedSince, ordering: .relaxed)
    }
  }

  private func fail(_ problem: String) {
    isOver.store(true, ordering: .releasing)
    holding.store(false, ordering: .relaxed)
    onFailure.withLock { $0 }("the flight recorder has stopped: \(problem)")
  }

  private func stop() {
    isOver.store(true, ordering: .releasing)
    holding.store(false, ordering: .relaxed)
    isRecording = false
    wantedSince = nil
    source = nil
    queues = []
  }
}
