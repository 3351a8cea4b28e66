internal import CommandLineTool
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// What the server says to the well-behaved: all of it is read, and must make sense.
extension PacedRun {
  /// Sends the Hello.
  func greet(_ index: Int) {
    var hello = Hello(token: tokens[devices[index].token])
    hello.incarnations = [
      IncarnationState(
        incarnation: devices[index].incarnation, confirmed: 0, oldest: 1, next: 1)
    ]
    pool.send(devices[index].connection, encoder.frame(ClientMessage.hello(hello)))
  }

  /// Takes whole frames off the front of `bytes`; returns how many bytes they were.
  func receive(_ bytes: UnsafeRawBufferPointer, of index: Int) -> Int {
    var consumed = 0
    while devices[index].phase != .gone {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
      switch scanFrame(rest, payloadBytesMax: FrameLimits.serverFrameBytesMax) {
      case .incomplete:
        return consumed
      case .failed:
        lost(index, "no frame of this protocol")
      case .frame(let length):
        let payload = UnsafeRawBufferPointer(rebasing: rest[4..<4 + length])
        consumed += 4 + length
        do throws(WireError) {
          try take(try decoder.decodeServerMessage(payload), of: index)
        } catch {
          lost(index, "a message that cannot be read: \(error)")
        }
      }
    }
    return bytes.count
  }

  private func take(_ message: ServerMessage, of index: Int) throws(WireError) {
    let now = MonotonicInstant.now().nanoseconds
    switch message {
    case .welcome(let welcome): welcomed(index, welcome)
    case .ping(let ping):
      pool.send(
        devices[index].connection, encoder.frame(ClientMessage.pong(Pong(nonce: ping.nonce))))
    case .receipt(let receipt): take(receipt, of: index, at: now)
    case .snapshot(let snapshot): try take(snapshot, of: index, at: now)
    case .update(let update): try take(update, of: index)
    case .hold(let hold): wasHeld(index, hold, at: now)
    case .notModified: report.wentWrong("a snapshot that nobody has")
    case .conflict, .settled: report.wentWrong("the server knows acts that were never sent")
    case .goodbye(let goodbye): turnedAway(index, goodbye, at: now)
    case .reload, .page, .chunkState, .pong: break
    }
  }

  private func welcomed(_ index: Int, _ welcome: Welcome) {
    guard devices[index].phase == .connecting else { return }
    guard welcome.kind.may(.offer), welcome.kind.may(.fetch) else {
      return lost(index, "a \(welcome.kind.word) cannot act and fetch")
    }
    devices[index].phase = .welcomed
    greetingCount -= 1
    // Earlier runs of the same outbox: it goes on behind what they did.
    devices[index].acts = OpenActs(confirmed: (welcome.expected.first?.number ?? 1) - 1)
    devices[index].goal =
      sharers[welcome.account, default: 0] % LoadOptions.actorsPerAccountMax
    sharers[welcome.account, default: 0] += 1
    aliveCount += 1
  }

  /// A device whose rates have not recovered comes back; in the middle of a load it is an error.
  private func turnedAway(_ index: Int, _ goodbye: Goodbye, at now: Int64) {
    let wait = Int64(goodbye.retryAfterMilliseconds) * 1_000_000
    guard devices[index].phase == .connecting, goodbye.reason == .tooMany,
      (1..<Self.patience).contains(wait)
    else { return lost(index, "the server said goodbye: \(goodbye.reason.word)") }
    report.happened["turned away: \(goodbye.reason.word)", default: 0] += 1
    arrivals.append(Arrival(token: devices[index].token, due: now + wait))
    leave(index)
  }

  private func take(_ receipt: Receipt, of index: Int, at now: Int64) {
    var revision: Revision = 0
    if case .applied(let applied) = receipt.outcome { revision = applied }
    do throws(OpenActs.Fault) {
      let due = try devices[index].acts.receipt(
        of: receipt.number, isApplied: revision > 0, revision: revision)
      report.latencies.add(now - due, count: 1)
    } catch {
      report.wentWrong(error.rawValue)
    }
    // An asker's pending mark always ends: what it did is shown before it is receipted.
    if devices[index].shown < revision { report.wentWrong("a receipt ahead of what is shown") }
  }

  private func take(_ snapshot: Snapshot, of index: Int, at now: Int64) throws(WireError) {
    if try decoder.decodeTimeline(snapshot.content).entries.isEmpty {
      report.wentWrong("a snapshot without an entry")
    }
    if snapshot.revision < devices[index].fetched { report.wentWrong(Self.wentBack) }
    devices[index].fetched = snapshot.revision
    guard let due = devices[index].fetches.popFirst() else {
      return report.wentWrong("a snapshot that nobody asked for")
    }
    report.latencies.add(now - due, count: 1)
  }

  private func take(_ update: Update, of index: Int) throws(WireError) {
    let shown = devices[index].shown
    if update.from != shown, update.from != 0 {
      report.wentWrong("an update that does not follow what is shown")
    }
    if update.to < shown { report.wentWrong(Self.wentBack) }
    devices[index].shown = update.to
    for facet in update.facets where facet.kind == .goals {
      guard case .goals(let goals) = try decoder.decodeFacet(facet) else { continue }
      let name = devices[index].frames.goalName
      devices[index].shownValue =
        goals.goals.first {
          $0.name.utf8.elementsEqual(name.utf8)
        }?.target
    }
    if update.from == 0 { devices[index].isSettled = true }
  }

  private func wasHeld(_ index: Int, _ hold: Hold, at now: Int64) {
    switch hold.reason {
    case .gap:
      report.happened["held: gap", default: 0] += 1
      devices[index].acts.hold(until: now)
    case .busy(let retryAfter):
      report.happened["held: busy", default: 0] += 1
      devices[index].acts.hold(until: now + Int64(retryAfter) * 1_000_000)
    case .storageUnavailable(let retryAfter):
      report.happened["held: storageUnavailable", default: 0] += 1
      devices[index].acts.hold(until: now + Int64(retryAfter) * 1_000_000)
    }
  }

  private static var wentBack: String { OpenActs.Fault.revision.rawValue }
}
