package import WatchTransfer

/// What happened to the timer of a session.
public enum SessionMove: UInt8, CaseIterable, Sendable {
  case start = 1
  case pause = 2
  case resume = 3
  case finish = 4
  /// Its device drives the session from then on.
  case takeOver = 5
}

/// A move with its place in the log.
package struct SessionEntry: Sendable, Equatable {
  package let move: SessionMove
  /// Its corrected time and device, which order the log.
  package var stamp: FieldStamp
  /// Of a finish: the local day it was on where it was pressed (DESIGN section 6, rule 2).
  package let day: CivilDay?
  /// Of a finish: where that was.
  package let zoneID: String?

  /// A move.
  package init(
    move: SessionMove, stamp: FieldStamp, day: CivilDay? = nil, zoneID: String? = nil
  ) {
    self.move = move
    self.stamp = stamp
    self.day = day
    self.zoneID = zoneID
  }
}

/// A span in which the timer ran.
package struct ActiveSpan: Sendable, Equatable {
  package let start: Instant
  package let end: Instant
}

/// What the moves of a session make of its timer, as a state machine: one after another, in order
/// of their corrected times.
package struct SessionClock: Sendable, Equatable {
  /// From when on a device drove the session.
  package struct Tenure: Sendable, Equatable {
    package let device: DeviceID
    package let from: Instant
  }

  package private(set) var phase = SessionPhase.unstarted
  package private(set) var startedAt: Instant?
  /// nil: not running.
  package private(set) var runningSince: Instant?
  /// Spans that are over, in order.
  package private(set) var spans: [ActiveSpan] = []
  /// The finish that ended it.
  package private(set) var finish: SessionEntry?
  /// In order of time.
  package private(set) var tenures: [Tenure] = []

  /// A timer that never ran.
  package init() {}

  /// The timer after all of `entries`, which are in order of their stamps.
  init(_ entries: [SessionEntry]) {
    for entry in entries { take(entry) }
  }

  /// When it ended.
  package var endedAt: Instant? { finish?.stamp.at }

  /// The device that drives the session now.
  var recorder: DeviceID? { tenures.last?.device }

  /// The device that drove it at `moment`.
  func recorder(at moment: Instant) -> DeviceID? {
    tenures.last { $0.from <= moment }?.device
  }

  /// Active time when `runningSince` began, or altogether; milliseconds.
  package var activeMilliseconds: Int64 {
    spans.reduce(0) { $0 &+ $1.end.milliseconds(since: $1.start) }
  }

  /// Whether what `device` did at `moment` is what the recorder did, a fact, rather than a wish
  /// about now. Where no start has arrived nobody else is known to drive (DESIGN section 4, Late
  /// facts).
  func isFact(by device: DeviceID, at moment: Instant) -> Bool {
    startedAt == nil || recorder(at: moment) == device
  }

  /// Takes the next move. One that says what is so already, or comes after the end, changes
  /// nothing.
  package mutating func take(_ entry: SessionEntry) {
    let at = entry.stamp.at
    if phase == .ended {
      // The start of a session whose finish is stamped before it: it lasted no time.
      if entry.move == .start, startedAt == nil, let end = endedAt {
        startedAt = end
        tenures.insert(Tenure(device: entry.stamp.device, from: end), at: 0)
      }
      return
    }
    switch entry.move {
    case .start:
      guard startedAt == nil else { return }
      startedAt = at
      tenures.append(Tenure(device: entry.stamp.device, from: at))
      phase = .running
      runningSince = at
    case .pause:
      guard phase == .running else { return }
      stop(at: at)
      phase = .paused
    case .resume:
      guard phase == .paused else { return }
      phase = .running
      runningSince = at
    case .finish:
      stop(at: at)
      phase = .ended
      finish = entry
    case .takeOver:
      if recorder != entry.stamp.device {
        tenures.append(Tenure(device: entry.stamp.device, from: at))
      }
    }
  }

  private mutating func stop(at moment: Instant) {
    if let since = runningSince { spans.append(ActiveSpan(start: since, end: max(since, moment))) }
    runningSince = nil
  }
}
