internal import CLinux
internal import Glibc
internal import Guards

/// The directions a connection waits for.
struct Interest: OptionSet {
  /// One bit each.
  let rawValue: UInt8

  /// Bytes to read, or the peer has finished.
  static let input = Interest(rawValue: 1)
  /// Room to write, or the outcome of a connect.
  static let output = Interest(rawValue: 2)

  fileprivate var events: UInt32 {
    var events: UInt32 = 0
    if contains(.input) {
      events |= UInt32(clinux_event_readable) | UInt32(clinux_event_peer_finished)
    }
    if contains(.output) { events |= UInt32(clinux_event_writable) }
    return events
  }
}

/// What happened to one connection.
struct Readiness {
  private let events: UInt32

  fileprivate init(_ events: UInt32) {
    self.events = events
  }

  /// Something can be read: bytes, the end of the stream or an error.
  var isReadable: Bool {
    events & ~UInt32(clinux_event_writable) != 0
  }

  /// The socket takes output again.
  var isWritable: Bool {
    events & UInt32(clinux_event_writable) != 0
  }

  /// The peer has finished its side, or more is over.
  var isEnding: Bool {
    isHangUp || events & UInt32(clinux_event_peer_finished) != 0
  }

  /// Both directions are over, or an error is pending.
  var isHangUp: Bool {
    events & (UInt32(clinux_event_hangup) | UInt32(clinux_event_error)) != 0
  }
}

/// A private epoll descriptor: level-triggered, with tokens instead of pointers, so that an event
/// for a connection that has ended is recognised.
struct ReadinessSet {
  /// The epoll descriptor; readable while events wait.
  let descriptor: Int32
  private let events: UnsafeMutablePointer<clinux_ready>

  /// Opens the descriptor.
  init() throws(SystemError) {
    descriptor = try checked(clinux_epoll_create(), "epoll_create1")
    events = .allocate(capacity: TransportLimits.eventsMax)
  }

  /// Gives the memory back; the descriptor is closed by its owner, after Dispatch has let go of it.
  func deallocate() {
    events.deallocate()
  }

  /// Begins to report. Throws when the kernel is out of memory or watches.
  func add(_ socket: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
    try checked(clinux_epoll_add(descriptor, socket, interest.events, token), "epoll_ctl")
  }

  /// Reports other directions from now on.
  func modify(_ socket: Int32, _ interest: Interest, token: UInt64) {
    let outcome = clinux_epoll_modify(descriptor, socket, interest.events, token)
    invariant(outcome == 0, "changing a registered descriptor needs no memory and cannot fail")
  }

  /// Reports nothing any more.
  func remove(_ socket: Int32) {
    _ = clinux_epoll_remove(descriptor, socket)
  }

  /// Collects events, waiting at most this long for the first; returns how many. Those of peers
  /// that have gone stand behind the others and are few: more are reported again, behind what
  /// becomes ready meanwhile.
  func wait(milliseconds: Int32) -> Int {
    let count = clinux_epoll_wait(
      descriptor, events, Int32(TransportLimits.eventsMax), milliseconds)
    invariant(count >= 0, "waiting on an open epoll descriptor cannot fail")
    var staying = 0
    for index in 0..<Int(count) where !self[index].readiness.isEnding {
      if staying != index { swap(&events[staying], &events[index]) }
      staying += 1
    }
    return min(Int(count), staying + TransportLimits.endingsMax)
  }

  /// One of the events collected last.
  subscript(index: Int) -> (token: UInt64, readiness: Readiness) {
    (events[index].token, Readiness(events[index].events))
  }
}
