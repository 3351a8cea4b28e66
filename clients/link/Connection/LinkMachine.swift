public import Transport
public import WatchTransfer

/// The life of a link as a value: connect, greet, keep alive, come back. No socket, no clock, no
/// randomness but the seed it was given.
public struct LinkMachine: Sendable {
  /// Where the link stands.
  public enum Phase: Hashable, Sendable {
    /// Not started, stopped, or not wanted by the server.
    case idle
    /// Between two attempts.
    case waiting(until: MonotonicInstant)
    case connecting
    /// Connected; the greeting is on its way.
    case greeting(until: MonotonicInstant)
    case open(since: MonotonicInstant)
  }

  /// What the link's owner of sockets has to do, in order.
  public enum Step: Hashable, Sendable {
    case connect
    /// Send the owner's greeting.
    case greet
    case send(ClientMessage)
    /// Send a ping of this nonce with what the owner has shown and has waiting.
    case ping(nonce: UInt64)
    /// Close the connection; nothing more comes from it.
    case close
    case report(LinkEvent)
  }

  /// Where the link stands.
  public private(set) var phase = Phase.idle
  private let configuration: LinkConfiguration
  private var backoff: Backoff
  private var jitter: SplitMix64
  private var lastHeard = MonotonicInstant(nanoseconds: 0)
  private var nextPing = MonotonicInstant(nanoseconds: 0)
  private var lastNonce: UInt64 = 0
  private var asked: (nonce: UInt64, at: MonotonicInstant)?

  /// A link that was not started; `seed` decides its jitter.
  public init(_ configuration: LinkConfiguration, seed: UInt64) {
    self.configuration = configuration
    backoff = Backoff(
      firstMilliseconds: configuration.firstBackoffMilliseconds,
      maxMilliseconds: configuration.backoffMaxMilliseconds)
    jitter = SplitMix64(seed: seed)
  }

  /// Whether messages of the owner may go.
  public var isOpen: Bool {
    if case .open = phase { true } else { false }
  }

  /// When `tick` has something to do; nil: never.
  public var deadline: MonotonicInstant? {
    switch phase {
    case .idle, .connecting: nil
    case .waiting(let until), .greeting(let until): until
    case .open: min(nextPing, lastHeard.advanced(milliseconds: configuration.idleMilliseconds))
    }
  }

  /// Begins to connect; does nothing when it already has.
  public mutating func start() -> [Step] {
    guard phase == .idle else { return [] }
    phase = .connecting
    return [.connect]
  }

  /// Ends for good, until started again.
  public mutating func stop() -> [Step] {
    defer { phase = .idle }
    switch phase {
    case .idle, .waiting: return []
    case .connecting, .greeting, .open: return [.close]
    }
  }

  /// Gives the connection up and greets anew.
  public mutating func restart(at now: MonotonicInstant) -> [Step] {
    switch phase {
    case .idle, .waiting: []
    case .connecting, .greeting, .open: fail(.restarted, at: now)
    }
  }

  /// The socket is connected.
  public mutating func connected(at now: MonotonicInstant) -> [Step] {
    guard phase == .connecting else { return [] }
    phase = .greeting(until: now.advanced(milliseconds: LinkLimits.greetingMilliseconds))
    asked = (nonce: 0, at: now)
    return [.greet]
  }

  /// The connection is gone, or did not come to be.
  public mutating func disconnected(_ failure: LinkFailure, at now: MonotonicInstant) -> [Step] {
    switch phase {
    case .idle, .waiting: []
    case .connecting, .greeting, .open:
      // The wrong server stays wrong, most likely; it might be a certificate that is put right.
      fail(
        failure, at: now, after: failure.isWrongServer ? configuration.backoffMaxMilliseconds : 0,
        isClosed: true)
    }
  }

  /// The server says `message`, when the device's clocks show `clock`.
  public mutating func received(
    _ message: ServerMessage, at now: MonotonicInstant, clock: DeviceClock
  ) -> [Step] {
    lastHeard = now
    switch (phase, message) {
    case (.idle, _), (.waiting, _), (.connecting, _):
      return []
    case (_, .goodbye(let goodbye)):
      return dismissed(goodbye, at: now)
    case (_, .ping(let ping)):
      return [.send(.pong(Pong(nonce: ping.nonce, clock: clock)))]
    case (.greeting, .welcome(let welcome)):
      phase = .open(since: now)
      nextPing = now.advanced(milliseconds: configuration.pingIntervalMilliseconds)
      let offset = clockOffset(of: welcome.serverClock, at: now, clock: clock)
      return [.report(.clockOffset(milliseconds: offset)), .report(.welcomed(welcome))]
    case (.greeting, _), (.open, .welcome):
      return fail(.unexpectedMessage, at: now)
    case (.open, .pong(let pong)):
      guard let serverClock = pong.serverClock, asked?.nonce == pong.nonce else { return [] }
      let offset = clockOffset(of: serverClock, at: now, clock: clock)
      asked = nil
      return [.report(.clockOffset(milliseconds: offset))]
    case (.open, _):
      return [.report(.message(message))]
    }
  }

  /// What is due at `now`.
  public mutating func tick(at now: MonotonicInstant) -> [Step] {
    switch phase {
    case .idle, .connecting:
      return []
    case .waiting(let until):
      guard now >= until else { return [] }
      phase = .connecting
      return [.connect]
    case .greeting(let until):
      return now >= until ? fail(.greetingTimeout, at: now) : []
    case .open(let since):
      if now >= since.advanced(milliseconds: LinkLimits.goodConnectionMilliseconds) {
        backoff.reset()
      }
      if now >= lastHeard.advanced(milliseconds: configuration.idleMilliseconds) {
        return fail(.idle, at: now)
      }
      guard now >= nextPing else { return [] }
      nextPing = now.advanced(milliseconds: configuration.pingIntervalMilliseconds)
      lastNonce += 1
      asked = (lastNonce, now)
      return [.ping(nonce: lastNonce)]
    }
  }

  /// Half of the round trip is taken off, as NTP does (RFC 5905 section 8).
  private func clockOffset(
    of serverClock: Instant, at now: MonotonicInstant, clock: DeviceClock
  ) -> Int64 {
    let roundTrip = asked.map { $0.at.milliseconds(to: now) } ?? 0
    return serverClock.advanced(milliseconds: roundTrip / 2).milliseconds(since: clock.wall)
  }

  private mutating func dismissed(_ goodbye: Goodbye, at now: MonotonicInstant) -> [Step] {
    switch goodbye.reason {
    case .unauthenticated, .revoked, .forbidden, .unsupportedVersion, .codeRefused:
      phase = .idle
      return [.close, .report(.ended(goodbye))]
    case .replaced:
      phase = .waiting(until: now.advanced(milliseconds: LinkLimits.replacedMilliseconds))
      return [.close, .report(.ended(goodbye))]
    case .malformed, .frameTooLarge, .protocolError, .tooMany, .idle, .stalled, .shuttingDown,
      .internalError:
      let asked = Int64(goodbye.retryAfterMilliseconds)
      // Not to come back by itself would strand a device whose one frame was damaged on its way: it
      // comes back, as late as it ever does.
      let least = goodbye.comeBack ? asked : max(asked, configuration.backoffMaxMilliseconds)
      return fail(.goodbye(goodbye), at: now, after: least)
    }
  }

  private mutating func fail(
    _ failure: LinkFailure, at now: MonotonicInstant, after least: Int64 = 0,
    isClosed: Bool = false
  ) -> [Step] {
    if case .open(let since) = phase,
      now >= since.advanced(milliseconds: LinkLimits.goodConnectionMilliseconds)
    {
      backoff.reset()
    }
    let wait =
      min(least, LinkLimits.retryAfterMaxMilliseconds) + backoff.wait(using: &jitter)
    phase = .waiting(until: now.advanced(milliseconds: wait))
    asked = nil
    let report = Step.report(.disconnected(failure, retryInMilliseconds: wait))
    return isClosed ? [report] : [.close, report]
  }
}
