internal import Transport

/// From one end to the other: what a link's events lead to.
extension FaultProxy {
  /// Handles one event of one end; how many offered bytes are consumed.
  func handle(_ event: ConnectionEvent, of id: ConnectionID, in link: Link) -> Int {
    let outward: FaultDirection = id == link.client ? .up : .down
    switch event {
    case .connected:
      link.isConnected = true
      settleBoth(link)
    case .received(let bytes):
      arrived(bytes, in: link, outward)
      return bytes.count
    case .endOfInput:
      sourceFinished(link, outward)
    case .drained:
      settle(link, outward.opposite)
    case .closed(let reason):
      gone(id, reason, link, outward)
    }
    return 0
  }

  /// Bytes came from the source of a direction.
  private func arrived(
    _ bytes: UnsafeRawBufferPointer, in link: Link, _ direction: FaultDirection
  ) {
    let passage = link.passage(direction)
    // Swallowed, so that the end of the peer is still noticed behind it.
    guard !link.isStalled, !link.isEnding, !passage.isEnding, !passage.isOver else { return }
    if passage.holds || isPaused || !link.isConnected {
      passage.hold(bytes, from: .now())
      if passage.delays { counts.delayed += 1 }
    } else {
      pass(bytes, in: link, direction)
    }
    settle(link, direction)
  }

  /// Sends bytes on, as the faults have it.
  private func pass(
    _ bytes: UnsafeRawBufferPointer, in link: Link, _ direction: FaultDirection
  ) {
    let passage = link.passage(direction)
    let before = passage.stream.counts
    for step in passage.stream.pass(bytes) {
      switch step {
      case .write(let piece):
        counts.writes += 1
        pool.send(link.target(direction), piece)
        // Each piece is a write of its own, as long as the socket takes it.
        if passage.stream.splits { pool.flush() }
      case .end(let ending):
        end(link, direction, ending)
      }
    }
    let after = passage.stream.counts
    counts.corrupted += after.corrupted - before.corrupted
    switch direction {
    case .up: counts.bytesUp += after.bytes - before.bytes
    case .down: counts.bytesDown += after.bytes - before.bytes
    }
  }

  /// Ends a direction, or the link, by a fault.
  func end(_ link: Link, _ direction: FaultDirection, _ ending: FaultEnding) {
    counts.count(ending)
    switch ending {
    case .cut: closeInOrder(link)
    case .reset:
      // What came before it leaves first, if the socket takes it.
      pool.flush()
      forget(link)
      pool.reset(link.client)
      pool.reset(link.server)
    case .halfClose:
      link.passage(direction).drop()
      link.passage(direction).isEnding = true
      settle(link, direction)
    case .stall:
      link.isStalled = true
      link.up.drop()
      link.down.drop()
      settleBoth(link)
    }
  }

  /// Brings both directions up to date.
  func settleBoth(_ link: Link) {
    settle(link, .up)
    settle(link, .down)
  }

  /// Brings a direction up to date: passes on what may go, reads on or holds the source up, and
  /// passes the end of the stream on when everything before it has left.
  private func settle(_ link: Link, _ direction: FaultDirection) {
    guard !link.isEnding else { return }
    let passage = link.passage(direction)
    let target = link.target(direction)
    passDue(link, direction)
    guard !link.isEnding else { return }
    // What is past its time waits for a reader, which `drained` tells, or for `resume`.
    if let due = passage.next?.due, due > .now() { awaitTime(of: link, due: due) }
    pool.setReading(
      link.source(direction),
      link.isStalled || !isPaused && owed(passage, target) < ProxyLimits.waitingBytesMax)
    guard passage.isEnding, !passage.isOver, passage.next == nil, link.isConnected, !link.isStalled
    else { return }
    pool.flush()
    guard pool.unsentBytes(target) == 0 else { return }
    passage.isOver = true
    if link.passage(direction.opposite).isOver {
      closeInOrder(link)
    } else {
      pool.finishOutput(target)
    }
  }

  /// Passes on the blocks whose time has come, as far as the target takes them.
  private func passDue(_ link: Link, _ direction: FaultDirection) {
    guard link.isConnected, !isPaused else { return }
    let passage = link.passage(direction)
    let now = MonotonicInstant.now()
    while !link.isEnding, let block = passage.next, block.due <= now {
      if pool.unsentBytes(link.target(direction)) >= ProxyLimits.waitingBytesMax {
        pool.flush()
        if pool.unsentBytes(link.target(direction)) > 0 { return }
      }
      guard let block = passage.takeNext() else { return }
      block.bytes.withUnsafeBytes { pass($0, in: link, direction) }
    }
  }

  /// What the proxy holds of a direction.
  private func owed(_ passage: Passage, _ target: ConnectionID) -> Int {
    if pool.unsentBytes(target) >= ProxyLimits.waitingBytesMax { pool.flush() }
    return passage.waitingBytes + pool.unsentBytes(target)
  }

  /// The source of a direction has finished its side.
  private func sourceFinished(_ link: Link, _ direction: FaultDirection) {
    // Nobody was told that nothing passes any more; now one of the two has given up.
    if link.isStalled { return closeInOrder(link) }
    link.passage(direction).isEnding = true
    settle(link, direction)
  }

  /// One end is gone. The other is told in the same way, behind what is still on its way to it.
  private func gone(
    _ id: ConnectionID, _ reason: CloseReason, _ link: Link, _ direction: FaultDirection
  ) {
    links[id] = nil
    guard !link.isEnding else { return }
    switch reason {
    case .connectFailed, .connectTimedOut, .poolFull:
      counts.unreachable += 1
      forget(link)
      pool.close(link.other(id))
    case .reset:
      forget(link)
      pool.reset(link.other(id))
    default:
      let back = link.passage(direction.opposite)
      back.drop()
      back.isOver = true
      sourceFinished(link, direction)
    }
  }

  /// Both ends get what was sent to them, and then an orderly end.
  private func closeInOrder(_ link: Link) {
    guard !link.isEnding else { return }
    link.isEnding = true
    link.up.drop()
    link.down.drop()
    for id in [link.client, link.server] where links[id] != nil { pool.closeAfterSending(id) }
  }

  private func forget(_ link: Link) {
    link.isEnding = true
    links[link.client] = nil
    links[link.server] = nil
  }
}
