internal import AuthorityLink
internal import CommandLineTool
internal import WatchClient
internal import WatchTransfer

extension DeviceEmulator {
  /// Prints one event and takes note of it.
  mutating func take(_ event: WatchEvent) async {
    switch event {
    case .receipt(let receipt):
      awaited.remove(IncarnationNumber(incarnation: receipt.incarnation, number: receipt.number))
      show(lines.receipt(receipt))
    case .update(let update): await show(update)
    case .stage(let number, let stage):
      switch stage {
      case .received: show(lines.stage(number, word: stage.word, revision: nil))
      case .shown(let revision): show(lines.stage(number, word: stage.word, revision: revision))
      // The line of its queueing, its receipt or its quarantine says it.
      case .queued, .durable, .applied, .quarantined: break
      }
    case .quarantined(let number, let reason):
      awaited.remove(number)
      quarantinedCount += 1
      show(lines.quarantined(number, reason: reason.word))
    case .movedToNewIncarnation(let old, let new, let count):
      awaited = Set(await waiting())
      show(lines.moved(from: old, to: new, count: count))
    case .connected:
      notePairing { try $0.welcomed(credential) }
      hasFailedToConnect = false
      toldFailure = nil
    case .disconnected(let failure):
      hasFailedToConnect = true
      // Said once for each cause, not at each new try.
      if failure.isWrongServer {
        hasGivenUp = true
        tool.fail(Self.text(ofWrongServer: failure, at: options.server))
      } else if toldFailure != failure {
        toldFailure = failure
        tool.fail(
          "no connection to \(options.server) (\(failure.word)); trying again")
      }
    case .ended(let goodbye):
      hasGivenUp = true
      tool.fail(text(of: goodbye))
      if goodbye.reason == .codeRefused { notePairing { try $0.refused(credential) } }
    case .failed(let error):
      hasGivenUp = true
      tool.fail("\(error)")
    }
  }

  /// Tells the pairing what became of a credential.
  func notePairing(_ change: (PairingStore) throws -> Void) {
    do {
      try change(pairing)
    } catch {
      // The next start greets as this one did, which is as good.
      tool.fail("\(error)")
    }
  }

  /// What a person is told of a code that is no good.
  static let codeRefused = "the pairing code is wrong, used or expired; ask for a new one"

  /// Actions that wait for a receipt, in order; one that waits for the person does not.
  func pending() async -> [QueuedAction] {
    await client.queued.filter { $0.quarantine == nil }
  }

  /// What they are called.
  func waiting() async -> [IncarnationNumber] { await pending().map(\.id) }

  /// Prints the whole state as it is now.
  func showState() async {
    let state = await client.state
    show(
      lines.state(
        revision: state.revision, isStale: state.isStale, facets: state.facets,
        readings: state.readings, at: state.correctedNow(clock.now())))
  }

  /// How the program ends, when nothing more happens.
  var status: ExitStatus {
    if tellWaiting() { return .queued }
    return quarantinedCount > 0 || hasGivenUp ? .failed : .ok
  }

  /// Whether actions remain queued, which is said where it was not asked for.
  @discardableResult
  func tellWaiting() -> Bool {
    if awaited.isEmpty { return false }
    if !options.isOffline {
      tool.fail(
        awaited.count == 1 ? "1 action remains queued" : "\(awaited.count) actions remain queued")
    }
    return true
  }

  private func show(_ update: SurfaceUpdate) async {
    var facets: [FacetKind: Facet] = [:]
    for facet in update.facets { facets[facet.kind] = facet }
    var readings: [ReadingKind: Reading] = [:]
    for reading in update.readings { readings[reading.kind] = reading }
    let now = await client.state.correctedNow(clock.now())
    show(
      lines.update(from: update.from, to: update.to, facets: facets, readings: readings, at: now))
  }

  private static func text(ofWrongServer failure: LinkFailure, at server: String) -> String {
    switch failure {
    case .pinMismatch(let presented):
      "the server at \(server) has another key than the pinned one: \(presented); nothing was sent"
    case .untrusted(let reason):
      "the server at \(server) cannot be trusted (\(reason)); nothing was sent"
    default: "the server at \(server) cannot be trusted (\(failure.word)); nothing was sent"
    }
  }

  /// What a person is told of the end of a connection.
  func text(of goodbye: Goodbye) -> String {
    switch goodbye.reason {
    case .unauthenticated:
      "the authority does not know this token; pair the \(options.kind.rawValue)"
    case .revoked: "this \(options.kind.rawValue) was revoked; pair it again"
    case .replaced:
      "a newer connection of this \(options.kind.rawValue) has taken over; end the other emulator"
    case .codeRefused: Self.codeRefused
    case .forbidden: "this kind of device may not do that; pair a \(options.kind.rawValue)"
    case .unsupportedVersion: "the authority speaks another version of the protocol; update one"
    default: "the authority has ended the connection (\(goodbye.reason.word))"
    }
  }
}
