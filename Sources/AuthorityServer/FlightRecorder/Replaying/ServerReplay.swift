internal import Authority
internal import Guards
internal import Storage
internal import Synchronization
internal import Transport
public import WatchTransfer

/// Runs one segment of a flight record again, and compares what comes out.
public struct ServerReplay {
  /// What came of it.
  public struct Report: Sendable {
    public var events = 0
    public var queues = 0
    public var framesIn = 0
    public var framesOut = 0
    public var bytesOut = 0
    /// Rows of the journal that were decided again.
    public var rows = 0
    /// From the first to the last event, by the wall clock of the server.
    public var from: Instant?
    public var to: Instant?
    /// The first difference; nil: none.
    public var difference: Difference?
    /// Where the file was cut off within a record: what follows is not known.
    public var cutOffAt: Int?
    /// Whether the recording was ended on purpose.
    public var isEnded = false
    /// What is another here than where it was recorded, a line each.
    public var remarks: [String] = []
  }

  /// Where a replay parts from its record.
  public struct Difference: Sendable {
    /// The number of the event, from 1.
    public var event: Int
    /// What ran: `wristwire.partition.0`.
    public var queue: String
    /// Whose connection, `slot.generation`, where it is about one.
    public var connection: String?
    /// In words.
    public var expected: String
    public var got: String
  }

  let file: RecordFile
  let head: CoreHead

  /// The program that recorded, with its version.
  public var program: String { head.program }

  /// Reads a segment.
  ///
  /// - Throws: `RecordError`.
  public init(path: String) throws(RecordError) {
    try self.init(RecordFile(path: path))
  }

  init(_ file: RecordFile) throws(RecordError) {
    self.file = file
    guard case .begin(let state)? = file.records.first else { throw .empty }
    do throws(StoredFormError) {
      var reader = ByteReader(state)
      head = try CoreHead(from: &reader)
    } catch {
      throw .unknownForm(record: 0, "\(error)")
    }
  }

  /// Runs it. `show` is called with a line for each thing that happens, from event `first` on.
  ///
  /// - Throws: `RecordError` when the state it begins with makes no sense.
  public func run(
    from first: Int = 1, show: ((String) -> Void)? = nil
  ) throws -> Report {
    let run = try ReplayRun(self)
    var report = Report()
    report.queues = run.machine.queues.count { $0.role == .recorded }
    report.cutOffAt = file.cutOffAt
    report.isEnded = file.isEnded
    report.remarks = run.remarks
    let words = ReplayWords()
    var asked = file.records.dropFirst().makeIterator()
    while report.difference == nil, let record = asked.next() {
      switch record {
      case .command(let command):
        run.perform(command)
        if let show, report.events + 1 >= first { show(words.line(command)) }
      case .event(let event):
        report.events += 1
        let queue = run.label(event.queue)
        run.run(event)
        note(event, in: &report)
        for bytes in run.head.taken { report.framesIn += words.frames(in: bytes) }
        if let show, report.events >= first {
          let lines = words.lines(
            event, number: report.events, queue: queue, taken: run.head.taken)
          for line in lines { show(line) }
        }
        report.difference = run.difference(words, event: report.events, queue: queue)
      default: break
      }
    }
    report.rows = run.store.written.count
    return report
  }

  private func note(_ event: TapeEvent, in report: inout Report) {
    for entry in event.entries {
      switch entry {
      case .wall(let milliseconds):
        report.to = Instant(milliseconds: milliseconds)
        report.from = report.from ?? report.to
      case .sent(_, let frame):
        report.framesOut += 1
        report.bytesOut += frame.count
      default: break
      }
    }
  }
}

/// A core that runs on a record.
final class ReplayRun {
  let machine: ReplayMachine
  let store: ReplayStore
  let head = ReplayHead()
  let core: ServerCore
  /// What is another here than where it was recorded.
  let remarks: [String]

  init(_ replay: ServerReplay) throws {
    machine = ReplayMachine(head: head)
    store = ReplayStore(row: replay.head.row, records: replay.file.records)
    guard case .begin(let state)? = replay.file.records.first else { throw RecordError.empty }
    do {
      var reader = ByteReader(state)
      let begin = try CoreHead(from: &reader)
      let registry = DeviceRegistry(try DeviceRegistry.Lists(from: &reader))
      var limits = ServerLimits()
      try limits.read(begin.limits)
      let zones = try MachineZones()
      let clock = AuthorityClock(machine: machine)
      clock.offset = begin.clockOffset
      var parts = ServerParts(
        machine: machine, limits: limits, clock: clock, zones: zones, registry: registry,
        space: ReplayedSpace(head: head), epoch: begin.epoch,
        connectionsMax: begin.connectionsMax, partitions: begin.partitions,
        poison: PoisonGuard(knowing: begin.crashes), continuity: begin.backups)
      parts.withheld = begin.withheld
      parts.startedAt = begin.startedAt
      core = try ServerCore(parts, journal: ReplayJournal(store)) { _ in }
      core.open()
      var remarks: [String] = []
      let build = facetBuild(zones)
      if build != begin.build {
        remarks.append("recorded by facet build \(begin.build), replayed by \(build)")
      }
      if zones.version != begin.zoneDataVersion {
        remarks.append(
          "recorded with zone data \(begin.zoneDataVersion), replayed with \(zones.version)")
      }
      self.remarks = remarks
    } catch let error as StoredFormError {
      throw RecordError.unknownForm(record: 0, "\(error)")
    } catch let error as LimitsError {
      throw RecordError.unknownForm(record: 0, "\(error)")
    }
    try start(from: state)
  }

  /// What partitions and lobby do to begin is no event; then the state is put in place.
  private func start(from state: [UInt8]) throws {
    for queue in machine.queues where queue.role == .recorded { while queue.runNext(from: nil) {} }
    machine.runBeside()
    store.hasStarted = true
    do throws(StoredFormError) {
      var reader = ByteReader(state)
      _ = try CoreHead(from: &reader)
      _ = try DeviceRegistry.Lists(from: &reader)
      try core.restore(from: &reader, entering: head)
    } catch {
      throw RecordError.unknownForm(record: 0, "\(error)")
    }
  }

  /// What a queue is called.
  func label(_ queue: Int) -> String {
    machine.queues.indices.contains(queue) ? machine.queues[queue].label : "queue \(queue)"
  }

  /// Does what somebody outside did.
  func perform(_ command: OutsideCommand) { core.perform(command) }

  /// Runs an event, and what the committer then has to do.
  func run(_ event: TapeEvent) {
    head.begin(event)
    if machine.queues.indices.contains(event.queue), machine.queues[event.queue].role == .recorded {
      let queue = machine.queues[event.queue]
      let hasRun =
        switch event.cause {
        case .ready: queue.runReady()
        case .tick(let number): queue.runTick(number)
        case .work(let giver): queue.runNext(from: giver)
        }
      if !hasRun { head.partAtOnce("no such work waits") }
    } else {
      head.partAtOnce("there is no such queue")
    }
    head.end()
    machine.runBeside()
  }

  /// How the event parted from the record; nil: it did not.
  func difference(_ words: ReplayWords, event: Int, queue: String) -> ServerReplay.Difference? {
    if let parting = head.parting {
      return ServerReplay.Difference(
        event: event, queue: queue, connection: parting.connection?.description,
        expected: parting.expected.map { words.text($0) } ?? "nothing more",
        got: words.text(parting.got))
    }
    return store.otherRow.map { row in
      ServerReplay.Difference(
        event: event, queue: queue, connection: nil,
        expected: "row \(row) of the journal as it was written", got: "another row \(row)")
    }
  }
}
